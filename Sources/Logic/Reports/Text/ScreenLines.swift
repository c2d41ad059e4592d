// SPDX-License-Identifier: Apache-2.0

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
      if !rest.isEmpty { rest = String(repeating: " ", count: indent) + rest }
    }
    return rest.isEmpty ? lines : lines + [trimmed(rest)]
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
