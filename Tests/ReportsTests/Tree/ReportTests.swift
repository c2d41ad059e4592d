// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import Reports

@Suite("One tree, two forms")
struct ReportTests {
  private var report: Report {
    var table = Table("What it took", words: [1], head: ["app", "era", "energy"])
    table.row(
      [.init("a"), "today", .init("12 J", .exact(12.25, decimals: 3))], styleClass: "era")
    table.row([.init("long name"), "ios4"])
    return Report {
      Node.title("walk.nmea", ": 40 min")
      Node.sentence("It took 12 J.")
      Node.part { Node.table(table) }
      Node.fold("What changed", "2 rules") {
        for name in ["a\u{1B}", "b"] { Node.list(["less", "more"], under: name, isMarked: true) }
        if table.rows.isEmpty { Node.sentence("nothing") }
      }
      Node.part { Node.list(["asleep"], under: "c") }
      Node.picture { $0.element("b", "a plot") }
      Node.fact("gpsd", "connected", column: 10)
    }
  }

  @Test("A terminal has its parts an empty line apart, and no pictures")
  func terminal() {
    #expect(
      report.text(.plain) == """
        walk.nmea: 40 min
        It took 12 J.

        app          era  energy
        a          today    12 J
        long name   ios4

        What changed
        a?
          - less
          - more
        b
          - less
          - more

        c
          asleep
          gpsd    connected

        """)
    #expect(report.text(.terminal).hasPrefix("\u{1B}[1mwalk.nmea\u{1B}[0m: 40 min\n"))
  }

  @Test("A page has the same with levels of headings, exact figures, and folds")
  func page() throws {
    var html = HTMLWriter(head: "")
    html.element("main") { $0.writeReport(report.nodes) }
    let elements = try Elements(String(decoding: html.bytes, as: UTF8.self))
    #expect(elements.named("h2").map(\.text) == ["What changed", "c"])
    #expect(elements.named("h3").map(\.text) == ["a\u{FFFD}", "b"])
    #expect(elements.named("li").map(\.text) == ["less", "more", "less", "more", "asleep"])
    #expect(elements.named("th").map(\.text) == ["app", "era", "energy", "a", "long name"])
    #expect(elements.named("td").map(\.text) == ["today", "12 J", "ios4", ""])
    #expect(elements.named("td").map { $0.attributes["class"] } == ["word", nil, "word", nil])
    #expect(elements.named("data").map { $0.attributes["value"] } == ["12.25"])
    #expect(elements.named("tr").map { $0.attributes["class"] } == [nil, "era", nil])
    #expect(elements.named("details").count == 1)
    #expect(elements.named("b").map(\.text) == ["a plot", "gpsd: "])
    #expect(elements.named("p").first?.text.hasSuffix("It took 12\u{A0}J.") == true)
  }

  @Test("No line of a list or a fact is longer than the screen, the first one neither")
  func widths() {
    let words = Array(repeating: "word", count: 60).joined(separator: " ")
    for width in [40, 60, 100] {
      let lines = TextForm(style: .plain, width: width).text([
        .list([words], under: "a"), .list([words], under: "b", isMarked: true),
        .fact("gpsd", words, column: 15), .sentence(words, indent: 2, hanging: 4),
      ]).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width })
      #expect(lines.filter { $0.hasPrefix("    word") }.count > 4)
    }
  }

  @Test("The last column of sentences is broken within it, and a day stands where it changes")
  func sentences() {
    var table = Table(alignment: .sentences, least: [8, 3], head: ["time", "app", "what"])
    table.row([
      .init("07:00:00"), "a", .init(Array(repeating: "word", count: 20).joined(separator: " ")),
    ])
    table.row([.init("00:01:00"), "-", "purged"], day: "Tue 5 May 2026")
    #expect(
      table.text(.plain, width: 60) == """
        time      app  what
        07:00:00  a    word word word word word word word word word
                       word word word word word word word word word
                       word word
        -- Tue 5 May 2026 --
        00:01:00  -    purged

        """)
  }

  @Test("Only the forms write tables, folds, sections and bold letters")
  func writers() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let reports = root.appendingPathComponent("Sources/Logic/Reports")
    let names = try FileManager.default.subpathsOfDirectory(atPath: reports.path)
    // A line for each expectation has no other form.
    let others = names.filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Tree/") && $0 != "Replay/ExpectationText.swift"
    }
    #expect(others.count > 50)
    for name in others {
      let text = try String(contentsOf: reports.appendingPathComponent(name), encoding: .utf8)
      for words in ["(\"table\"", "(\"details\"", "(\"section\"", ".bold("] {
        #expect(!text.contains(words), "\(name): \(words)")
      }
    }
  }
}
