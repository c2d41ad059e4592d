// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("It shows what the program prints, up to the first footnote")
  func output() throws {
    let answer = try Program.run(["Traces/commute-day.gpx"])
    let shown = answer.output
    #expect(shown.contains(" The way within 100 m:"))
    let readme = try text(of: "README.md")
    #expect(readme.contains(shown), "put this into README.md:\n\(shown)")
  }

  @Test("Its excerpt of a life is a part of what the scenario prints")
  func excerpt() throws {
    let lives = try text(of: "Tests/CommandLineTests/Golden/timeline-voip.txt")
    let blocks = try text(of: "README.md").components(separatedBy: "```")
    let shown = try #require(blocks.first { $0.hasPrefix("text\n06:") }).dropFirst("text\n".count)
    #expect(lives.contains(shown), "the lines are not in timeline-voip.txt:\n\(shown)")
  }

  @Test("Its failure of a test is a part of what a broken scenario prints")
  func failure() throws {
    let said = try text(of: "Tests/CommandLineTests/Golden/test-broken-reminders.txt")
    let blocks = try text(of: "README.md").components(separatedBy: "```")
    let shown = try #require(blocks.first { $0.hasPrefix("text\n  FAILED") })
      .dropFirst("text\n".count)
    #expect(said.contains(shown), "the lines are not in test-broken-reminders.txt:\n\(shown)")
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: Package.root.appendingPathComponent(path), encoding: .utf8)
  }
}
