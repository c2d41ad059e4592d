// SPDX-License-Identifier: Apache-2.0

/// Decimal text of numbers, without Foundation and without the locale.
package enum Decimal {
  /// `value` with `decimals` digits behind the point (0 to 9), rounded half away from zero.
  ///
  /// `trimmed` drops trailing zeros and a bare point. Negative zero is written as 0. Values of 10¹⁵ or
  /// more are written as Swift describes them; the caller has checked that `value` is finite.
  package static func text(_ value: Double, decimals: Int, trimmed: Bool = false) -> String {
    precondition((0...9).contains(decimals) && value.isFinite)
    guard value.magnitude < 1e15 else { return value.description }
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
    var text = String(whole)
    if decimals > 0 && !(trimmed && fraction == 0) {
      let digits = String(fraction)
      var tail = String(repeating: "0", count: decimals - digits.utf8.count) + digits
      if trimmed { while tail.hasSuffix("0") { tail.removeLast() } }
      text += "." + tail
    }
    let isZero = whole == 0 && fraction == 0
    return value < 0 && !isZero ? "-" + text : text
  }
}
