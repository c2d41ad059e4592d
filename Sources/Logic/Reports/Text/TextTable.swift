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
  /// Whether the last column is aligned to the left, too.
  private let isLastLeft: Bool

  package init(isLeft: Bool = false, isLastLeft: Bool = false) {
    self.isLeft = isLeft
    self.isLastLeft = isLastLeft
  }

  package mutating func header(_ cells: [String]) {
    row(cells)
    headerRows = rows.count
  }

  /// Adds a row. Words of others may be in it: control characters become `?`.
  package mutating func row(_ cells: [String]) { rows.append(cells.map { Quoted.plain($0) }) }

  private var widths: [Int] {
    (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
  }

  /// The length of its lines if columns stand two spaces apart.
  package var natural: Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

  /// Itself if its lines fit, else the first tables of as many columns as do, each with the first one.
  package func folded(to width: Int) -> [TextTable] {
    let widths = widths
    var parts: [[Int]] = []
    var room = 0
    for column in widths.indices.dropFirst() {
      if parts.isEmpty || widths[column] + 1 > room {
        parts.append([0])
        room = width - widths[0]
      }
      parts[parts.count - 1].append(column)
      room -= widths[column] + 1
    }
    guard parts.count > 1 else { return [self] }
    return parts.map { columns in
      var part = self
      part.rows = rows.map { row in columns.map { $0 < row.count ? row[$0] : "" } }
      return part
    }
  }

  /// The lines, each ended by a line feed and without trailing spaces.
  package func text(_ style: TextStyle, width: Int = TextTable.width) -> String {
    let widths = widths
    let gap = natural <= width || isLeft ? "  " : " "
    var result = ""
    for (index, row) in rows.enumerated() {
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        let isLeft = isLeft || column == 0 || isLastLeft && column == widths.count - 1
        line += (column == 0 ? "" : gap) + (isLeft ? cell + blanks : blanks + cell)
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
