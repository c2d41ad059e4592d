// SPDX-License-Identifier: Apache-2.0

/// Sentences in lines of at most 100 columns, or of another width.
package enum Paragraph {
  /// `text` broken between words; lines after the first begin with `indent` spaces.
  package static func text(
    _ text: String, indent: Int = 0, width: Int = TextTable.width
  ) -> String {
    var lines = ""
    var line = ""
    for word in words(text) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines += line + "\n"
        line = String(repeating: " ", count: indent) + word
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    return lines + line + "\n"
  }

  private static let units: Set<Substring> = [
    "%", "m", "km", "s", "min", "h", "d", "J", "mJ", "kJ", "MJ", "mW", "W", "µW", "bytes",
  ]

  /// The words, with a number and its unit together.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ") {
      let bare = word.prefix { !",.;:)".contains($0) }
      if units.contains(bare), let number = words.last, number.last?.isNumber == true {
        words[words.count - 1] = number + " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }
}
