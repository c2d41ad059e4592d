// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Workers that stay")
struct WorkersTests {
  @Test(
    "Whatever ends them, every trip counts once; only one that hangs is rejected, not one that waits",
    .timeLimit(.minutes(5)))
  func faults() throws {
    let scratch = try Scratch()
    let answer = try Program.shell(
      "TMPDIR='\(scratch.path("."))' python3 '\(Fleet.fault("workers.py"))' '\(Fleet.tools)'",
      in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
  }
}

/// Tools/fleet on a local Apache Spark. `PYSPARK_PYTHON` names the Python that has PySpark, as for Spark itself.
@Suite(
  "A fleet on Apache Spark", .serialized,
  .enabled(if: Fleet.missing == nil, "\(Fleet.missing ?? "")"))
struct FleetTests {
  /// Short trips, one that ends within a point, another of the same content, and four with faults; the total of one
  /// process over the good.
  private static func trips(_ scratch: Scratch) throws -> (folder: String, total: String) {
    let folder = scratch.path("trips")
    let cut = try Program.shell("'\(Fleet.tools)/cut-trips' 12 60 '\(folder)'", in: scratch)
    #expect(cut.code == 0, "\(cut.errors)")
    let trips = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let first = try String(contentsOfFile: "\(folder)/\(trips[0])", encoding: .utf8)
    let killed = "killed [1] {a,b}*.csv"
    let whole = try String(contentsOfFile: Package.trace("car-commute.gpx"), encoding: .utf8)
    for (name, text) in [
      "torn.gpx": String(whole.prefix(20_000)),
      "twice.csv": first, killed: first.replacing("T0", with: "T1"), "hangs.csv": first + "\n",
      "dies.csv": first + "\n\n", "cut.gpx": "<gpx><trk><trkseg><trkpt lat=\"45\" lon=",
    ] {
      _ = try scratch.write("trips/\(name)", text)
    }
    let alone = try Program.run(
      ["compare", "--json", "--worlds", "1"]
        + (trips + [killed, "torn.gpx"]).map { "\(folder)/\($0)" })
    return (folder, try #require(alone.output.split(separator: "\n").last.map { $0 + "\n" }))
  }

  @Test(
    "Killed workers and driver, a hang, a duplicate, a trip cut off, few partitions or many: the total of one process",
    .timeLimit(.minutes(15)))
  func faults() throws {
    let scratch = try Scratch()
    let (trips, total) = try Self.trips(scratch)
    func words(_ out: String, _ more: [String], worlds: Int = 1) -> [String] {
      ["--milepost", Fleet.fault("faulty.py"), "--json", "--trip-seconds", "5"] + more
        + ["--out", scratch.path(out), trips, "--", "--worlds", "\(worlds)"]
    }
    func expectTotal(_ answer: Program.Answer) {
      #expect(answer.code == 3, "\(answer.errors)")
      #expect(answer.output == total, "\(answer.errors)")
      #expect(answer.errors.contains(" 1 duplicates left out"), "\(answer.errors)")
      #expect(answer.errors.contains("; 3 rejects\n"), "\(answer.errors)")
      #expect(answer.errors.contains("fleet: 1 of the trips are odd"), "\(answer.errors)")
    }
    let first = words("first", ["--master", "local[2]", "--wave", "4"])
    // The driver dies behind its first wave, with all that it started.
    let killed = try Fleet.run(first, in: scratch, killedAt: "wave 1 of")
    #expect(killed.code == 137, "\(killed.errors)")
    let resumed = try Fleet.run(first, in: scratch)
    expectTotal(resumed)
    #expect(resumed.errors.contains(": done before\n"), "\(resumed.errors)")
    // One wave of small partitions, one core, and the program handed over.
    expectTotal(
      try Fleet.run(
        words(
          "second",
          [
            "--master", "local[1]", "--files", "--conf", "spark.sql.files.maxPartitionBytes=8000",
            "--conf", "spark.sql.files.openCostInBytes=0",
          ]),
        in: scratch))
    let refused = try Fleet.run(words("first", ["--wave", "4"], worlds: 2), in: scratch)
    #expect(refused.code == 2)
    #expect(
      refused.errors.hasSuffix(
        "fleet: \(scratch.path("first")): made with [\"\(trips)\", 4, \"compare\", \"--worlds\", \"1\"], not "
          + "[\"\(trips)\", 4, \"compare\", \"--worlds\", \"2\"]; name another folder\n"),
      "\(refused.errors)")
  }
}

/// Tools/fleet, PySpark and the Java that it runs on.
enum Fleet {
  static let tools = Package.root.appendingPathComponent("Tools").path
  private static let variables = ProcessInfo.processInfo.environment
  private static let python = variables["PYSPARK_PYTHON"] ?? "/usr/bin/python3"

  /// A file of Tests/CommandLineTests/Fleet.
  static func fault(_ name: String) -> String {
    Package.root.appendingPathComponent("Tests/CommandLineTests/Fleet/\(name)").path
  }

  /// What is missing, in words; `nil` if nothing is.
  static let missing: String? = {
    guard let scratch = try? Scratch() else { return "there is no temporary folder" }
    guard (try? shell("command -v java || test -x \"$JAVA_HOME/bin/java\"", scratch))?.code == 0
    else { return "there is no Java, on which Spark runs (default-jre-headless)" }
    guard (try? shell("'\(python)' -c 'import pyspark'", scratch))?.code == 0 else {
      return "\(python) has no PySpark (pip install pyspark; PYSPARK_PYTHON names another Python)"
    }
    return nil
  }()

  /// Runs it to its end, or kills it and all that it started once it says `words`.
  static func run(
    _ arguments: [String], in scratch: Scratch, killedAt words: String? = nil
  ) throws -> Program.Answer {
    let command = ([python, "\(tools)/fleet"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    guard let words else { return try shell(command, scratch) }
    return try shell(
      """
      setsid \(command) 2> said & fleet=$!
      until grep -q '\(words)' said || ! kill -0 $fleet; do sleep 0.1; done
      kill -9 -- -$fleet; wait $fleet; code=$?; cat said >&2; exit $code
      """, scratch)
  }

  private static func shell(_ script: String, _ scratch: Scratch) throws -> Program.Answer {
    let java = variables["JAVA_HOME"].map { "export JAVA_HOME='\($0)'; " } ?? ""
    return try Program.shell(
      "cd '\(scratch.path("."))'; export SPARK_LOCAL_IP=127.0.0.1 FAULTS=\"$PWD\"; \(java)\(script)",
      in: scratch)
  }
}
