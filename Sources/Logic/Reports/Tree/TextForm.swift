// SPDX-License-Identifier: Apache-2.0

import JSONText

// Words of others may be in any node: control characters become `?`.

extension Report {
  /// Its lines for a terminal, or a file.
  package func text(_ style: TextStyle, width: Int = TextStyle.width) -> String {
    TextForm(style: style, width: width).text(nodes)
  }
}

/// A report on a terminal.
struct TextForm {
  let style: TextStyle
  let width: Int

  func text(_ nodes: [Node]) -> String {
    nodes.reduce(into: "") { text, node in
      if case .section = node, !text.isEmpty { text += "\n" }
      text += self.text(node)
    }
  }

  private func text(_ node: Node) -> String {
    switch node {
    case .title(let name, let rest):
      return style.bold(Quoted.plain(name)) + Quoted.plain(rest) + "\n"
    case .sentence(let words, let indent, let hanging, let isBold):
      let text = Paragraph.text(words, from: indent, indent: hanging, width: width)
      return isBold
        ? text.split(separator: "\n").map { style.bold(String($0)) + "\n" }.joined() : text
    case .fact(let name, let words, let column):
      let blanks = Paragraph.blanks(max(1, column - 2 - name.count))
      return "  " + Quoted.plain(name) + blanks
        + Paragraph.text(words, from: column, indent: column, width: width).dropFirst(column)
    case .list(let sentences, let name, let isMarked):
      let mark = isMarked ? "- " : ""
      return (isMarked ? Quoted.plain(name) : style.bold(Quoted.plain(name))) + "\n"
        + sentences.map {
          Paragraph.text(mark + $0, from: 2, indent: 2 + mark.count, width: width)
        }
        .joined()
    case .table(let table): return table.text(style, width: width)
    case .bars(let bars): return text(bars)
    case .section(let section):
      let heading = section.heading.isEmpty ? "" : style.bold(Quoted.plain(section.heading)) + "\n"
      return heading + text(section.nodes)
    case .picture: return ""
    }
  }

  private func text(_ bars: Bars) -> String {
    let names = bars.rows.map(\.row.name)
    let width = names.map(\.count).max() ?? 0
    let blocks = TextBars.bars(bars.rows.map(\.bar.value), width: 60)
    return zip(zip(names, bars.rows), blocks).map { row, bar in
      row.0 + Paragraph.blanks(width - row.0.count) + " \(bar) \(row.1.bar.figure)\n"
    }.joined()
  }
}

// MARK: Tables

extension Table {
  /// The cells as a terminal shows them, with the widths of their columns.
  private struct Layout {
    let head: [[String]]
    let rows: [[String]]
    let widths: [Int]

    init(_ table: Table) {
      head = table.head
      rows = table.rows.map { $0.cells.map { Quoted.plain($0.words) } }
      var widths = table.least
      for cells in head + rows {
        while widths.count < cells.count { widths.append(0) }
        for (column, cell) in cells.enumerated() {
          widths[column] = max(widths[column], cell.count)
        }
      }
      self.widths = widths
    }

    /// The length of the lines if columns stand two spaces apart.
    var natural: Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }
  }

  /// The least length of its lines: columns stand one space apart.
  var narrowest: Int {
    let widths = Layout(self).widths
    return widths.reduce(0, +) + max(0, widths.count - 1)
  }

  /// Itself if its lines fit, else the first tables of as many columns as do, each with the first one.
  package func folded(to width: Int) -> [Table] {
    let widths = Layout(self).widths
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
    return parts.count > 1 ? parts.map(keeping(columns:)) : [self]
  }

  /// The lines, each ended by a line feed and without trailing spaces.
  package func text(_ style: TextStyle, width: Int = TextStyle.width) -> String {
    let layout = Layout(self)
    let isLeft = alignment == .words || alignment == .sentences
    let gap = isLeft || layout.natural <= width ? "  " : " "
    let last = layout.widths.count - 1
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, cell) in cells.enumerated() {
        let blanks = Paragraph.blanks(layout.widths[column] - cell.count)
        let isLeft = isLeft || column == 0 || alignment == .lastWords && column == last
        line += (column == 0 ? "" : gap)
        line += isLeft ? column == last ? cell : cell + blanks : blanks + cell
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }
    var text = layout.head.map { style.bold(String(line($0).dropLast())) + "\n" }.joined()
    for (row, cells) in zip(rows, layout.rows) {
      if let day = row.day { text += "-- \(day) --\n" }
      guard alignment == .sentences, cells.count == last + 1 else {
        text += line(cells)
        continue
      }
      let column = layout.widths.dropLast().reduce(0) { $0 + $1 + 2 }
      let words = Paragraph.text(cells[last], width: max(40, width - column))
      for (index, part) in words.split(separator: "\n").enumerated() {
        text += line(cells.dropLast().map { index == 0 ? $0 : "" } + [String(part)])
      }
    }
    return text
  }
}

// MARK: Attributes and bars

/// Whether text may carry terminal attributes.
package struct TextStyle: Sendable {
  /// The columns of a text, if nothing else is known.
  package static let width = 100

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
