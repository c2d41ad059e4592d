// SPDX-License-Identifier: Apache-2.0

extension Decimal {
  /// The number in `text`, or `nil` if it is not one.
  ///
  /// An optional sign, digits with at most one point, and an optional exponent; at least one digit. A
  /// decimal comma, a thousands separator, `inf` and `nan` are not numbers, in any locale. The
  /// nearest `Double` is returned, so the output of `shortest(_:)` comes back bit for bit.
  package static func value(_ text: borrowing Span<UInt8>) -> Double? {
    value(text, from: 0, to: text.count)
  }

  /// The number in the bytes `start ..< end` of `text`; see `value(_:)`.
  package static func value(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> Double? {
    var position = start
    let negative = position < end && text[position] == UInt8(ascii: "-")
    if negative || (position < end && text[position] == UInt8(ascii: "+")) { position += 1 }
    if let value = shortValue(text, from: position, to: end) { return negative ? -value : value }
    var mantissa: UInt64 = 0
    var scale = 0
    var digits = 0
    var isExact = true
    var seenPoint = false
    while position < end {
      if mantissa < 10_000_000_000 {
        // Up to eight digits more have room.
        let few = ByteWord(text, from: position, to: min(position + ByteWord.length, end)).digits
        if few.count > 0 {
          mantissa = mantissa * wholePowersOfTen[few.count] + UInt64(few.value)
          digits += few.count
          if seenPoint { scale -= few.count }
          position += few.count
          continue
        }
      }
      let byte = text[position]
      let digit = byte &- 48
      if digit < 10 {
        digits += 1
        if mantissa < 1_000_000_000_000_000_000 {
          mantissa = mantissa * 10 + UInt64(digit)
          if seenPoint { scale -= 1 }
        } else {
          isExact = isExact && digit == 0
          if !seenPoint { scale += 1 }
        }
      } else if byte == UInt8(ascii: "."), !seenPoint {
        seenPoint = true
      } else {
        break
      }
      position += 1
    }
    guard digits > 0 else { return nil }
    if position < end {
      guard let exponent = exponent(text, from: position, to: end) else { return nil }
      scale += exponent
    }
    // Both numbers are exact as Double here, and one operation rounds once (Clinger 1990).
    if isExact, mantissa <= 1 << 53, scale >= -22, scale <= 22 {
      let whole = Double(mantissa)
      let value = scale < 0 ? whole / powersOfTen[-scale] : whole * powersOfTen[scale]
      return negative ? -value : value
    }
    let value = longValue(mantissa, scale, isExact) ?? slowValue(text, from: start, to: end)
    guard let value, value.isFinite else { return nil }
    return negative ? -value.magnitude : value.magnitude
  }

  /// The value of at most eight digits with a point, or of up to seven, a point and at most eight; `nil` for other
  /// texts.
  @inline(__always)
  private static func shortValue(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> Double? {
    if let (value, decimals) = ByteWord.number(text, from: start, to: end) {
      return decimals > 0 ? Double(value) / powersOfTen[decimals] : Double(value)
    }
    let first = ByteWord(text, from: start, to: min(start + ByteWord.length, end)).digits
    let point = start + first.count
    if point == end { return first.count > 0 ? Double(first.value) : nil }
    guard first.count > 0, first.count < 8, text[point] == UInt8(ascii: "."), end - point <= 9
    else { return nil }
    let second = ByteWord(text, from: point + 1, to: end).digits
    guard second.count == end - point - 1 else { return nil }
    // At most fifteen digits and at most 10⁸: both are exact, and one operation rounds once.
    let scale = powersOfTen[second.count]
    return (Double(first.value) * scale + Double(second.value)) / scale
  }

  private static let wholePowersOfTen: InlineArray<9, UInt64> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static func exponent(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> Int? {
    guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var position = start + 1
    let negative = position < end && text[position] == UInt8(ascii: "-")
    if negative || (position < end && text[position] == UInt8(ascii: "+")) { position += 1 }
    guard position < end, end - position <= 6 else { return nil }
    var value = 0
    while position < end {
      let digit = text[position] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
      position += 1
    }
    return negative ? -value : value
  }

  /// `mantissa` × 10^`scale` for scales of −18 to 0, by division in 128 bits, or `nil` if digits that
  /// did not fit into the mantissa could decide the rounding.
  ///
  /// Sport watches print the whole binary expansion of a double, 30 digits and more; this is their path.
  private static func longValue(_ mantissa: UInt64, _ scale: Int, _ isExact: Bool) -> Double? {
    guard scale <= 0, scale >= -18, mantissa > 0 else { return nil }
    var divisor: UInt64 = 1
    for _ in 0..<(-scale) { divisor *= 10 }
    // The quotient gets at least 64 − 60 + 63 = 67 bits less the divisor's, always above 55.
    let shift = 63
    let numerator = UInt128(mantissa) << UInt128(shift)
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: UInt128(divisor))
    let bits = 128 - quotient.leadingZeroBitCount
    guard bits > 56 else { return nil }
    let dropped = bits - 53
    let half = UInt128(1) << UInt128(dropped - 1)
    let tail = quotient & (half << 1 - 1)
    var kept = UInt64(truncatingIfNeeded: quotient >> UInt128(dropped))
    if !isExact {
      // The true value lies above by less than one unit of the mantissa: does that reach the midpoint?
      // (To reach past the next double does no harm: both sides of it round to it.)
      let slack = (UInt128(1) << UInt128(shift)) / UInt128(divisor) + 1
      if tail < half, tail + slack >= half { return nil }
    }
    let isAbove = tail > half || (tail == half && (remainder != 0 || !isExact))
    if isAbove || (tail == half && kept & 1 == 1) { kept += 1 }
    // 2^(dropped − shift), exact.
    return Double(sign: .plus, exponent: dropped - shift, significand: Double(kept))
  }

  private static func slowValue(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> Double? {
    var copy = ""
    copy.reserveCapacity(end - start)
    for index in start..<end { copy.unicodeScalars.append(Unicode.Scalar(text[index])) }
    return Double(copy)
  }
}
