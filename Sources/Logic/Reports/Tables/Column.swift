// SPDX-License-Identifier: Apache-2.0

import JSONText
import ServiceContract

// Theory
// ======
//
// A table is a list of columns, stated once. Each form of a report folds over the list and takes the columns that name
// it: the text table and HTML as words under a heading, CSV and JSON as a number under a key, a baseline as a
// compared figure. A new column is one entry of a list.

/// The forms in which a column is shown.
struct ColumnForms: OptionSet, Sendable {
  let rawValue: Int

  static let text = Self(rawValue: 1)
  static let html = Self(rawValue: 2)
  static let csv = Self(rawValue: 8)
  static let json = Self(rawValue: 16)
  /// The text table and the page of traces that are long enough for figures per day.
  static let textOfDays = Self(rawValue: 32)
  static let htmlOfDays = Self(rawValue: 64)
  /// The last line of a replay.
  static let summary = Self(rawValue: 128)
  /// The figures compared with a baseline, and the shown ones among them.
  static let compared = Self(rawValue: 256)
  static let changes: Self = [.compared, Self(rawValue: 512)]

  static let pages: Self = [.html, .htmlOfDays]
  static let tables: Self = [.text, .textOfDays, .pages]
  static let documents: Self = [.csv, .json]
}

/// One column of a table whose rows are about a `Subject`.
struct Column<Subject>: Sendable {
  /// Its name in documents, which ends in its unit.
  let key: String
  let measure: Measure
  /// Its name for people, and on two lines for a terminal.
  let heading: String
  let lines: (String, String)
  let forms: ColumnForms
  /// Its meaning, if its key does not show it.
  let about: String
  /// Whether it has a figure in each row.
  private(set) var isKnown = true
  /// Whether its name includes the time it covers.
  private(set) var namesTime = false
  /// Whether tables for people leave it out if all its figures are 0.
  private(set) var hidesZero = false
  /// Whether a terminal's table drops it in favour of a column shown only if it is not 0.
  private(set) var yields = false
  let value: @Sendable (Subject) -> Double?
  private let words: (@Sendable (Subject) -> String)?

  /// A figure; `words` if people read something other than the value.
  init(
    _ key: String, _ measure: Measure, _ heading: String = "", lines: (String, String)? = nil,
    in forms: ColumnForms, about: String = "", words: (@Sendable (Subject) -> String)? = nil,
    _ value: @escaping @Sendable (Subject) -> Double?
  ) {
    self.key = key
    self.measure = measure
    self.heading = heading
    self.lines = lines ?? (heading, "")
    self.forms = forms
    self.about = about
    self.value = value
    self.words = words
  }

  /// A figure that is counted.
  init(
    counting key: String, _ heading: String = "", lines: (String, String)? = nil,
    in forms: ColumnForms, about: String = "", words: (@Sendable (Subject) -> String)? = nil,
    _ count: @escaping @Sendable (Subject) -> Int
  ) {
    self.init(key, .count, heading, lines: lines, in: forms, about: about, words: words) {
      Double(count($0))
    }
  }

  /// Words for people only.
  init(
    words heading: String, lines: (String, String)? = nil, in forms: ColumnForms,
    _ words: @escaping @Sendable (Subject) -> String
  ) {
    self.init("", .count, heading, lines: lines, in: forms, words: words) { _ in nil }
  }

  /// The same column, with the time it covers in its name.
  func namingTime() -> Self {
    var column = self
    column.namesTime = true
    return column
  }

  /// The same column, if a row may have no figure.
  func orUnknown() -> Self {
    var column = self
    column.isKnown = false
    return column
  }

  /// The same column, left out of tables for people if all its figures are 0.
  func hidingZero() -> Self {
    var column = self
    column.hidesZero = true
    return column
  }

  /// The same column, which gives way on a terminal if a column that may be left out is shown.
  func yielding() -> Self {
    var column = self
    column.yields = true
    return column
  }

  /// Its name for people, over `seconds` seconds.
  func heading(over seconds: Double) -> String {
    namesTime ? "\(heading) for \(Figures.span(seconds))" : heading
  }

  func shown(_ subject: Subject, isShort: Bool = false) -> String {
    words?(subject) ?? measure.shown(value(subject), isShort: isShort)
  }

  func tableCell(_ subject: Subject, isShort: Bool) -> Table.Cell {
    .init(shown(subject, isShort: isShort), .exact(value(subject), decimals: measure.decimals))
  }

  /// As a cell of CSV: unknown is empty.
  func cell(_ subject: Subject) -> String {
    value(subject).map { Decimal.text($0, decimals: measure.decimals, trimmed: true) } ?? ""
  }
}

extension Array {
  /// The columns of a form.
  func shown<Subject>(in form: ColumnForms) -> Self where Element == Column<Subject> {
    filter { $0.forms.contains(form) }
  }

  /// The columns of a table for people with these rows.
  func shown<Subject>(in form: ColumnForms, of rows: [Subject]) -> Self
  where Element == Column<Subject> {
    let columns = shown(in: form).filter { column in
      !column.hidesZero || rows.contains { (column.value($0) ?? 0) != 0 }
    }
    let isCrowded =
      columns.contains(where: \.hidesZero) && (form == .text || form == .textOfDays)
    return columns.filter { !(isCrowded && $0.yields) }
  }
}

extension JSONTable {
  /// The columns of a form of documents, as members.
  mutating func columns(_ columns: [Column<Root>], in form: ColumnForms = .json) {
    for column in columns.shown(in: form) {
      if column.measure == .count {
        value(column.key, Int.json, about: column.about) { Int(column.value($0) ?? 0) }
      } else {
        let range = column.measure == .share ? 0...1 : 0...1e15
        let form = JSONForm<Double>.number(in: range, decimals: column.measure.decimals)
        if column.isKnown {
          value(column.key, form, about: column.about) { column.value($0) ?? 0 }
        } else {
          value(column.key, .nullable(form), about: column.about, column.value)
        }
      }
    }
  }
}
