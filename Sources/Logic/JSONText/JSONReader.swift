// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The greatest nesting of arrays and objects.
  package static let depthLimit = 64

  /// Parses exactly one JSON text (RFC 8259), with white space around it allowed.
  package static func parse(_ bytes: borrowing Span<UInt8>) throws(SyntaxError) -> JSONValue {
    var reader = JSONReader()
    reader.skipSpace(bytes)
    let value = try reader.readValue(bytes, depth: 0)
    reader.skipSpace(bytes)
    guard reader.offset == bytes.count else {
      throw SyntaxError(reader.offset, "nothing more was expected")
    }
    return value
  }

  /// Parses a string; see `parse(_:)` for spans.
  package static func parse(_ text: String) throws(SyntaxError) -> JSONValue {
    let bytes = Array(text.utf8)
    return try parse(bytes.span)
  }
}

private struct JSONReader {
  var offset = 0

  func fail(_ message: String) -> SyntaxError { SyntaxError(offset, message) }

  mutating func skipSpace(_ bytes: borrowing Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  mutating func readValue(_ bytes: borrowing Span<UInt8>, depth: Int) throws(SyntaxError)
    -> JSONValue
  {
    guard depth < JSONValue.depthLimit else { throw fail("nested too deeply") }
    guard offset < bytes.count else { throw fail("a value was expected") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try object(bytes, depth: depth)
    case UInt8(ascii: "["): return try array(bytes, depth: depth)
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try word("null", .null, bytes)
    default: return .number(try readNumber(bytes))
    }
  }

  mutating func word(
    _ word: StaticString, _ value: JSONValue, _ bytes: borrowing Span<UInt8>
  ) throws(SyntaxError) -> JSONValue {
    for character in word.description.utf8 {
      guard offset < bytes.count, bytes[offset] == character else {
        throw fail("\(word) was expected")
      }
      offset += 1
    }
    return value
  }

  mutating func object(_ bytes: borrowing Span<UInt8>, depth: Int) throws(SyntaxError) -> JSONValue
  {
    var members: [JSONValue.Member] = []
    offset += 1
    skipSpace(bytes)
    if take(character: "}", bytes) { return .object(members) }
    while true {
      skipSpace(bytes)
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
        throw fail("a key was expected")
      }
      let key = try string(bytes)
      skipSpace(bytes)
      guard take(character: ":", bytes) else { throw fail("':' was expected") }
      skipSpace(bytes)
      members.append(.init(key, try readValue(bytes, depth: depth + 1)))
      skipSpace(bytes)
      if take(character: "}", bytes) { return .object(members) }
      guard take(character: ",", bytes) else { throw fail("',' or '}' was expected") }
    }
  }

  mutating func array(_ bytes: borrowing Span<UInt8>, depth: Int) throws(SyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    offset += 1
    skipSpace(bytes)
    if take(character: "]", bytes) { return .array(elements) }
    while true {
      skipSpace(bytes)
      elements.append(try readValue(bytes, depth: depth + 1))
      skipSpace(bytes)
      if take(character: "]", bytes) { return .array(elements) }
      guard take(character: ",", bytes) else { throw fail("',' or ']' was expected") }
    }
  }

  mutating func take(character: Unicode.Scalar, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Reads a number in RFC 8259 form: no leading zero or plus, digits on both sides of the point.
  mutating func readNumber(_ bytes: borrowing Span<UInt8>) throws(SyntaxError) -> Double {
    let start = offset
    var end = offset
    func digits() -> Int {
      let first = end
      while end < bytes.count, bytes[end] &- 48 < 10 { end += 1 }
      return end - first
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
    let lead = end
    var isNumber = digits() > 0 && (bytes[lead] != 48 || end == lead + 1)
    if isNumber, end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      end += 1
      isNumber = digits() > 0
    }
    if isNumber, end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") {
        end += 1
      }
      isNumber = digits() > 0
    }
    guard isNumber, let value = Decimal.value(bytes, from: start, to: end) else {
      throw fail("a value was expected")
    }
    offset = end
    return value
  }

  mutating func string(_ bytes: borrowing Span<UInt8>) throws(SyntaxError) -> String {
    offset += 1
    let start = offset
    while offset < bytes.count, Self.standsForItself(bytes[offset]) { offset += 1 }
    if take(character: "\"", bytes) {
      // The case of all keys, and of nearly all texts: it is read in place.
      return try readText(bytes.extracting(start..<(offset - 1)))
    }
    var text: [UInt8] = []
    text.append(copying: bytes.extracting(start..<offset))
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return try self.readText(text.span)
      case UInt8(ascii: "\\"): try escape(bytes, into: &text)
      case 0..<0x20: throw fail("a control character must be escaped")
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw fail("a closing quote was expected")
  }

  private static func standsForItself(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private func readText(_ bytes: borrowing Span<UInt8>) throws(SyntaxError) -> String {
    do {
      return String(copying: try UTF8Span(validating: copy bytes))
    } catch {
      throw fail("valid UTF-8 was expected")
    }
  }

  private mutating func escape(
    _ bytes: borrowing Span<UInt8>, into text: inout [UInt8]
  ) throws(SyntaxError) {
    guard offset + 1 < bytes.count else { throw fail("an escape was expected") }
    offset += 2
    switch bytes[offset - 1] {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[offset - 1])
    case UInt8(ascii: "u"):
      var code = try hexadecimal(bytes)
      if (0xD800..<0xDC00).contains(code) {
        guard take(character: "\\", bytes), take(character: "u", bytes) else {
          throw fail("a surrogate pair was expected")
        }
        let low = try hexadecimal(bytes)
        guard (0xDC00..<0xE000).contains(low) else { throw fail("a surrogate pair was expected") }
        code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw fail("a surrogate pair was expected") }
      text.append(contentsOf: String(scalar).utf8)
    default: throw fail("an escape was expected")
    }
  }

  private mutating func hexadecimal(_ bytes: borrowing Span<UInt8>) throws(SyntaxError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue
      else { throw fail("four hexadecimal digits were expected") }
      code = code << 4 | UInt32(digit)
      offset += 1
    }
    return code
  }
}
