// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// Rows of cells under a head; a row may have fewer cells than that.
package struct Table {
  /// The alignment of its columns on a terminal.
  package enum Alignment {
    /// The first to the left, the others to the right; two blanks between them, or one if the lines would not fit.
    case figures
    /// The same, with the last one to the left.
    case lastWords
    /// All to the left, two blanks between them.
    case words
    /// The same; the last one is broken into lines.
    case sentences
  }

  package struct Cell: ExpressibleByStringInterpolation {
    /// What a page has beyond the words.
    enum Detail {
      /// The value for machines, as in the JSON; unknown is `nil`.
      case exact(Double?, decimals: Int)
      /// A second line in small letters, below a figure.
      case remark(String?)
      /// A bar of a share, 0 to 1.
      case share(Double)
      /// The instant that the words are of, which name the day on a terminal only where it changes.
      case time(UTCInstant)
      /// The identifier of a part.
      case link(String)
      /// Words that are long and kept narrow.
      case source
    }

    let words: String
    var detail: Detail?

    init(_ words: String, _ detail: Detail? = nil) {
      self.words = words
      self.detail = detail
    }

    package init(stringLiteral words: String) { self.init(words) }
  }

  struct Row {
    var cells: [Cell]
    /// A class of pages.
    var styleClass = ""
    /// On a terminal a line above it.
    var day: String?
  }

  /// What it shows, above it on a page.
  let caption: String
  let alignment: Alignment
  /// The columns of words, aligned to the left on a page.
  let words: Set<Int>
  /// The least widths of its first columns on a terminal, so that tables of a kind look the same.
  let least: [Int]
  private(set) var head: [[String]]
  private(set) var rows: [Row]

  /// A table whose rows are all made alike.
  init(
    _ caption: String = "", alignment: Alignment = .figures, words: Set<Int> = [],
    least: [Int] = [], head: [String] = [], cells: [[Cell]]
  ) {
    (self.caption, self.alignment, self.words, self.least) = (caption, alignment, words, least)
    self.head = head.isEmpty ? [] : [head]
    rows = cells.map { Row(cells: $0) }
  }

  package init(
    _ caption: String = "", alignment: Alignment = .figures, words: Set<Int> = [],
    least: [Int] = [], head: [String] = [], rows: [[String]] = []
  ) {
    let cells = rows.map { $0.map { Cell($0) } }
    self.init(caption, alignment: alignment, words: words, least: least, head: head, cells: cells)
  }

  /// One line of the head, which a terminal may have two of.
  package mutating func header(_ names: [String]) { head.append(names) }

  package mutating func row(_ words: [String]) { rows.append(Row(cells: words.map { Cell($0) })) }

  mutating func row(_ cells: [Cell], styleClass: String = "", day: String? = nil) {
    rows.append(Row(cells: cells, styleClass: styleClass, day: day))
  }

  /// The same table with some of its columns.
  func keeping(columns: [Int]) -> Table {
    var part = self
    part.head = head.map { names in columns.map { $0 < names.count ? names[$0] : "" } }
    for index in rows.indices {
      let cells = rows[index].cells
      part.rows[index].cells = columns.map { $0 < cells.count ? cells[$0] : "" }
    }
    return part
  }
}

extension Table.Cell {
  /// A figure as people read it over what belongs to it, which may be nothing.
  static func pair(_ figure: String, _ remark: String?) -> Self { Self(figure, .remark(remark)) }

  static func count(_ count: Int) -> Self {
    Self(Figures.count(count), .exact(Double(count), decimals: 0))
  }
}
