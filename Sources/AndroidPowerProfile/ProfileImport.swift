// SPDX-License-Identifier: Apache-2.0

import JSONText

/// A device profile's file in which the rows that a power profile states replace those of a base.
package struct ProfileImport: Sendable, Equatable {
  /// The file, ready to be saved as `NAME.csv` and checked.
  package let text: String
  /// Keys of the rows that were replaced, in the order of the file.
  package let replaced: [String]
  /// Keys of the numbers that the base's file has no row for.
  package let unplaced: [String]

  /// Puts `numbers` into `base` (a device profile's file) and names the profile `name`.
  package init(_ numbers: [ImportedNumber], into base: String, name: String) {
    var lines: [String] = []
    var replaced: [String] = []
    for line in base.split(separator: "\n", omittingEmptySubsequences: false) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      if line.hasPrefix("#") { continue }
      if fields.count >= 3, fields[0] == "profile", fields[1] == "name" {
        lines.append("profile,name,\(name)")
      } else if fields.count >= 3, fields[0] == "profile", fields[1] == "title" {
        lines.append("profile,title,\(name) (imported power_profile.xml)")
      } else if fields.count >= 3,
        let number = numbers.first(where: { $0.key == fields[..<3].joined(separator: ",") })
      {
        lines.append(Self.row(number))
        replaced.append(number.key)
      } else {
        lines.append(String(line))
      }
    }
    text =
      "# Imported from an Android power_profile.xml; rows that it does not state are those of the\n"
      + "# base profile.\n" + lines.joined(separator: "\n")
    self.replaced = replaced
    unplaced = numbers.map(\.key).filter { !replaced.contains($0) }
  }

  private static func row(_ number: ImportedNumber) -> String {
    let figures = [number.value, number.low, number.high].map {
      Decimal.text($0, decimals: 4, trimmed: true)
    }
    return "\(number.key),\(figures.joined(separator: ",")),\(number.unit),read,\(number.source)"
  }
}
