// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The first screen on terminals of four widths.
@Suite("The first screen at four widths")
struct ScreenWidthTests {
  private static let shared = Package.root.deletingLastPathComponent()
    .appendingPathComponent("shared")

  /// Recordings of others, where they lie beside the repository.
  private static let foreign: [String] = ["corpus/public", "mobilitynet/tracks"].flatMap { folder in
    let path = shared.appendingPathComponent(folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      .filter { $0.hasSuffix(".gpx") || $0.hasSuffix(".nmea") || $0.contains("-run") }
      .map { "\(path)/\($0)" }
  }

  /// The lines on a terminal of so many columns; `nil` of a trace that cannot be compared.
  private func lines(_ path: String, columns: Int) throws -> [String]? {
    let terminal =
      "stty cols \(columns) rows 24; exec \"$MILEPOST\" --worlds 3 '\(path)' 2>/dev/null"
    let answer = try Program.shell(
      "export MILEPOST; script -qec '\(terminal.replacing("'", with: "'\\''"))' /dev/null",
      in: Scratch())
    guard answer.code == 0 else {
      #expect(answer.code == 2)
      return nil
    }
    return answer.output.replacing("\r\n", with: "\n").replacing(/\u{1B}\[[0-9;]*m/, with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func check(_ path: String, columns: Int) throws {
    guard let lines = try lines(path, columns: columns) else { return }
    let text = lines.joined(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns && !$0.isEmpty }, "\(text)")
    #expect(!text.contains("…"), "\(text)")
    // Twelve, but where a trace is odd or has a long name, or the screen is too narrow for the table.
    let isLong = lines[1].hasPrefix("  ") || text.contains("odd: ") || text.contains("left out")
    #expect(lines.count <= 12 || columns < 80 || isLong, "\(text)")
    // A narrow screen has the table in two parts, whose rows have the same names.
    let heads = lines.indices.filter { lines[$0].hasPrefix("in 95 % of cases") }
    #expect(heads.count >= 1 && heads.count <= (columns < 80 ? 2 : 1), "\(text)")
    let head = try #require(heads.first)
    let prices = Self.prices(in: lines[(head + 1)...])
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let ratio =
      /: (?:likely )?([a-z][a-z ,]+?)(?: \([A-Za-z+ ]+\))?, 1\/([0-9.]+) of (only while moving|continuous, pauses|continuous|[a-z ]+)/
    for said in words.matches(of: ratio) {
      guard let own = prices[String(said.output.1)], let other = prices[String(said.output.3)]
      else {
        Issue.record("no row of a mode: \(said.output.0)\n\(text)")
        continue
      }
      // Three figures of two digits each.
      let told = Double(said.output.2) ?? .nan
      #expect(abs(told * own / other - 1) < 0.16, "\(said.output.0)\n\(text)")
    }
  }

  /// The battery's share, or the power, of each row.
  private static func prices(in lines: ArraySlice<String>) -> [String: Double] {
    var prices: [String: Double] = [:]
    for line in lines {
      guard
        let row = line.wholeMatch(of: /([a-z][a-z ,]*[a-z]) +([0-9.]+) (?:\([0-9.]+–[0-9.]+\) )?.*/)
      else { break }
      prices[String(row.output.1)] = Double(row.output.2) ?? Double.nan
    }
    return prices
  }

  @Test(
    "No line is longer than the screen and none is cut; a ratio is that of two figures of the table",
    arguments: Answering.everyTrace, [60, 80, 100, 140])
  func fits(path: String, columns: Int) throws { try check(path, columns: columns) }

  @Test(
    "The same of recordings of others, at both ends",
    .enabled(if: !foreign.isEmpty, "../shared is not there"), arguments: foreign, [60, 140])
  func recordings(path: String, columns: Int) throws { try check(path, columns: columns) }
}
