// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@Suite("The page Where each rule stands")
struct RulesPageTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func page() throws -> String {
    try String(
      contentsOf: root.appendingPathComponent(
        "Sources/Programs/milepost/Milepost.docc/Where-each-rule-stands.md"), encoding: .utf8)
  }

  /// Its rules, in order, each with its file and the symbol that is named there: `- Rule (`file`: `symbol`)`.
  private static func rows() throws -> [(rule: String, file: String, name: String)] {
    try page().split(separator: "\n- ").compactMap { item in
      let text = item.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
      guard let match = text.firstMatch(of: /^(.+) \(`(\S+)`: `(.+?)`\)/) else { return nil }
      return (String(match.1), String(match.2), String(match.3))
    }
  }

  @Test("Each rule's code is where the page says, and each rule has a test")
  func complete() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 90)
    for row in rows {
      let text = ["Sources", "Tests"].lazy.compactMap { folder in
        try? String(
          contentsOf: Self.root.appendingPathComponent("\(folder)/\(row.file)"), encoding: .utf8)
      }.first
      #expect(text?.contains(row.name) == true, "\(row.rule): '\(row.name)' is not in \(row.file)")
    }
    #expect(rows.map(\.rule) == RuleEvidence.tests.map(\.subject))
    let tests = try Self.swift(in: "Tests")
    for (rule, test) in RuleEvidence.tests {
      #expect(strstr(tests, "\"\(test)\"") != nil, "\(rule): there is no test '\(test)'")
    }
  }

  @Test("Each row of the texts has a rule of the page")
  func texts() throws {
    let rules = Set(try Self.rows().map(\.rule))
    for (text, rule) in RuleEvidence.texts {
      #expect(rules.contains(rule), "\(text): there is no rule '\(rule)'")
    }
    // Rows and sentences of its four sections: states, location, running longer, eras.
    #expect(Set(RuleEvidence.texts.map(\.subject)).count >= 65)
    let sections = ["App states", "Location", "Running longer", "Eras"]
    #expect(
      RuleEvidence.texts.map(\.subject).compactMap { row in
        sections.first { row.hasPrefix($0 + ":") }
      } == sections)
  }

  @Test("Each reason to wake an app is in the table of what may wake one")
  func reasons() throws {
    let terms = try String(
      contentsOf: Self.root.appendingPathComponent(
        "Sources/Logic/LocationEngine/LifeCycle/WakeTerms.swift"),
      encoding: .utf8)
    let head = try #require(terms.components(separatedBy: "\n/// ").first)
    for word in [
      "location", "region", "visit", "motion", "fetch", "push", "newsstand", "keep-alive", "socket",
      "accessory", "bluetooth", "boot", "crash",
    ] {
      #expect(head.contains(word), "\(word)")
    }
  }

  private static func swift(in folder: String) throws -> String {
    let base = root.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      text += try String(contentsOf: file, encoding: .utf8)
    }
    return text
  }
}
