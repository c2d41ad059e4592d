// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import JSONText

/// A profile's file in which rows from elsewhere (a vendor's file, a measurement) replace those of a base.
package struct ProfileRevision: Sendable, Equatable {
  /// The file, ready to be saved as `NAME.csv` and checked.
  package let text: String
  /// Keys of the rows that were replaced, in the order of the file.
  package let replaced: [String]

  /// Puts `rows` into `base` (a profile's file) and names the profile `name`; `origin` states the source of the rows in
  /// a line or more. The base's own comments are left out: they refer to its numbers.
  package init(
    _ rows: [ProfileNumber], into base: String, name: String, title: String, origin: [String]
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
        let row = rows.first(where: {
          $0.key.description == fields[..<3].joined(separator: ",")
        })
      {
        lines.append(Self.line(row))
        replaced.append(row.key.description)
      } else {
        lines.append(String(line))
      }
    }
    text = lines.joined(separator: "\n")
    self.replaced = replaced
  }

  private static func line(_ row: ProfileNumber) -> String {
    let value = row.value
    let figures = [value.nominal, value.low, value.high].map { figure($0, unit: row.unit) }
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
