// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Why bytes are no message: what, where, with which value, and what was expected.
package struct ProtocolError: Error, Sendable, Equatable {
  package let code: ServerMessage.ErrorCode
  package let message: String

  package init(_ message: String, code: ServerMessage.ErrorCode = .malformed) {
    self.code = code
    self.message = message
  }

  /// The error as it is told to the client.
  package var answer: ServerMessage { .error(code: code, message) }
}

/// Values of a foreign message as they are quoted in an error: short, and without control characters.
enum Quoted {
  /// How many characters of a foreign text are repeated.
  static let limit = 40

  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
  }

  static func bytes(_ bytes: borrowing Span<UInt8>) -> String {
    var start: [UInt8] = []
    for index in 0..<min(bytes.count, limit * 4) { start.append(bytes[index]) }
    let text = String(decoding: start, as: UTF8.self)
    return Self.text(text)
  }

  /// `"walk"`, `12`, `an array`.
  static func value(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): Decimal.text(number, decimals: 6, trimmed: true)
    case .string(let string): "\"\(text(string))\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}
