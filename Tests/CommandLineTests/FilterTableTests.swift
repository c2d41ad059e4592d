// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Whether there is a Python to run the tool with.
private let hasPython = (try? Program.shell("python3 --version", in: Scratch()))?.code == 0

@Suite("Tools/check-filter", .enabled(if: hasPython, "python3 is not installed"))
struct FilterTableTests {
  private static let tool = Package.root.appendingPathComponent("Tools/check-filter").path

  /// A figure of the table, in the form of `--json`.
  private struct Figure: Decodable {
    let world: String
    let figure: String
    let value: Double?
    let interval: [Double]?
    let must: Double?
    let verdict: String
    let bound: Double?
    let excess: Double?
  }

  /// The table of ten train rides on the tracker.
  private func table(
    of program: String, in scratch: Scratch
  ) throws -> (code: Int32, output: String, figures: [Figure]) {
    let answer = try Program.shell(
      "'\(Self.tool)' \(program) --short --kind rail --device tracker-lora-m10 --json '\(scratch.path("figures"))'",
      in: scratch)
    let lines = try scratch.read("figures").split(separator: "\n")
    return (
      answer.code, answer.output + answer.errors,
      try lines.map { try JSONDecoder().decode(Figure.self, from: Data($0.utf8)) }
    )
  }

  /// A program that reports four crossings for each trace: 2, 4 and 6 s late, each a second later than possible, and
  /// one missed.
  private func program(energy: Double, in scratch: Scratch) throws -> String {
    let crossings = ["2", "4", "6", "null"].map {
      #"{"decided_by":"interval","latency_s":\#($0),"overshoot_m":null,"earliest_s":1,"earliest_m":null}"#
    }
    let document = """
      {"trace":{"judged_s":1000},"runs":[{"energy_j":\(energy),"gnss_on_s":50,
      "spurious":0,"sessions":8,"sessions_per_event":1.5,"events_moving":4,
      "causal":{"energy_j":4},"optimum":{"energy_j":2.5,"events":5},
      "components":[{"component":"sensor","energy_j":1},{"component":"gnss","energy_j":9}],
      "crossing_list":[\(crossings.joined(separator: ","))]}]}
      """
    _ = try scratch.write("answer.json", document)
    let path = try scratch.write("fake", "#!/bin/sh\ncat '\(scratch.path("answer.json"))'\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return "'\(path)'"
  }

  @Test("Figures are pooled over the trips, and what no chance explains fails")
  func pooled() throws {
    let scratch = try Scratch()
    let answer = try table(of: program(energy: 10, in: scratch), in: scratch)
    func figure(_ name: String) throws -> Figure {
      try #require(answer.figures.first { $0.figure == name && $0.world == "as usual" })
    }
    func expect(_ name: String, _ value: Double, _ verdict: String = "") throws {
      let found = try figure(name)
      #expect(found.value.map { abs($0 - value) < 1e-9 } == true, "\(name): \(found)")
      #expect(found.verdict == verdict, "\(name): \(found)")
    }
    // Ten identical trips: an interval has no width.
    try expect("crossings", 40)
    try expect("missed", 25, "FAIL")
    try expect("latency p50", 4)
    try expect("latency p95", 6, "pass")
    try expect("looks", 1.5)
    try expect("receiver on", 5)
    try expect("energy", 10)
    // The armed sensor's 1 J is the careful one's too; the clairvoyant needs none.
    try expect("× careful", 10.0 / 5, "FAIL")
    try expect("× clairvoyant", 10 / 2.5)
    // 25 mJ a second, 12 s of lateness and 300 s for the missed one; five events.
    try expect("J per event", (10 + 0.025 * 312) / 5)
    try expect("gap", 100 * (17.8 / (5 + 0.025 * 4) - 1))
    // None in 10,000 s: up to 3 of them may have been due.
    try expect("spurious", 0, "pass?")
    let spurious = try figure("spurious")
    #expect(spurious.interval?.last.map { abs($0 - 3 * 8.64) < 1e-9 } == true)
    #expect(answer.code == 1 && answer.output.contains("FAIL tracker-lora-m10, rail: × careful"))
  }

  @Test("Its exit code is what its verdicts say, and these what value, interval and bound say")
  func verdicts() throws {
    let scratch = try Scratch()
    let answer = try table(of: Program.path(of: "filter-lab"), in: scratch)
    let judged = answer.figures.filter { $0.must != nil && $0.value != nil }
    #expect(judged.count >= 4, "\(answer.output)")
    for figure in judged {
      let value = try #require(figure.value)
      let must = try #require(figure.must)
      let ends = figure.interval ?? [-.infinity, .infinity]
      let expected =
        if value <= must {
          ends[1] <= must ? "pass" : "pass?"
        } else if let bound = figure.bound, let excess = figure.excess, bound > must, excess <= must
        {
          "bound"
        } else {
          ends[0] > must ? "FAIL" : "fail?"
        }
      #expect(figure.verdict == expected, "\(figure)")
    }
    #expect(answer.code == (judged.contains { $0.verdict == "FAIL" } ? 1 : 0), "\(answer.output)")
  }

  @Test("What the program does not know is told, and no table is shown")
  func refused() throws {
    let scratch = try Scratch()
    let answer = try Program.shell(
      "'\(Self.tool)' \(Program.path(of: "filter-lab")) --policy none", in: scratch)
    #expect(answer.code == 1 && answer.output.isEmpty)
    #expect(answer.errors.contains("there is no policy 'none'"))
  }
}
