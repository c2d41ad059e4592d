// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("A name that would steer a terminal is not sent to it as it is")
struct ForeignNameTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("In an error")
  func steeringName() throws {
    let path = try scratch.write("a\u{1B}[31mb.gpx", "x")
    let answer = try Program.run(["info", path])
    #expect(answer.code == 2)
    #expect(answer.errors.hasPrefix("milepost: error: a?[31mb.gpx: text in no known"))
  }

  @Test(
    "In a report",
    arguments: [
      ["info"], ["compare"], ["compare", "--csv"], ["compare", "--details"],
    ])
  func steeringReport(command: [String]) throws {
    let path = scratch.path("a\u{1B}[31mb.nmea")
    try FileManager.default.copyItem(atPath: Package.trace("walk.nmea"), toPath: path)
    let worlds = command == ["info"] ? [] : ["--worlds", "1"]
    let answer = try Program.run(command + worlds + [path])
    #expect(answer.output.contains("a?[31mb.nmea") && !answer.output.contains("\u{1B}"))
  }
}
