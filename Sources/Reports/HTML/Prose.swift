// SPDX-License-Identifier: Apache-2.0

/// Sentences for a page: a figure and its unit stay on one line.
enum Prose {
  private static let units: Set<Substring> = [
    "%", "J", "kJ", "MJ", "mJ", "mW", "W", "m", "km", "s", "min", "h", "days", "times",
  ]

  static func glued(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    var result = ""
    var hasFigure = false
    for (index, word) in words.enumerated() {
      let unit = word.prefix { $0 == "%" || $0.isLetter }
      if index > 0 { result += hasFigure && units.contains(unit) ? "\u{A0}" : " " }
      result += word
      hasFigure = word.last?.isNumber ?? false
    }
    return result
  }
}
