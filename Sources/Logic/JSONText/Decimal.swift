// SPDX-License-Identifier: Apache-2.0

/// Decimal text of numbers, without Foundation and without the locale.
package enum Decimal {
  /// `value` with `decimals` digits behind the point (0 to 9), rounded half away from zero.
  ///
  /// `trimmed` drops trailing zeros and a bare point. Negative zero is written as 0. Values of 10¹⁵ or
  /// more are written as Swift describes them; the caller has checked that `value` is finite.
  package static func text(_ value: Double, decimals: Int, trimmed: Bool = false) -> String {
    var bytes: [UInt8] = []
    append(value, decimals: decimals, trimmed: trimmed, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of `text(_:decimals:trimmed:)`.
  package static func append(
    _ value: Double, decimals: Int, trimmed: Bool = false, to bytes: inout [UInt8]
  ) {
    precondition((0...9).contains(decimals) && value.isFinite)
    guard value.magnitude < 1e15 else {
      return bytes.append(copying: value.description.utf8Span.span)
    }
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    // Whole and fraction apart, so that large values keep their digits.
    var whole = UInt64(value.magnitude.rounded(.down))
    let remainder = value.magnitude - value.magnitude.rounded(.down)
    var fraction = UInt64((remainder * Double(scale)).rounded())
    if fraction == scale {
      whole += 1
      fraction = 0
    }
    if value < 0, whole > 0 || fraction > 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: whole, atLeast: 1, to: &bytes)
    var decimals = decimals
    while trimmed, decimals > 0, fraction % 10 == 0 {
      (fraction, decimals) = (fraction / 10, decimals - 1)
    }
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    append(digits: fraction, atLeast: decimals, to: &bytes)
  }

  /// Appends a whole number, with zeros before it if it has fewer than `count` digits.
  private static func append(digits whole: UInt64, atLeast count: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = whole
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < count
    bytes[start...].reverse()
  }
}
