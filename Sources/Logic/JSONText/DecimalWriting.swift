// SPDX-License-Identifier: Apache-2.0

extension Decimal {
  /// The shortest text without an exponent that reads back as the same `Double`.
  ///
  /// Values below 10⁻⁴ or from 2⁵⁴ on are written with nine decimals, which may round them.
  package static func shortest(_ value: Double) -> String {
    var bytes: [UInt8] = []
    append(shortest: value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of `shortest(_:)`; nothing if the value is not finite.
  package static func append(shortest value: Double, to bytes: inout [UInt8]) {
    if let (digits, decimals) = fewDigits(value) {
      if value.sign == .minus { bytes.append(UInt8(ascii: "-")) }
      return append(digits: digits, decimals: decimals, to: &bytes)
    }
    guard value.isFinite else { return }
    let start = bytes.count
    bytes.append(copying: value.description.utf8Span.span)
    if bytes[start...].contains(UInt8(ascii: "e")) {
      bytes.removeSubrange(start...)
      bytes.append(copying: Decimal.text(value, decimals: 9, trimmed: true).utf8Span.span)
    } else if bytes[start...].suffix(2).elementsEqual(".0".utf8) {
      bytes.removeLast(2)
    }
  }

  /// The digits of a number that has at most 15 of them, and the number of decimals among them; `nil` for others.
  ///
  /// Two decimals of at most 15 digits are never the same `Double` (IEEE 754's DBL_DIG), so one that
  /// reads back is the shortest. It reads back if the quotient is the value again: both of its terms are
  /// exact, and a division rounds once. The product is off by less than a quarter, so it rounds to the
  /// digits if there are any.
  private static func fewDigits(_ value: Double) -> (digits: UInt64, decimals: Int)? {
    let magnitude = value.magnitude
    guard magnitude == 0 || magnitude >= 1e-4 else { return nil }
    var scale = 1.0
    for decimals in 0...9 {
      let scaled = magnitude * scale
      // False for a value that is not finite, too.
      guard scaled < 1e15 else { return nil }
      let digits = scaled.rounded()
      if digits / scale == magnitude { return (UInt64(digits), decimals) }
      scale *= 10
    }
    return nil
  }

  /// Appends an integer of at most 15 digits with a point before its last `decimals`, 0 to 9 of them.
  private static func append(digits: UInt64, decimals: Int, to bytes: inout [UInt8]) {
    var text = InlineArray<17, UInt8>(repeating: UInt8(ascii: "0"))
    var place = 17
    var rest = digits
    repeat {
      place -= 1
      if decimals > 0, place == 16 - decimals {
        text[place] = UInt8(ascii: ".")
      } else {
        text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    } while rest > 0 || (decimals > 0 && place > 15 - decimals)
    for index in place..<17 { bytes.append(text[index]) }
  }
}
