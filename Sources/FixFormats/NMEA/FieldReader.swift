// SPDX-License-Identifier: Apache-2.0

/// Walks the comma-separated fields of one sentence, without copying.
///
/// An empty field is unknown: `nil`. A field that is there and cannot be read is `nil` too, and sets
/// `isDamaged`; the sentence then decides whether it needed that field.
struct FieldReader {
  /// Behind the address's comma at first; behind the sentence's last byte at the end.
  private(set) var position: Int
  let end: Int
  var isDamaged = false

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position > end }

  /// The next field, without its comma; empty behind the last one.
  @inline(__always)
  mutating func field(_ bytes: borrowing Span<UInt8>) -> Range<Int> {
    guard position <= end else { return end..<end }
    let start = position
    var index = start
    while index < end, bytes[index] != 44 { index += 1 }
    position = index + 1
    return start..<index
  }

  mutating func skip(_ count: Int, _ bytes: borrowing Span<UInt8>) {
    var remaining = count
    var index = position
    while remaining > 0 && index < end {
      if bytes[index] == 44 { remaining -= 1 }
      index += 1
    }
    position = remaining > 0 ? end + 1 : index
  }

  /// The first byte of the next field, or `nil` where it is empty.
  mutating func letter(_ bytes: borrowing Span<UInt8>) -> UInt8? {
    let range = field(bytes)
    return range.isEmpty ? nil : bytes[range.lowerBound]
  }

  /// Whether a status is a valid one: A, or D (differential) of some old receivers; V and empty are
  /// not, and `nil` is no status at all.
  mutating func status(_ bytes: borrowing Span<UInt8>) -> Bool? {
    switch letter(bytes) {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): true
    case UInt8(ascii: "V"), nil: false
    default: nil
    }
  }

  /// Metres per second of a speed in units of `metres` in `seconds`; negative is unknown.
  mutating func speed(
    _ bytes: borrowing Span<UInt8>, times metres: Double, over seconds: Double
  ) -> Double? {
    FieldMeaning.speed(decimal(bytes).map { $0 * metres / seconds })
  }

  /// A number such as `-22.10`; more than 15 digits are damage.
  mutating func decimal(_ bytes: borrowing Span<UInt8>) -> Double? {
    var range = field(bytes)
    // Some receivers pad with blanks: "0045. ".
    while !range.isEmpty, bytes[range.upperBound - 1] == 32 {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    while !range.isEmpty, bytes[range.lowerBound] == 32 {
      range = (range.lowerBound + 1)..<range.upperBound
    }
    guard !range.isEmpty else { return nil }
    var index = range.lowerBound
    let isNegative = bytes[index] == 45
    if isNegative || bytes[index] == 43 { index += 1 }
    var value: Int64 = 0
    var digits = 0
    var decimals = -1
    while index < range.upperBound {
      let digit = bytes[index] &- 48
      if digit < 10 {
        value = value &* 10 &+ Int64(digit)
        digits += 1
        if decimals >= 0 { decimals += 1 }
      } else if bytes[index] == 46 && decimals < 0 {
        decimals = 0
      } else {
        digits = 0
        break
      }
      index += 1
    }
    guard digits > 0 && digits <= 15 else {
      isDamaged = true
      return nil
    }
    // Both are exact in a Double, so the quotient is the nearest one.
    let magnitude = decimals > 0 ? Double(value) / Self.powers[decimals] : Double(value)
    return isNegative ? -magnitude : magnitude
  }

  /// A whole number of at most 9 digits.
  mutating func integer(_ bytes: borrowing Span<UInt8>) -> Int? {
    let range = field(bytes)
    guard !range.isEmpty else { return nil }
    guard range.count <= 9, let value = Self.digits(range, bytes) else {
      isDamaged = true
      return nil
    }
    return value
  }

  /// Microseconds of the day of `hhmmss[.f…]`; digits behind the sixth are dropped. Second 60 is a
  /// leap second: 23:59:60 is 86,400,000,000.
  mutating func timeOfDay(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field(bytes)
    guard !range.isEmpty else { return nil }
    let start = range.lowerBound
    guard range.count >= 6, let hour = Self.digits(start..<(start + 2), bytes),
      let minute = Self.digits((start + 2)..<(start + 4), bytes),
      let second = Self.digits((start + 4)..<(start + 6), bytes),
      hour < 24, minute < 60, second <= 60
    else {
      isDamaged = true
      return nil
    }
    var micros = Int64(hour * 3_600 + minute * 60 + second) * 1_000_000
    if range.count > 6 {
      guard bytes[start + 6] == 46 else {
        isDamaged = true
        return nil
      }
      var scale: Int64 = 100_000
      for index in (start + 7)..<range.upperBound {
        let digit = bytes[index] &- 48
        guard digit < 10 else {
          isDamaged = true
          return nil
        }
        micros += Int64(digit) * scale
        scale /= 10
      }
    }
    return micros
  }

  /// Days since 1970 of `ddmmyy`. Years 80 to 99 are of the 20th century, as GPS began in 1980.
  mutating func day(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field(bytes)
    guard !range.isEmpty else { return nil }
    let start = range.lowerBound
    guard range.count == 6, let day = Self.digits(start..<(start + 2), bytes),
      let month = Self.digits((start + 2)..<(start + 4), bytes),
      let year = Self.digits((start + 4)..<(start + 6), bytes),
      let date = TimeOfDay.days(year: year >= 80 ? 1900 + year : 2000 + year, month, day)
    else {
      isDamaged = true
      return nil
    }
    return date
  }

  /// Latitude and longitude in degrees of `ddmm.m,N,dddmm.m,E`; `nil` where one is missing, damaged
  /// or out of range.
  mutating func position(_ bytes: borrowing Span<UInt8>) -> Position? {
    let latitude = angle(bytes, limit: 90, positive: 78, negative: 83)
    let longitude = angle(bytes, limit: 180, positive: 69, negative: 87)
    guard let latitude, let longitude else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  /// Degrees of an angle and its hemisphere letter. All digits up to the ninth decimal of a minute go
  /// into one integer, which one division turns into the nearest Double.
  private mutating func angle(
    _ bytes: borrowing Span<UInt8>, limit: Int64, positive: UInt8, negative: UInt8
  ) -> Double? {
    let range = field(bytes)
    let hemisphere = letter(bytes)
    guard !range.isEmpty else { return nil }
    var whole: Int64 = 0
    var index = range.lowerBound
    while index < range.upperBound, bytes[index] &- 48 < 10 {
      whole = whole &* 10 &+ Int64(bytes[index] &- 48)
      index += 1
    }
    let wholeDigits = index - range.lowerBound
    var fraction: Int64 = 0
    var scale: Int64 = 1_000_000_000
    if index < range.upperBound, bytes[index] == 46 {
      index += 1
      while index < range.upperBound, bytes[index] &- 48 < 10 {
        if scale > 1 {
          scale /= 10
          fraction += Int64(bytes[index] &- 48) * scale
        }
        index += 1
      }
    }
    // More digits would overflow below.
    guard index == range.upperBound, wholeDigits >= 1, wholeDigits <= 6, whole % 100 < 60,
      hemisphere == positive || hemisphere == negative
    else {
      isDamaged = true
      return nil
    }
    let nanominutes = (whole / 100 * 60 + whole % 100) * 1_000_000_000 + fraction
    guard nanominutes <= limit * 60_000_000_000 else {
      isDamaged = true
      return nil
    }
    let value = Double(nanominutes) / 60e9
    return hemisphere == negative ? -value : value
  }

  @inline(__always)
  private static func digits(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int? {
    var value = 0
    for index in range {
      let digit = bytes[index] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  private static let powers: InlineArray<16, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
