// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Whether there is a Python to run the tool with.
private let hasPython = (try? Program.shell("python3 --version", in: Scratch()))?.code == 0

@Suite("Tools/check-filter", .enabled(if: hasPython, "python3 is not installed"))
struct FilterTableTests {
  @Test("Its exit code is what its table says, and nothing is excused without a figure of a bound")
  func honest() throws {
    let scratch = try Scratch()
    let tool = Package.root.appendingPathComponent("Tools/check-filter").path
    let figures = scratch.path("figures.jsonl")
    let answer = try Program.shell(
      "'\(tool)' \"$MILEPOST\" --quick --json '\(figures)'", in: scratch)
    let lines = try scratch.read("figures.jsonl").split(separator: "\n")
    var verdicts: [String] = []
    for line in lines {
      let figure = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let verdict = try #require(figure["verdict"] as? String)
      if figure["judges"] as? Bool == true { verdicts.append(verdict) }
      guard let value = figure["value"] as? Double, let must = figure["must"] as? Double else {
        #expect(verdict == "–" || figure["must"] is NSNull)
        continue
      }
      let isWithin = value <= must + 1e-9
      #expect(isWithin == (verdict == "pass"), "\(line)")
      if verdict == "excused" { #expect(figure["excuse"] is String, "\(line)") }
    }
    #expect(verdicts.count > 20)
    #expect(answer.code == (verdicts.contains("fail") ? 1 : 0), "\(answer.errors)")
    #expect(answer.output.contains("tracker-lora-m10: receiver only"))
    #expect(answer.output.contains("FAIL") == verdicts.contains("fail"))
  }
}
