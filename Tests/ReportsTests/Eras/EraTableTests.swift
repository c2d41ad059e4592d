// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Reports
import Testing

@Suite("The page about eras")
struct EraTableTests {
  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent(
        "Sources/Programs/milepost/Milepost.docc/Scenarios.md"),
      encoding: .utf8)
  }

  @Test("Its table is what the code makes of the eras")
  func table() throws {
    #expect(
      try page().contains(EraTable.markdown), "put this into Scenarios.md:\n\(EraTable.markdown)")
  }

  @Test("Every field of an era but its name has its row, and no row stands for anything else")
  func complete() {
    let fields = Mirror(reflecting: Era.usual).children.compactMap(\.label).filter { $0 != "name" }
    #expect(Set(EraRule.all.map(\.field)) == Set(fields))
    #expect(EraRule.all.count == fields.count)
  }

  @Test("It says which era counts where nobody says otherwise")
  func usual() throws {
    #expect(try page().contains("`\(Era.usual.name)` counts where nobody says otherwise"))
  }

  @Test("Neighbouring eras differ in something; the last two in the location push of iOS 15 alone")
  func differences() {
    func values(_ era: Era) -> [String] { EraRule.all.map { $0.text(in: era) } }
    #expect(values(.ios4) != values(.ios7))
    #expect(values(.ios7) != values(.ios13))
    let changed = EraRule.all.filter { $0.text(in: .ios13) != $0.text(in: .today) }
    #expect(changed.map(\.field) == ["wakesOnLocationPush"])
  }
}

/// The changes of an era, as the documentation shows them: one row per rule, one column per era.
private enum EraTable {
  /// The table in Markdown, with a line feed at its end.
  static var markdown: String {
    let eras = Era.all
    var text = "| rule | key |" + eras.map { " `\($0.name)` |" }.joined() + " from |\n"
    text += "| --- | --- |" + eras.map { _ in " --- |" }.joined() + " --- |\n"
    for rule in EraRule.all {
      text += "| \(rule.words) | `\(rule.key)` |" + eras.map { " \(rule.text(in: $0)) |" }.joined()
      text += " \(rule.source) |\n"
    }
    return text
  }
}
