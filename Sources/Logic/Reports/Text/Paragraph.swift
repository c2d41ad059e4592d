// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Sentences in lines of at most 100 columns, or of another width.
package enum Paragraph {
  /// `text` broken between words; the first line begins with `from` spaces, those after it with `indent`. Words of others
  /// may be in it: control characters become `?`.
  package static func text(
    _ text: String, from first: Int = 0, indent: Int = 0, width: Int = TextStyle.width
  ) -> String {
    var lines = ""
    var line = blanks(first)
    var isBegun = false
    for word in unbreakables(of: Quoted.plain(text, keeping: "\n")) {
      if isBegun, line.count + 1 + word.count > width {
        lines += line + "\n"
        line = blanks(indent) + word
      } else {
        line += isBegun ? " " + word : word
      }
      isBegun = true
    }
    return lines + line + "\n"
  }

  /// So many spaces, none below 0.
  static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private static let units: Set<Substring> = [
    "%", "m", "km", "s", "min", "h", "d", "J", "mJ", "kJ", "MJ", "mW", "W", "µW", "bytes",
  ]

  /// The words, with a number and its unit together, and with the *in* before a number.
  private static func unbreakables(of text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ") {
      let bare = word.prefix { !",.;:)".contains($0) }
      let isUnit = units.contains(bare) && words.last?.last?.isNumber == true
      let isCount = words.last == "in" && bare.allSatisfy(\.isNumber)
      if isUnit || isCount, let number = words.last {
        words[words.count - 1] = number + " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }
}

/// Lines of a screen, none wider than it is.
package enum ScreenLines {
  /// Broken between words; a word longer than a line is cut. Runs of blanks stay within a line.
  package static func wrapped(_ text: String, indent: Int, width: Int) -> [String] {
    let width = max(width, 1)
    guard width > indent + 8 else { return [String(text.prefix(width))] }
    var lines: [String] = []
    var rest = Substring(text)
    while rest.count > width {
      let line = rest.prefix(width + 1)
      let start = line.index(line.startIndex, offsetBy: indent)
      let space = line[start...].lastIndex(of: " ").flatMap { $0 > start ? $0 : nil }
      let end = space ?? line.index(before: line.endIndex)
      lines.append(trimmed(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
      if !rest.isEmpty { rest = Paragraph.blanks(indent) + rest }
    }
    return rest.isEmpty ? lines : lines + [trimmed(rest)]
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
