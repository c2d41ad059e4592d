// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay
import Testing

@testable import Reports

@Suite("Tables to paste, and what changed")
struct TableTests {
  @Test("CSV has one line per mode, as many cells as its header, and quotes names (RFC 4180)")
  func csv() throws {
    let trace = try Drives.reported("a,\"b\".gpx")
    let lines = CompareCSV.lines(trace.figures, options: try Drives.options()).split(
      separator: "\n")
    #expect(lines.count == 9)
    #expect(lines.allSatisfy { $0.hasPrefix("\"a,\"\"b\"\".gpx\",") })
    let columns = CompareCSV.header.split(separator: ",").count
    #expect(
      lines.allSatisfy {
        // Text is in quotes if it has a comma, and twice quoted if it has quotes.
        let unquoted = $0.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        return unquoted.joined().count { $0 == "," } == columns - 1
      })
  }

  @Test("A name that a spreadsheet would calculate is made a text")
  func formula() {
    #expect(CompareCSV.quoted("=cmd|'x'!A1") == "'=cmd|'x'!A1")
    #expect(CompareCSV.quoted("-") == "-")
    #expect(CompareCSV.quoted("walk.gpx") == "walk.gpx")
  }

  @Test("Bars are in proportion to an eighth of a column, and the smallest can be seen")
  func bars() {
    #expect(TextBars.bars([8, 4, 1, 0.001, 0], width: 2) == ["██", "█", "▎", "▏", ""])
    #expect(TextBars.bars([], width: 5) == [])
    #expect(TextBars.bars([0], width: 5) == [""])
  }

  private func saved(_ trace: ReportedTrace) throws -> JSONValue {
    let bytes = CompareJSON.line(trace.figures, options: try Drives.options())
    return try JSONValue.parse(bytes.span)
  }

  @Test("Against itself nothing changed")
  func same() throws {
    let trace = try Drives.reported("drive.gpx")
    let text = BaselineText.report(
      trace.figures, against: try Baseline(try saved(trace)), options: try Drives.options()
    ).text(.plain)
    #expect(text == "changed since the baseline: drive.gpx\nnothing changed\n")
  }

  @Test("What changed is told row by row, and rows of one side are named")
  func changed() throws {
    let trace = try Drives.reported("drive.gpx")
    var figures = trace.figures
    figures.rows.removeLast()
    let bytes = CompareJSON.line(trace.figures, options: try Drives.options())
    let older = String(decoding: bytes, as: UTF8.self)
      .replacing("\"deliveries\":", with: "\"deliveries\":1")
    let baseline = try Baseline(try JSONValue.parse(older))
    let text = BaselineText.report(
      figures, against: baseline, options: try Drives.options()
    ).text(.plain)
    #expect(text.contains("only then: regions, pocket\n"))
    #expect(text.contains("standard, pocket "))
    #expect(text.contains(" → "))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("Settings that differ are named with both values")
  func settings() throws {
    let trace = try Drives.reported("drive.gpx")
    let saved = try saved(trace)
    var options = try Drives.options()
    options.fixLoss = 0.2
    options.seed = 7
    options.cellSpacing = 1_500
    options.uploads = .everySeconds(300)
    let text = BaselineText.report(
      trace.figures, against: try Baseline(saved), options: options
    ).text(.plain)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The network's error follows the cells: 0.4 of 800 m and of 1,500 m.
    #expect(
      words.contains(
        "with other settings: --seed 1 then, 7 now; --upload none then, seconds=300 now; fix_loss 0 then, 0.2 "
          + "now; cell_spacing_m 800 then, 1500 now; network_error_m 320 then, 600 now nothing changed"
      ))
  }

  @Test("Another trace is refused, with the reason")
  func refused() throws {
    let trace = try Drives.reported("drive.gpx")
    let baseline = try Baseline(try saved(trace))
    #expect(baseline.isOf(trace.figures))
    var other = trace.figures
    other.name = "walk.gpx"
    #expect(baseline.mismatch(other) == "it is of drive.gpx, not of walk.gpx")
    other = trace.figures
    other.judged += 60
    #expect(baseline.mismatch(other) == "it judged 2 h, this one 2 h")
    #expect(throws: InputError.self) { try Baseline(.object([])) }
  }
}
