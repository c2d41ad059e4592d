// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Tools/fleet on a local Apache Spark. `PYSPARK_PYTHON` names the Python that has PySpark, as for Spark itself.
@Suite(
  "A fleet on Apache Spark",
  .enabled(if: Spark.missing == nil, "\(Spark.missing ?? "")"))
struct FleetTests {
  @Test(
    "Deliveries are scored against the trace beside them, and the total is that without Spark",
    .timeLimit(.minutes(5)))
  func scores() throws {
    let scratch = try Scratch()
    // At 5 m/s for 900 s: 500 m are crossed long before the 300 s are over, which is reported 5 s later. The next
    // crossing is at 605 s, less than 300 s before the end, and is not judged.
    for name in ["a", "b"] {
      let rows = (0...900).map { second in
        "2026-05-0\(name == "a" ? 4 : 5)T10:\(String(format: "%02d:%02d", second / 60, second % 60))Z,"
          + "\(45 + Double(second) * 5 / 111_132),13\n"
      }
      _ = try scratch.write("traces/\(name).csv", "time,latitude,longitude\n" + rows.joined())
      let day = name == "a" ? 4 : 5
      _ = try scratch.write(
        "traces/\(name).events.jsonl",
        """
        {"time":"2026-05-0\(day)T10:00:00Z","latitude":45,"longitude":13}
        {"time":"2026-05-0\(day)T10:05:05Z","latitude":45.01372,"longitude":13}

        """)
    }
    let answer = try Spark.fleet(
      ["--milepost", Program.path, "--score", "--alone", scratch.path("traces")], in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.errors.contains("fleet: the totals are equal, byte for byte\n"))
    let total = try #require(try answer.documents().first)
    let names = (total["total_of"] as? [[String: Any]])?.compactMap { $0["trace"] as? String }
    #expect(names == ["a.csv", "b.csv"])
    #expect(total["crossings"] as? Int == 2)
    #expect(total["latency_p50_s"] as? Double == 5)
  }

  @Test(
    "The total over a folder is that of one process, byte for byte; what cannot be read is named and left out",
    .timeLimit(.minutes(5)))
  func folder() throws {
    let scratch = try Scratch()
    let cut = try Spark.fleet(["--cut", "12", scratch.path("traces")], in: scratch)
    #expect(cut.code == 0, "\(cut.errors)")
    let options = ["--milepost", Program.path]
    let worlds = [scratch.path("traces"), "--", "--worlds", "1"]
    // With --alone the program itself is the oracle, and a byte that differs ends with 1.
    let whole = try Spark.fleet(
      options + ["--alone", "--partials", scratch.path("lines")] + worlds, in: scratch)
    #expect(whole.code == 0, "\(whole.errors)")
    #expect(whole.errors.contains("fleet: the totals are equal, byte for byte\n"))
    let total = try #require(try whole.documents().first)
    #expect(try SchemaValidator("compare").errors(in: total).isEmpty)
    let names = try #require(total["total_of"] as? [String])
    #expect(names.count >= 10 && names == names.sorted())
    let again = try Spark.fleet(
      options + ["--partials", scratch.path("lines")] + worlds, in: scratch)
    #expect(again.code == 2)
    #expect(
      again.errors.contains(
        "fleet: \(scratch.path("lines")): exists already; name another folder for the lines\n"))

    _ = try scratch.write("traces/broken.gpx", "no trace")
    let rest = try Spark.fleet(options + ["--json"] + worlds, in: scratch)
    #expect(rest.code == 3)
    #expect(rest.errors.contains("milepost: error: broken.gpx: text in no known trace format"))
    #expect(rest.errors.contains("fleet: 1 traces were left out\n"))
    #expect(rest.output == whole.output)
  }
}

/// PySpark and the Java that it runs on.
enum Spark {
  private static let python =
    ProcessInfo.processInfo.environment["PYSPARK_PYTHON"] ?? "/usr/bin/python3"
  private static let javaHome = ProcessInfo.processInfo.environment["JAVA_HOME"]

  /// The missing parts, in words; `nil` if there are none.
  static let missing: String? = {
    guard let scratch = try? Scratch() else { return "there is no temporary folder" }
    guard (try? shell("command -v java || test -x \"$JAVA_HOME/bin/java\"", scratch))?.code == 0
    else { return "there is no Java, on which Spark runs (default-jre-headless)" }
    guard (try? shell("'\(python)' -c 'import pyspark'", scratch))?.code == 0 else {
      return "\(python) has no PySpark (pip install pyspark; PYSPARK_PYTHON names another Python)"
    }
    return nil
  }()

  static func fleet(_ arguments: [String], in scratch: Scratch) throws -> Program.Answer {
    let tool = Package.root.appendingPathComponent("Tools/fleet").path
    let words = ([python, tool] + arguments).map { "'\($0)'" }
    return try shell(words.joined(separator: " "), scratch)
  }

  private static func shell(_ script: String, _ scratch: Scratch) throws -> Program.Answer {
    let java = javaHome.map { "export JAVA_HOME='\($0)'; " } ?? ""
    return try Program.shell(java + script, in: scratch)
  }
}
