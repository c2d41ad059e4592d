// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Writes one JSON document on one line, members in the order in which they are written.
///
/// Numbers are written with a stated number of decimals, rounded half away from zero, so that the last
/// bit of a library's sine never shows in an output.
@usableFromInline package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false
  /// The last shared fix written, and its text.
  package private(set) var latestFix: FixText?

  package init() {}

  /// A document in which `latestFix` can be reused, with room for one position.
  package init(after latestFix: FixText?) {
    self.latestFix = latestFix
    bytes.reserveCapacity(512)
  }

  /// Continues bytes that are JSON already.
  package init(continuing bytes: [UInt8]) { self.bytes = bytes }

  /// Continues a text that is JSON already.
  package init(continuing text: String) { bytes = Array(text.utf8) }

  /// Ends the document's line.
  package mutating func endLine(withReturn: Bool) {
    if withReturn { bytes.append(0x0D) }
    bytes.append(0x0A)
  }

  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    openBracket("{")
    body(&self)
    closeBracket("}")
  }

  /// Continues the last written object, or begins one if there was none.
  package mutating func extendObject(_ body: (inout JSONWriter) -> Void) {
    guard bytes.last == UInt8(ascii: "}") else { return object(body) }
    bytes.removeLast()
    needsComma = bytes.last != UInt8(ascii: "{")
    body(&self)
    closeBracket("}")
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    openBracket("[")
    body(&self)
    closeBracket("]")
  }

  /// Writes a member's key; its value must follow.
  package mutating func key(_ key: String) {
    separate()
    append(quoted: key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// The same, for a key that is written often.
  @usableFromInline mutating func key(_ key: JSONKey) {
    separate()
    bytes += key.bytes
  }

  @usableFromInline package mutating func null() {
    separate()
    bytes.append(constant: "null")
    needsComma = true
  }

  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    separate()
    append(quoted: value)
    needsComma = true
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func integer(_ value: Int?) { raw(value.map(String.init) ?? "null") }

  /// Writes a number with at most `decimals` decimals; unknown and not finite are `null`.
  package mutating func number(_ value: Double?, decimals: Int) {
    guard let value, value.isFinite else { return null() }
    separate()
    Decimal.append(value, decimals: decimals, trimmed: true, to: &bytes)
    needsComma = true
  }

  /// Writes a time as `UTCInstant.rfc3339` states it; an exact one with microseconds, where that would lose some.
  package mutating func instant(_ value: UTCInstant, isExact: Bool = false) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    if isExact { value.appendFullText(to: &bytes) } else { value.appendRFC3339(to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a number so that it reads back as the same `Double` (`Decimal.shortest`).
  package mutating func exact(_ value: Double?) {
    guard let value, value.isFinite else { return null() }
    separate()
    Decimal.append(shortest: value, to: &bytes)
    needsComma = true
  }

  /// Writes a fix by `write`, or copies its text if it is the latest one.
  package mutating func fix(_ fix: Fix, by write: (Fix, inout JSONWriter) -> Void) {
    separate()
    if let latestFix, latestFix.fix == fix {
      bytes += latestFix.bytes
    } else {
      let start = bytes.count
      write(fix, &self)
      latestFix = FixText(fix: fix, bytes: Array(bytes[start...]))
    }
    needsComma = true
  }

  /// Writes a number so that it reads back as the same `Double`, bit for bit, even if that needs an
  /// exponent; unknown and not finite are `null`.
  package mutating func roundTrip(_ value: Double?) {
    guard let value, value.isFinite else { return null() }
    let text = value.description
    raw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): roundTrip(value)
    case .string(let value): string(value)
    case .array(let elements): array { json in for element in elements { json.value(element) } }
    case .object(let members):
      object { json in
        for member in members {
          json.key(member.key)
          json.value(member.value)
        }
      }
    }
  }

  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }

  package mutating func member(_ name: String, _ value: Int?) {
    key(name)
    integer(value)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  package mutating func member(_ name: String, _ value: Double?, decimals: Int) {
    key(name)
    number(value, decimals: decimals)
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes.append(copying: text.utf8Span.span)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func openBracket(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func closeBracket(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(quoted text: String) {
    let span = text.utf8Span.span
    bytes.append(UInt8(ascii: "\""))
    var plain = 0
    while plain < span.count, !Self.isEscaped(span[plain]) { plain += 1 }
    // The case of all keys, and of nearly all texts, is that this is all.
    bytes.append(copying: span.extracting(0..<plain))
    for index in plain..<span.count {
      let byte = span[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))".utf8)
        bytes.append(contentsOf: digits.utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// A member's key as it is written: quoted, with its colon.
@usableFromInline struct JSONKey: Sendable {
  fileprivate let bytes: [UInt8]

  @usableFromInline init(_ key: String) {
    var json = JSONWriter()
    json.key(key)
    bytes = json.bytes
  }
}

/// A fix and its JSON text.
package struct FixText: Sendable {
  let fix: Fix
  let bytes: [UInt8]
}
