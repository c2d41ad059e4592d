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

  /// The rows of its tables: rule, file, named symbol, test.
  private static func rows() throws -> [(rule: String, file: String, name: String, test: String)] {
    try page().split(separator: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 3, cells[0].hasPrefix("| "), cells[1].contains("`: `") else {
        return nil
      }
      let code = cells[1].components(separatedBy: "`: `")
      return (
        String(cells[0].dropFirst(2)), String(code[0].dropFirst()), String(code[1].dropLast()),
        String(cells[2].dropLast(2))
      )
    }
  }

  @Test("Each rule's code is where the page says, and its test has the name that it says")
  func complete() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 55)
    let tests = try Self.swift(in: "Tests")
    for row in rows {
      let text = ["Sources", "Tests"].lazy.compactMap { folder in
        try? String(
          contentsOf: Self.root.appendingPathComponent("\(folder)/\(row.file)"), encoding: .utf8)
      }.first
      #expect(text?.contains(row.name) == true, "\(row.rule): '\(row.name)' is not in \(row.file)")
      #expect(
        strstr(tests, "\"\(row.test)\"") != nil, "\(row.rule): there is no test '\(row.test)'")
    }
  }

  @Test("Each row of the texts has a rule of the tables above it")
  func texts() throws {
    let page = try Self.page()
    let section = try #require(page.components(separatedBy: "## The texts, row by row").last)
    let rows = section.split(separator: "\n").compactMap { line -> (String, String)? in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 2, cells[0].hasPrefix("| "), cells[0] != "| the texts",
        cells[0] != "| ---"
      else { return nil }
      return (String(cells[0].dropFirst(2)), String(cells[1].dropLast(2)))
    }
    let rules = Set(try Self.rows().map(\.rule))
    for (text, rule) in rows {
      #expect(rules.contains(rule), "\(text): there is no rule '\(rule)'")
    }
    // Rows and sentences of its four sections: states, location, running longer, eras.
    #expect(Set(rows.map(\.0)).count >= 65)
    let sections = ["App states", "Location", "Running longer", "Eras"]
    #expect(
      rows.map(\.0).compactMap { row in sections.first { row.hasPrefix($0 + ":") } } == sections)
  }

  @Test("Each reason to wake an app is in the table of what may wake one")
  func reasons() throws {
    let terms = try String(
      contentsOf: Self.root.appendingPathComponent("Sources/Logic/AppLifecycle/WakeTerms.swift"),
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
