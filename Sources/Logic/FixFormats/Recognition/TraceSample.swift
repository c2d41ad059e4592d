// SPDX-License-Identifier: Apache-2.0

/// The first bytes of an input, prepared for recognition.
package struct TraceSample: Sendable {
  /// The bytes as they are.
  package let raw: [UInt8]
  /// Without byte order mark and leading blanks; UTF-16 narrowed to ASCII.
  package private(set) var text: [UInt8] = []
  package let isUTF16: Bool
  /// The lines that are neither blank nor `#` comments, without leading blanks and line ends.
  package private(set) var lines: [ArraySlice<UInt8>] = []
  /// The local name of the root element, if the text is XML and states it here.
  package private(set) var xmlRoot: String?
  /// The kind of the first line's JSON object, by its keys.
  private(set) var json: JSONKeys.Kind?

  init(_ prefix: borrowing Span<UInt8>) {
    raw = Array(copying: prefix)
    let isLittle = raw.starts(with: [0xFF, 0xFE]) || raw.starts(with: [0x3C, 0x00])
    let isBig = raw.starts(with: [0xFE, 0xFF]) || raw.starts(with: [0x00, 0x3C])
    isUTF16 = isLittle || isBig
    if isUTF16 {
      for index in stride(from: 0, to: raw.count - 1, by: 2) {
        let (low, high) = isLittle ? (raw[index], raw[index + 1]) : (raw[index + 1], raw[index])
        let unit = UInt16(high) << 8 | UInt16(low)
        if unit != 0xFEFF { text.append(unit < 0x80 ? low : UInt8(ascii: "?")) }
      }
    } else {
      text = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(raw.dropFirst(3)) : raw
    }
    text = Array(text.drop(while: Self.isBlank))
    if isXML { xmlRoot = XMLRoot.name(text) }
    cut()
    if let first = lines.first?.first, first == UInt8(ascii: "{") || first == 0x1E {
      json = JSONKeys.kind(text)
    } else if let line = lines.first, let start = RecorderLine.start(of: line.span) {
      json = JSONKeys.kind(Array(line.dropFirst(start))) ?? .position
    }
  }

  /// Whether the text begins like XML.
  package var isXML: Bool { text.first == UInt8(ascii: "<") }

  /// Whether these words stand anywhere in the text.
  func contains(_ words: String) -> Bool {
    let sign = Array(words.utf8)
    return text.indices.contains { text[$0] == sign[0] && text[$0...].starts(with: sign) }
  }

  private mutating func cut() {
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = rest[..<end].drop(while: Self.isBlank)
      rest = rest[end...].dropFirst()
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      lines.append(line.last == 0x0D ? line.dropLast() : line)
    }
  }

  /// Whether more than one byte in ten is a control character that text never holds.
  var looksBinary: Bool {
    let odd = text.count { $0 < 0x20 && !Self.isBlank($0) || $0 == 0x7F }
    return odd * 10 > text.count || text.contains(0)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
