// SPDX-License-Identifier: Apache-2.0

/// Sentences in lines of at most 100 columns.
package enum Paragraph {
  /// `text` broken between words; lines after the first begin with `indent` spaces.
  package static func text(_ text: String, indent: Int = 0) -> String {
    var lines = ""
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > TextTable.width {
        lines += line + "\n"
        line = String(repeating: " ", count: indent) + word
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    return lines + line + "\n"
  }
}
