// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Many traces, of which some fail")
struct FailedTracesTests {
  private let good = Package.trace("walk.nmea")
  private let other = Package.trace("cold-start.nmea")

  /// A trace without a fix, and the path of none.
  private func bad(_ scratch: Scratch) throws -> [String] {
    [try scratch.write("empty.gpx", "<gpx></gpx>"), scratch.path("missing.gpx")]
  }

  @Test("The others are compared, and what failed is told at the end, with exit code 2")
  func text() throws {
    let scratch = try Scratch()
    let bad = try bad(scratch)
    let few = ["--worlds", "1"]
    let answer = try Program.run(["compare"] + few + [bad[0], good, bad[1], other])
    #expect(answer.code == 2)
    #expect(answer.output == (try Program.run(["compare"] + few + [good, other])).output)
    let told = answer.errors.split(separator: "\n").map(String.init)
    #expect(told.count == 3)
    #expect(told[0].hasPrefix("milepost: error: \(bad[0]): no fix in this trace"))
    #expect(told[1].hasPrefix("milepost: error: \(bad[1]): "))
    #expect(
      told[2] == "milepost: error: 2 of 4 traces failed; what is told is of the others")
    // A single one is the command's own fault, as ever.
    let alone = try Program.run(["compare", bad[0]])
    #expect(alone.code == 2 && alone.output.isEmpty)
    #expect(alone.errors.split(separator: "\n").count == 1)
    let all = try Program.run(["compare"] + bad)
    #expect(all.code == 2 && all.output.isEmpty && all.errors.contains("2 of 2 traces failed"))
  }

  @Test("Documents, their total and a partial line are those of the others")
  func documents() throws {
    let scratch = try Scratch()
    let bad = try bad(scratch)
    let few = ["--worlds", "1"]
    for form in ["--json", "--csv", "--partial"] {
      let answer = try Program.run(["compare", form] + few + [good, bad[0], other, bad[1]])
      #expect(answer.code == 2)
      #expect(answer.output == (try Program.run(["compare", form] + few + [good, other])).output)
      #expect(answer.errors.contains("2 of 4 traces failed"))
    }
    let page = scratch.path("page.html")
    let drawn = try Program.run(["compare", "--html", page] + few + [good, bad[0]])
    #expect(drawn.code == 2 && FileManager.default.fileExists(atPath: page))
    let eras = try Program.run(["compare", "--era", "all", bad[0], good])
    #expect(eras.code == 2 && eras.output.contains("walk.nmea"))
    let info = try Program.run(["info", bad[0], good])
    #expect(info.code == 1, "a trace without a fix has an answer there")
    let infos = try Program.run(["info", bad[1], good])
    #expect(infos.code == 2 && infos.errors.contains("1 of 2 traces failed"))
  }

  @Test("What concerns all of them ends the command at once")
  func shared() throws {
    let scratch = try Scratch()
    let towers = try scratch.write("towers.csv", "no list of towers\n")
    let answer = try Program.run(
      ["compare", "--worlds", "1"] + scratch.world("towers: \(towers)") + [good, other])
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(!answer.errors.contains("traces failed"), "\(answer.errors)")
    #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
  }
}
