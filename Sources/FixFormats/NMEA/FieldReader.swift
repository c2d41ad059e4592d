// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Walks the comma-separated fields of one sentence, without copying.
///
/// An empty field is unknown: `nil`. A field that is there and cannot be read is `nil` too, and sets
/// `isDamaged`; the sentence then decides whether it needed that field.
struct FieldReader {
  /// Behind the address's comma at first; behind the sentence's last byte at the end.
  private(set) var position: Int
  let end: Int
  var isDamaged = false
  private let commas: CommaTable
  /// The first comma at `position` or behind it.
  private var next: Int

  /// `range` is behind the address, of which the comma is the first in the table.
  init(_ range: Range<Int>, _ commas: CommaTable) {
    position = range.lowerBound
    end = range.upperBound
    self.commas = commas
    next = commas.count > 0 && commas[0] < range.lowerBound ? 1 : 0
  }

  var isAtEnd: Bool { position > end }

  /// The next field, without its comma; empty behind the last one.
  @inline(__always)
  mutating func field(_ bytes: borrowing Span<UInt8>) -> Range<Int> {
    guard position <= end else { return end..<end }
    let start = position
    var comma = end
    if next < commas.count {
      comma = commas[next]
      next &+= 1
    } else if commas.isFull {
      comma = bytes.first(44, from: start, to: end)
    }
    position = comma + 1
    return start..<comma
  }

  /// Passes over `count` fields, at least one.
  mutating func skip(_ count: Int, _ bytes: borrowing Span<UInt8>) {
    let last = next + count - 1
    if last < commas.count {
      position = commas[last] + 1
      next = last + 1
    } else if commas.isFull {
      for _ in 0..<count { _ = field(bytes) }
    } else {
      position = end + 1
    }
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
    if let value = Self.shortDecimal(range, bytes) { return value }
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

  /// A number of at most eight characters, digits with a point among them or before them, perhaps behind a
  /// minus; `nil` for all others, whatever they are.
  @inline(__always)
  private static func shortDecimal(
    _ range: Range<Int>, _ bytes: borrowing Span<UInt8>
  ) -> Double? {
    guard !range.isEmpty, range.count <= ByteWord.length else { return nil }
    let isNegative = bytes[range.lowerBound] == 45
    let start = isNegative ? range.lowerBound + 1 : range.lowerBound
    var word = ByteWord(bytes, from: start, to: range.upperBound)
    var wanted = range.upperBound - start
    let point = ByteWord.place(of: word.marks(of: 46))
    var decimals = 0
    if point < wanted {
      word = word.without(point)
      wanted -= 1
      decimals = wanted - point
    }
    let (count, value) = word.digits
    guard count == wanted, count > 0 else { return nil }
    // Both are exact in a Double, so the quotient is the nearest one.
    let magnitude = decimals > 0 ? Double(value) / powers[decimals] : Double(value)
    return isNegative ? -magnitude : magnitude
  }

  /// A whole number of at most 9 digits.
  mutating func integer(_ bytes: borrowing Span<UInt8>) -> Int? {
    let range = field(bytes)
    if range.count == 2 {
      // As most of them are.
      let (tens, ones) = (bytes[range.lowerBound] &- 48, bytes[range.lowerBound &+ 1] &- 48)
      if tens < 10, ones < 10 { return Int(tens &* 10 &+ ones) }
    } else if range.count <= ByteWord.length {
      let (count, value) = ByteWord(bytes, from: range.lowerBound, to: range.upperBound).digits
      if count == range.count, count > 0 { return Int(value) }
    }
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
    let (count, clock) = ByteWord(bytes, from: start, to: min(start + 6, range.upperBound)).digits
    let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
    guard count == 6, hour < 24, minute < 60, second <= 60 else {
      isDamaged = true
      return nil
    }
    var micros = (hour * 3_600 + minute * 60 + second) * 1_000_000
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
    let (wholeDigits, whole) =
      ByteWord(bytes, from: range.lowerBound, to: min(range.lowerBound + 8, range.upperBound))
      .digits
    var index = range.lowerBound + wholeDigits
    var fraction: Int64 = 0
    var decimals = 0
    if index < range.upperBound, bytes[index] == 46 {
      index += 1
      (decimals, fraction) =
        ByteWord(bytes, from: index, to: min(index + 8, range.upperBound)).digits
      index += decimals
      while index < range.upperBound, bytes[index] &- 48 < 10 {
        if decimals < 9 {
          fraction = fraction &* 10 &+ Int64(bytes[index] &- 48)
          decimals += 1
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
    let nanominutes =
      (whole / 100 * 60 + whole % 100) * 1_000_000_000
      + fraction &* Self.wholePowers[9 - decimals]
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

  private static let wholePowers: InlineArray<10, Int64> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  private static let powers: InlineArray<16, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
