// SPDX-License-Identifier: Apache-2.0

/// Texts and values from outside as shown to people: names of files and programs, messages of others.
package enum Quoted {
  /// The number of characters of a foreign text repeated in an error.
  package static let limit = 40

  /// `text` with a `mark` for each control character (C0, DEL and C1 of ISO 6429), since those would steer a terminal;
  /// those in `kept` stay.
  package static func plain(
    _ text: some StringProtocol, mark: Unicode.Scalar = "?", keeping kept: String = ""
  ) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      shown.append(isControl && !kept.unicodeScalars.contains(scalar) ? mark : scalar)
    }
    return String(shown)
  }

  /// The start of a foreign text, as an error repeats it.
  package static func text(_ text: String) -> String {
    let start = plain(String(text.unicodeScalars.prefix(limit)), mark: "\u{FFFD}")
    return text.unicodeScalars.count > limit ? start + "…" : start
  }

  package static func bytes(_ bytes: borrowing Span<UInt8>) -> String {
    var start: [UInt8] = []
    for index in 0..<min(bytes.count, limit * 4) { start.append(bytes[index]) }
    return text(String(decoding: start, as: UTF8.self))
  }

  /// `"walk"`, `12`, `an array`.
  package static func value(_ value: JSONValue) -> String {
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
