// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Whether there is a Python to make variants with.
private let hasPython = (try? Program.shell("python3 --version", in: Scratch()))?.code == 0

@Suite("Fuzzed traces", .enabled(if: hasPython, "python3 is not installed"))
struct FuzzedTraceTests {
  private func tool(_ name: String) -> String {
    Package.root.appendingPathComponent("Tools/\(name)").path
  }

  private func trace(_ name: String) -> String {
    Package.root.appendingPathComponent("Traces/\(name)").path
  }

  @Test(
    "Every fault of a trace reads with totals that add up, and is survived in every mode",
    arguments: ["cold-start.nmea", "bus.gpsd.json", "flight-antimeridian.gpx", "walk.truth.csv"])
  func matrix(name: String) throws {
    let scratch = try Scratch()
    let folder = scratch.path("fuzzed")
    let made = try Program.shell(
      "'\(tool("fuzz-trace"))' --all '\(trace(name))' --into '\(folder)'", in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    let variants = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.contains("+") && !$0.hasSuffix(".truth.csv") || name.hasSuffix(".truth.csv") }
      .filter { !$0.hasSuffix(".truth.truth.csv") }
    // Nine faults alone and three combinations.
    #expect(variants.count >= 12, "\(variants)")
    for variant in variants where variant.contains("+") {
      let path = folder + "/" + variant
      let info = try Program.run(["info", "--json", path], in: scratch)
      let document = try #require(try info.documents().first)
      let skipped = (document["skipped"] as? [String: Int] ?? [:]).values.reduce(0, +)
      #expect(document["read"] as? Int == (document["used"] as? Int ?? -1) + skipped, "\(variant)")
      let compared = try Program.run(
        ["compare", "--worlds", "1", "--json", path] + scratch.world("fix_loss: 0.1"),
        in: scratch)
      #expect(compared.code == 0, "\(variant): \(compared.errors)")
      let runs = try compared.documents().first?["runs"] as? [[String: Any]] ?? []
      #expect(runs.count >= 5, "\(variant)")
    }
  }

  @Test("The same seed makes the same bytes, another one others, and the truth stays as it was")
  func seeds() throws {
    let scratch = try Scratch()
    func variant(_ seed: Int, _ file: String) throws -> String {
      let made = try Program.shell(
        "'\(tool("fuzz-trace"))' '\(trace("walk.nmea"))' jumps loss=0.3 --seed \(seed) "
          + "--out '\(scratch.path(file))'", in: scratch)
      #expect(made.code == 0, "\(made.errors)")
      return try scratch.read(file)
    }
    let first = try variant(7, "a.nmea")
    #expect(try variant(7, "b.nmea") == first)
    #expect(try variant(8, "c.nmea") != first)
    let truth = try String(contentsOfFile: trace("walk.truth.csv"), encoding: .utf8)
    #expect(try scratch.read("a.truth.csv") == truth)
    // 30 % of 2,640 epochs of RMC, in bursts of five.
    let clean = try String(contentsOfFile: trace("walk.nmea"), encoding: .utf8)
    let share = Double(lines("RMC", in: first)) / Double(lines("RMC", in: clean))
    #expect(abs(share - 0.7) < 0.06, "\(share)")
  }

  private func lines(_ kind: String, in text: String) -> Int {
    text.components(separatedBy: "$GP\(kind),").count - 1
  }

  @Test("Jumps are removed again: the way of a jumping walk is that of the clean one")
  func jumps() throws {
    let scratch = try Scratch()
    _ = try Program.shell(
      "'\(tool("fuzz-trace"))' '\(trace("walk.nmea"))' jumps=6 --out '\(scratch.path("a.nmea"))'",
      in: scratch)
    func distance(_ path: String) throws -> Double {
      let answer = try Program.run(
        ["compare", "--worlds", "1", "--json", "--truth", "none", path], in: scratch)
      let document = try #require(try answer.documents().first)
      return try #require((document["trace"] as? [String: Any])?["distance_m"] as? Double)
    }
    let clean = try distance(trace("walk.nmea"))
    #expect(abs(try distance(scratch.path("a.nmea")) / clean - 1) < 0.02)
  }

  @Test("What is wrong with a request is said in one line")
  func errors() throws {
    let scratch = try Scratch()
    for (arguments, message) in [
      ("'\(trace("walk.nmea"))' holes", "there is no fault 'holes'; known: jumps, drift"),
      ("'\(trace("walk.nmea"))' loss=2", "loss=2: '2' is not an amount"),
      ("'\(trace("README.md"))' loss", "README.md: neither GPX, NMEA, gpsd JSON nor CSV"),
    ] {
      let answer = try Program.shell("'\(tool("fuzz-trace"))' \(arguments)", in: scratch)
      #expect(answer.code == 2)
      #expect(answer.errors.hasPrefix("fuzz-trace: \(message)"), "\(answer.errors)")
    }
  }
}
