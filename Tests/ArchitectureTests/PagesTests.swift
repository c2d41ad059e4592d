// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The pages say what is there")
struct PagesTests {
  private static let catalog = "Sources/Programs/milepost/Milepost.docc"

  private static let pages =
    [
      "README.md", "Traces/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md",
      "Sources/python-client/README.md",
    ] + Repository.paths(in: catalog, endingIn: [".md"])

  private static func name(of path: String) -> String {
    String(path.split(separator: "/").last?.dropLast(3) ?? "")
  }

  private func decisions() throws -> [DecisionRecord] {
    try Repository.paths(in: Self.catalog + "/Decisions", endingIn: [".md"])
      .map { DecisionRecord(name: Self.name(of: $0), text: try Repository.text(of: $0)) }
  }

  @Test("Each suite that the limits, or the threats, are said to be tested by is there")
  func suites() throws {
    let there = Set(Repository.paths(in: "Tests", endingIn: ["Tests.swift"]).map(Self.file))
    for page in [Self.catalog + "/Running-the-service.md", ".github/SECURITY.md"] {
      let words = try Repository.text(of: page).split(whereSeparator: { "`|, ()\n".contains($0) })
      let named = words.map(String.init).filter { $0.hasSuffix("Tests") && !$0.contains("*") }
      #expect(named.count > 5, "\(page)")
      for suite in named {
        let file = suite.split(separator: "/").last.map(String.init) ?? suite
        let isFolder = Repository.paths(in: "Tests/" + file, endingIn: [".swift"]).isEmpty == false
        #expect(there.contains(file) || isFolder, "\(page): there is no \(suite)")
      }
    }
  }

  @Test("Who is told to depend on Milepost is told how to fetch nothing else")
  func dependencies() throws {
    for page in Self.pages {
      let text = try Repository.text(of: page)
      for line in text.split(separator: "\n") where line.contains(".package(") {
        #expect(line.contains("traits: []"), "\(page): \(line)")
      }
    }
  }

  private static func file(_ path: String) -> String {
    path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? path
  }

  @Test("Each decision has a number of its own, a summary and the sections, in 150 to 350 words")
  func records() throws {
    let records = try decisions()
    #expect(Set(records.map(\.number)).count == records.count)
    for record in records {
      let name = "\(record.name)"
      #expect(
        record.title.hasPrefix("# \(record.number): "), "\(name): its title begins with its number")
      #expect(record.summary != nil, "\(name): one sentence below the title says what was decided")
      let sections = DecisionRecord.sections
      #expect(
        record.headings == sections || record.headings == sections + [DecisionRecord.history],
        "\(name): \(record.headings)")
      #expect(
        DecisionRecord.lengths.contains(record.length), "\(name) has \(record.length) words")
    }
  }

  @Test("The overview lists each decision once, by its title")
  func overview() throws {
    let listed = try Repository.text(of: Self.catalog + "/Decisions.md")
      .split(separator: "\n").filter { $0.hasPrefix("- ") }.map(String.init)
    let expected = try decisions().map {
      "- [\($0.title.dropFirst(2))](Decisions/\($0.name).md)"
    }
    #expect(listed.sorted() == expected.sorted())
  }

  @Test("Every link between pages, and from a page to a file, leads somewhere")
  func links() throws {
    for page in Self.pages {
      let text = try Repository.text(of: page)
      let folder = Repository.root.appending(path: page).deletingLastPathComponent()
      #expect(!text.contains("<doc:"), "\(page): write [title](Page.md), which works everywhere")
      for match in text.matches(of: /(?:\]\(|src=")([^)"#\s]+)/) where !match.1.contains("://") {
        let file = folder.appending(path: String(match.1)).standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: file.path), "\(page): there is no \(match.1)")
      }
    }
  }

  @Test("A drawing has at most the 105 columns that the site shows in a window of 1,280 pixels")
  func drawings() throws {
    for page in Self.pages {
      for line in try Repository.text(of: page).split(separator: "\n") {
        let isDrawn = line.contains { "│┌┐└┘├┤─▼▲►◄".contains($0) }
        #expect(!isDrawn || line.count <= 105, "\(page): \(line)")
      }
    }
  }

  @Test("Every type that the newcomer's page names is declared")
  func types() throws {
    let page = try Repository.text(of: Self.catalog + "/How-a-fix-travels.md")
    let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    var known = Set(try Repository.manifest().rings.keys)
    for file in try Repository.sources.get() {
      let words = file.code.words
      for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word.text) {
        known.insert(next.text)
      }
    }
    for span in page.matches(of: /`([^`\n\/]+)`/) {
      for word in span.1.split(whereSeparator: { !$0.isLetter }) where word.isNameOfType {
        let isDeclared = known.contains(String(word))
        #expect(isDeclared, "How-a-fix-travels.md names \(word), and no source declares it")
      }
    }
  }
}

extension Substring {
  /// `Fix` is; `FILE`, `fix` and `A` are none.
  fileprivate var isNameOfType: Bool {
    first?.isUppercase == true && contains { $0.isLowercase } && self != "Package"
  }
}
