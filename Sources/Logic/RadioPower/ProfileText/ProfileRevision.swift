// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import JSONText

/// A profile's file in which rows from elsewhere (a vendor's file, a measurement) replace those of a base.
package struct ProfileRevision: Sendable, Equatable {
  /// A number with what a reader needs to judge it.
  package struct Row: Sendable, Equatable {
    /// `component,state,quantity`.
    package let key: String
    package let value: Double
    package let low: Double
    package let high: Double
    package let unit: String
    package let confidence: Confidence
    package let source: String

    package init(
      key: String, value: Double, low: Double, high: Double, unit: String, confidence: Confidence,
      source: String
    ) {
      self.key = key
      self.value = value
      self.low = low
      self.high = high
      self.unit = unit
      self.confidence = confidence
      self.source = source
    }
  }

  /// The file, ready to be saved as `NAME.csv` and checked.
  package let text: String
  /// Keys of the rows that were replaced, in the order of the file.
  package let replaced: [String]
  /// Keys of the rows for which the base's file has no place.
  package let unplaced: [String]

  /// Puts `rows` into `base` (a profile's file) and names the profile `name`; `origin` states the source of the rows in
  /// a line or more. The base's own comments are left out: they refer to its numbers.
  package init(
    _ rows: [Row], into base: String, name: String, title: String, origin: [String]
  ) {
    var lines = origin.map { "# \($0)" }
    var replaced: [String] = []
    for line in base.split(separator: "\n", omittingEmptySubsequences: false) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      if line.hasPrefix("#") { continue }
      if fields.count >= 3, fields[0] == "profile", fields[1] == "name" {
        lines.append("profile,name,\(name)")
      } else if fields.count >= 3, fields[0] == "profile", fields[1] == "title" {
        lines.append("profile,title,\(title)")
      } else if fields.count >= 3,
        let row = rows.first(where: { $0.key == fields[..<3].joined(separator: ",") })
      {
        lines.append(Self.line(row))
        replaced.append(row.key)
      } else {
        lines.append(String(line))
      }
    }
    text = lines.joined(separator: "\n")
    self.replaced = replaced
    unplaced = rows.map(\.key).filter { !replaced.contains($0) }
  }

  private static func line(_ row: Row) -> String {
    let figures = [row.value, row.low, row.high].map { figure($0, unit: row.unit) }
    return "\(row.key),\(figures.joined(separator: ",")),\(row.unit),\(row.confidence.rawValue),"
      + row.source
  }

  /// To seven significant figures; a value too small to calculate with is 0.
  private static func figure(_ value: Double, unit: String) -> String {
    guard value >= ProfileSchema.usable(unit).lowerBound else { return "0" }
    let magnitude = Int((logarithm(value) / logarithm(10)).rounded(.down))
    return Decimal.text(value, decimals: min(9, max(0, 6 - magnitude)), trimmed: true)
  }
}
