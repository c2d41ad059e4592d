// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Tools/fleet on a local Apache Spark. `PYSPARK_PYTHON` names the Python that has PySpark, as for Spark itself.
@Suite(
  "A fleet on Apache Spark",
  .enabled(if: Spark.missing == nil, "\(Spark.missing ?? "")"))
struct FleetTests {
  /// `milepost` with faults by the name of a trip: one hangs, one ends it always, one the first time.
  private static func faulty(_ scratch: Scratch) throws -> String {
    let path = try scratch.write(
      "faulty",
      """
      #!/usr/bin/env python3
      import json, os, subprocess, sys, time
      program, marker = "\(Program.path)", "\(scratch.path("killed"))"
      if "--stream" not in sys.argv:
          os.execv(program, [program, *sys.argv[1:]])
      real = subprocess.Popen([program, *sys.argv[1:]], stdin=subprocess.PIPE)
      while line := sys.stdin.buffer.readline():
          name = json.loads(line)["name"] if line.strip() else ""
          data = sys.stdin.buffer.read(json.loads(line)["bytes"]) if name else b""
          if "hangs" in name:
              time.sleep(1000)
          if "dies" in name or "killed" in name and not os.path.exists(marker):
              open(marker, "w").close()
              real.kill()
              os.kill(os.getpid(), 9)
          real.stdin.write(line + data)
          real.stdin.flush()
      real.stdin.close()
      sys.exit(real.wait())

      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test(
    "Killed and hanging workers, a duplicate, a trip that is cut off: the total is that of one process, byte for byte",
    .timeLimit(.minutes(10)))
  func faults() throws {
    let scratch = try Scratch()
    let cut = try Program.shell(
      "'\(Package.root.appendingPathComponent("Tools/cut-trips").path)' 12 60 '\(scratch.path("trips"))'",
      in: scratch)
    #expect(cut.code == 0, "\(cut.errors)")
    let trips = try FileManager.default.contentsOfDirectory(atPath: scratch.path("trips")).sorted()
    let first = try String(contentsOfFile: scratch.path("trips/\(trips[0])"), encoding: .utf8)
    let moved = { (hour: String) in first.replacing("T0", with: "T\(hour)") }
    _ = try scratch.write("trips/twice.csv", first)
    _ = try scratch.write("trips/killed.csv", moved("1"))
    _ = try scratch.write("trips/hangs.csv", first + "\n")
    _ = try scratch.write("trips/dies.csv", first + "\n\n")
    _ = try scratch.write("trips/cut.gpx", "<gpx><trk><trkseg><trkpt lat=\"45\" lon=")
    let alone = try Program.run(
      ["compare", "--json", "--worlds", "1"]
        + (trips + ["killed.csv"]).map { scratch.path("trips/\($0)") })
    let total = try #require(alone.output.split(separator: "\n").last.map { $0 + "\n" })
    let words = [
      "--milepost", try Self.faulty(scratch), "--master", "local[2]", "--trip-seconds", "20",
      "--wave", "6", "--json", "--out", scratch.path("out"), scratch.path("trips"), "--",
      "--worlds",
      "1",
    ]
    let answer = try Spark.fleet(words, in: scratch)
    #expect(answer.code == 3, "\(answer.errors)")
    #expect(answer.output == total)
    #expect(answer.errors.contains(" 1 duplicates left out"), "\(answer.errors)")
    #expect(answer.errors.contains("; 3 rejects\n"), "\(answer.errors)")
    // What a stop leaves: one wave without its sums. The rest is not judged again.
    let waves = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out/partials"))
    let wave = try #require(waves.first { $0.hasPrefix("wave=") })
    try FileManager.default.removeItem(atPath: scratch.path("out/partials/\(wave)"))
    let again = try Spark.fleet(words, in: scratch)
    #expect(again.output == total, "\(again.errors)")
    #expect(again.errors.contains(": done before\n"))
    var others = words
    others[others.count - 1] = "2"
    let refused = try Spark.fleet(others, in: scratch)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("; name another folder\n"), "\(refused.errors)")
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
