// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Replay
import Reports
import ServiceContract
import Testing

@Suite("The page about scenarios")
struct ScenarioPageTests {
  private func page(_ name: String = "Scenarios") throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent(
        "Sources/Programs/milepost/Milepost.docc/\(name).md"),
      encoding: .utf8)
  }

  private func table<Meaning>(_ phrases: [Phrase<Meaning>]) -> String {
    "| sentence | what it does |\n| --- | --- |\n"
      + phrases.map { "| `\($0.pattern)` | \($0.about) |\n" }.joined()
  }

  @Test("It has every sentence that an app or a user can say, as the reader's table has it")
  func sentences() throws {
    let steps = table(AppStep.phrases)
    let acts = table(Happening.phrases)
    typealias Claim = Replay.Expectation.Claim
    let claims = table(Claim.ofApps + Claim.ofSinks + Claim.ofDevices)
    #expect(
      try page("Test-your-apps-background-life-in-CI").contains(claims),
      "put this into the page about tests:\n\(claims)")
    #expect(try page().contains(steps), "put this into Scenarios.md:\n\(steps)")
    #expect(try page().contains(acts), "put this into Scenarios.md:\n\(acts)")
  }

  @Test("It names each thing that can happen to an app")
  func triggers() throws {
    let page = try page()
    for trigger in AppTrigger.allCases {
      #expect(page.contains("`on \(trigger.rawValue)`"), "on \(trigger.rawValue)")
    }
  }
}
