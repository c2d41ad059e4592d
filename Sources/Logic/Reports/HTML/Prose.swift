// SPDX-License-Identifier: Apache-2.0

/// Sentences for a page: a figure and its unit stay on one line, and so do the two ends of a range.
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
      result += joined(word)
      hasFigure = word.last?.isNumber ?? false
    }
    return result
  }

  /// With word joiners around a dash between two figures.
  private static func joined(_ word: Substring) -> String {
    guard word.contains("–") else { return String(word) }
    let letters = Array(word)
    return letters.indices.reduce(into: "") { text, index in
      let isRange =
        letters[index] == "–" && index > 0 && index + 1 < letters.count
        && letters[index - 1].isNumber && letters[index + 1].isNumber
      text += isRange ? "\u{2060}–\u{2060}" : String(letters[index])
    }
  }
}
