// SPDX-License-Identifier: Apache-2.0

/// Columns of text for a terminal: the first aligned to the left, the others to the right.
///
/// Columns stand two spaces apart, or one if the lines would not fit 100 columns otherwise.
package struct TextTable {
  package static let width = 100

  private var rows: [[String]] = []
  private var headerRows = 0
  /// Whether all columns are aligned to the left, two apart whatever the length of the lines.
  private let isLeft: Bool

  package init(isLeft: Bool = false) { self.isLeft = isLeft }

  package mutating func header(_ cells: [String]) {
    rows.append(cells)
    headerRows = rows.count
  }

  package mutating func row(_ cells: [String]) { rows.append(cells) }

  /// The lines, each ended by a line feed and without trailing spaces.
  package func text(_ style: TextStyle) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let natural = widths.reduce(0, +) + 2 * max(0, count - 1)
    let gap = natural <= Self.width || isLeft ? "  " : " "
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
