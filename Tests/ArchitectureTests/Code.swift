// SPDX-License-Identifier: Apache-2.0

/// Swift text without its comments and string literals, so that a sentence about `print(` does not
/// break a rule about it. Every removed byte becomes a space and every line stays in place. Code
/// inside an interpolation stays code.
struct Code {
  struct Word: Equatable {
    let text: String
    /// 1-based.
    let line: Int
    /// Position of the first byte.
    let start: Int
    /// The bytes around it; 0 at the ends of the file.
    let before: UInt8
    let after: UInt8
  }

  let bytes: [UInt8]
  let words: [Word]

  init(_ text: String) {
    var stripper = Stripper(Array(text.utf8))
    bytes = stripper.strip()
    words = Self.words(of: bytes)
  }

  private static func words(of bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var line = 1
    var start: Int?
    for position in 0...bytes.count {
      let byte = position < bytes.count ? bytes[position] : 0
      if isPartOfWord(byte) {
        if start == nil { start = position }
      } else if let first = start {
        words.append(
          Word(
            text: String(decoding: bytes[first..<position], as: UTF8.self), line: line,
            start: first,
            before: first > 0 ? bytes[first - 1] : 0, after: byte))
        start = nil
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return words
  }

  static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

/// A stack of contexts: code (with the depth of its parentheses, so that the end of an
/// interpolation is known) or a string literal. Comments are skipped as a whole.
private struct Stripper {
  private enum Place {
    case code(depth: Int)
    case string(quotes: Int, hashes: Int)
  }

  private var bytes: [UInt8]
  private var places: [Place] = [.code(depth: 0)]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func strip() -> [UInt8] {
    while position < bytes.count {
      switch places[places.count - 1] {
      case .code(let depth): code(depth: depth)
      case .string(let quotes, let hashes): string(quotes: quotes, hashes: hashes)
      }
    }
    return bytes
  }

  private func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    let start = position + offset
    let length = text.utf8CodeUnitCount
    guard start + length <= bytes.count else { return false }
    for index in 0..<length where bytes[start + index] != text.utf8Start[index] { return false }
    return true
  }

  private func count(_ byte: Unicode.Scalar, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] == UInt8(ascii: byte) { end += 1 }
    return end - start
  }

  private mutating func blank(_ count: Int) {
    for index in position..<min(bytes.count, position + count)
    where bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
    position += count
  }

  private mutating func code(depth: Int) {
    guard "/#\"()".utf8.contains(bytes[position]) else { return position += 1 }
    let hashes = count("#", from: position)
    if has("//") {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      blank(end - position)
    } else if has("/*") {
      comment()
    } else if has("\"", at: hashes) {
      let quotes = has("\"\"\"", at: hashes) ? 3 : 1
      blank(hashes + quotes)
      places.append(.string(quotes: quotes, hashes: hashes))
    } else if has("(") {
      places[places.count - 1] = .code(depth: depth + 1)
      position += 1
    } else if has(")") {
      if depth == 0 && places.count > 1 {
        places.removeLast()
        blank(1)
      } else {
        places[places.count - 1] = .code(depth: max(0, depth - 1))
        position += 1
      }
    } else {
      position += 1
    }
  }

  private mutating func comment() {
    var depth = 0
    repeat {
      if has("/*") { depth += 1 } else if has("*/") { depth -= 1 }
      blank(has("/*") || has("*/") ? 2 : 1)
    } while depth > 0 && position < bytes.count
  }

  private mutating func string(quotes: Int, hashes: Int) {
    guard "\\\"".utf8.contains(bytes[position]) else { return blank(1) }
    if has("\\") && count("#", from: position + 1) >= hashes {
      if has("(", at: 1 + hashes) {
        blank(2 + hashes)
        places.append(.code(depth: 0))
      } else {
        blank(2 + hashes)
      }
    } else if count("\"", from: position) >= quotes,
      count("#", from: position + quotes) >= hashes
    {
      blank(quotes + hashes)
      places.removeLast()
    } else {
      blank(1)
    }
  }
}
