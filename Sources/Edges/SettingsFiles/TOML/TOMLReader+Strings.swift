// SPDX-License-Identifier: Apache-2.0

import JSONText

// The four kinds of strings: "with escapes", 'literal', and both over several lines in three quotes.

extension TOMLReader {
  /// Reads any of the four, at its first quote.
  mutating func string() throws(SyntaxError) -> [UInt8] {
    guard let quote = next else { throw failure("a text was expected") }
    let isLong = bytes[at...].prefix(3) == [quote, quote, quote]
    if isLong { return try longString(quote) }
    return try quote == UInt8(ascii: "'") ? literalString() : basicString()
  }

  mutating func literalString() throws(SyntaxError) -> [UInt8] {
    at += 1
    let start = at
    while let byte = next, byte != UInt8(ascii: "'") {
      guard !Self.isControl(byte) else { break }
      at += 1
    }
    guard take(UInt8(ascii: "'")) else { throw unended }
    return Array(bytes[start..<(at - 1)])
  }

  mutating func basicString() throws(SyntaxError) -> [UInt8] {
    at += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard !Self.isControl(byte) else { break }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else {
        text.append(byte)
        at += 1
      }
    }
    guard take(UInt8(ascii: "\"")) else { throw unended }
    return text
  }

  /// Reads a text in three quotes. A line end directly after the first ones is left out; line ends
  /// become line feeds.
  private mutating func longString(_ quote: UInt8) throws(SyntaxError) -> [UInt8] {
    at += 3
    _ = takeLineEnd()
    var text: [UInt8] = []
    while let byte = next {
      if byte == quote {
        let count = bytes[at...].prefix(5).prefix { $0 == quote }.count
        at += count
        // Up to two quotes may precede the three that end it.
        text += [UInt8](repeating: quote, count: count < 3 ? count : count - 3)
        if count >= 3 { return text }
      } else if takeLineEnd() {
        text.append(UInt8(ascii: "\n"))
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if !skipFoldedLine() { try escape(into: &text) }
      } else {
        guard !Self.isControl(byte) else { throw failure("a control character in a text") }
        text.append(byte)
        at += 1
      }
    }
    throw unended
  }

  private var unended: SyntaxError {
    next.map(Self.isControl) == true && next != UInt8(ascii: "\n")
      && next != UInt8(ascii: "\r")
      ? failure("a control character in a text") : failure("a text without its closing quote")
  }

  /// Skips all white space after a backslash before a line end; `false` for any other backslash.
  private mutating func skipFoldedLine() -> Bool {
    let start = at
    at += 1
    skipBlanks()
    guard takeLineEnd() else {
      at = start
      return false
    }
    repeat { skipBlanks() } while takeLineEnd()
    return true
  }

  private mutating func escape(into text: inout [UInt8]) throws(SyntaxError) {
    let start = at
    at += 1
    let letter = next
    at += 1
    switch letter {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(letter ?? 0)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = letter == UInt8(ascii: "u") ? 4 : 8
      let digits = bytes[min(at, bytes.count)...].prefix(count)
      guard digits.count == count, digits.allSatisfy(Self.isHexadecimal),
        let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else {
        throw SyntaxError(start, "not a character: \\\(count == 4 ? "u" : "U") has \(count) digits")
      }
      at += count
      text += String(Character(scalar)).utf8
    default:
      throw SyntaxError(
        start, "an escape that TOML does not know; a backslash is written \\\\, or in '…'")
    }
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }
}
