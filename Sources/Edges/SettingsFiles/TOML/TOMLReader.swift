// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Reads the bytes of a TOML file, statement by statement. The bytes are valid UTF-8.
struct TOMLReader {
  let bytes: [UInt8]
  /// The next byte.
  var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// `nil` at the end.
  var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  func failure(_ message: String) -> SyntaxError { SyntaxError(at, message) }

  mutating func document() throws(SyntaxError) -> JSONValue {
    let root = TOMLTable(.header, depth: 0)
    var current = root
    while true {
      skipBlanks()
      switch next {
      case nil: return root.value
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): break
      case UInt8(ascii: "["): current = try header(in: root)
      default:
        let (keys, value) = try member(depth: current.depth)
        try current.set(keys, to: value)
      }
      try endLine()
    }
  }

  private mutating func header(in root: TOMLTable) throws(SyntaxError) -> TOMLTable {
    at += 1
    let isElement = take(UInt8(ascii: "["))
    skipBlanks()
    let keys = try key()
    guard take(UInt8(ascii: "]")), !isElement || take(UInt8(ascii: "]")) else {
      throw failure("'\(isElement ? "]]" : "]")' was expected behind the table's name")
    }
    return try isElement ? root.nextElement(keys) : root.header(keys)
  }

  /// `key = value`.
  private mutating func member(
    depth: Int
  ) throws(SyntaxError) -> (keys: [TOMLTable.Key], value: JSONValue) {
    let keys = try key()
    guard take(UInt8(ascii: "=")) else { throw failure("'=' was expected behind the key") }
    skipBlanks()
    return (keys, try value(depth: depth + keys.count))
  }

  // MARK: Keys

  /// The parts of a dotted key, and the blanks after it.
  private mutating func key() throws(SyntaxError) -> [TOMLTable.Key] {
    var keys: [TOMLTable.Key] = []
    repeat {
      guard keys.count < SettingsFile.depthLimit else { throw failure("nested too deeply") }
      skipBlanks()
      keys.append(try keyPart())
      skipBlanks()
    } while take(UInt8(ascii: "."))
    return keys
  }

  private mutating func keyPart() throws(SyntaxError) -> TOMLTable.Key {
    let start = at
    let text: [UInt8]
    switch next {
    case UInt8(ascii: "\""): text = try basicString()
    case UInt8(ascii: "'"): text = try literalString()
    default:
      while let byte = next, Self.isBare(byte) { at += 1 }
      guard at > start else {
        throw failure(
          (next ?? 0) >= 0x80
            ? "a key with other letters than a to z stands in quotes" : "a key was expected")
      }
      text = Array(bytes[start..<at])
    }
    return .init(text: String(decoding: text, as: UTF8.self), bytes: text, offset: start)
  }

  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(SyntaxError) -> JSONValue {
    guard depth < SettingsFile.depthLimit else { throw failure("nested too deeply") }
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(String(decoding: try string(), as: UTF8.self))
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "{"): return try inlineTable(depth: depth)
    default: return try scalar()
    }
  }

  private mutating func array(depth: Int) throws(SyntaxError) -> JSONValue {
    at += 1
    var elements: [JSONValue] = []
    while true {
      try skipLines()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      elements.append(try value(depth: depth + 1))
      try skipLines()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "]")) else { throw failure("',' or ']' was expected") }
      return .array(elements)
    }
  }

  private mutating func inlineTable(depth: Int) throws(SyntaxError) -> JSONValue {
    at += 1
    let table = TOMLTable(.inline, depth: depth)
    skipBlanks()
    if take(UInt8(ascii: "}")) { return table.value }
    repeat {
      skipBlanks()
      let (keys, value) = try member(depth: depth)
      try table.set(keys, to: value)
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("',' or '}' was expected") }
    return table.value
  }

  // MARK: Between

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  mutating func takeLineEnd() -> Bool {
    if take(UInt8(ascii: "\n")) { return true }
    guard next == UInt8(ascii: "\r"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\n")
    else { return false }
    at += 2
    return true
  }

  mutating func skipBlanks() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { at += 1 }
  }

  /// Skips blanks, line ends and comments, as allowed in an array.
  private mutating func skipLines() throws(SyntaxError) {
    repeat {
      skipBlanks()
      try skipComment()
    } while takeLineEnd()
  }

  private mutating func skipComment() throws(SyntaxError) {
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "\r"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\n") {
        return
      }
      guard !Self.isControl(byte) else { throw failure("a control character in a comment") }
      at += 1
    }
  }

  private mutating func endLine() throws(SyntaxError) {
    skipBlanks()
    try skipComment()
    guard next == nil || takeLineEnd() else { throw failure("the end of the line was expected") }
  }

  /// Whether a byte is forbidden in comments and strings; the tab is allowed.
  static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
  }
}
