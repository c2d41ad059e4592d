// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Columns of text for a terminal: the first aligned to the left, the others to the right.
///
/// Columns stand two spaces apart, or one if the lines would not fit the screen otherwise.
package struct TextTable {
  package static let width = 100

  private var rows: [[String]] = []
  private var headerRows = 0
  /// Whether all columns are aligned to the left, two apart whatever the length of the lines.
  private let isLeft: Bool

  package init(isLeft: Bool = false) { self.isLeft = isLeft }

  package mutating func header(_ cells: [String]) {
    row(cells)
    headerRows = rows.count
  }

  /// Adds a row. Words of others may be in it: control characters become `?`.
  package mutating func row(_ cells: [String]) { rows.append(cells.map { Quoted.plain($0) }) }

  /// The lines, each ended by a line feed and without trailing spaces.
  package func text(_ style: TextStyle, width: Int = TextTable.width) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let natural = widths.reduce(0, +) + 2 * max(0, count - 1)
    let gap = natural <= width || isLeft ? "  " : " "
    var result = ""
    for (index, row) in rows.enumerated() {
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line += (column == 0 ? "" : gap) + (column == 0 || isLeft ? cell + blanks : blanks + cell)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      result += (index < headerRows ? style.bold(line) : line) + "\n"
    }
    return result
  }
}

/// Whether text may carry terminal attributes.
package struct TextStyle: Sendable {
  private let isDecorated: Bool

  private init(isDecorated: Bool) { self.isDecorated = isDecorated }

  /// Bytes for files and pipes: words only.
  package static let plain = TextStyle(isDecorated: false)
  /// For a terminal (ECMA-48 attributes; no colours that a background could swallow).
  package static let terminal = TextStyle(isDecorated: true)

  package func bold(_ text: String) -> String { isDecorated ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

/// Bars of eighths of a block, for a terminal: the longest value has the full width.
package enum TextBars {
  private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

  /// One bar per value, each at most `width` columns and without trailing spaces; a value above 0 shows
  /// at least the thinnest block, 0 shows nothing.
  package static func bars(_ values: [Double], width: Int) -> [String] {
    let full = values.max() ?? 0
    return values.map { value in
      guard value > 0, full > 0 else { return "" }
      let count = max(1, Int((value / full * Double(width * 8)).rounded()))
      let rest = count % 8
      return String(repeating: "█", count: count / 8) + (rest > 0 ? String(eighths[rest - 1]) : "")
    }
  }
}
