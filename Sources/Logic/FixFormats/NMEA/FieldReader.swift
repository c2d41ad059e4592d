// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Walks the comma-separated fields of one sentence, without copying.
///
/// An empty field is unknown: `nil`. A field that is present but unreadable is `nil` too, and sets `isDamaged`; the
/// sentence then decides whether it needed that field.
///
/// The scanner, which looks at each byte anyhow, tells it the place of each comma:
///
///     GPVTG,054.7,T,,M
///          0     1 23 4   places: of the commas, and of the body's end
struct FieldReader: Sendable {
  /// The number of commas kept, beside those of the block with the last of them: a line has no more bytes.
  static let commaLimit = NMEADecoder.lineLimit

  var isDamaged = false
  private var places = InlineArray<1_041, Int32>(repeating: 0)
  /// The number of comma places, and so of fields behind the address.
  private var count = 0
  /// The place that ends the next field.
  private var next = 1
  private var start = 0
  /// The latest position read, and its text.
  private var latestText: PositionText?
  private var latestPosition: Position?

  /// Characters of the address, in front of the first comma.
  var addressLength: Int { Int(places[0]) &- start }

  var isAtEnd: Bool { next > count }

  /// Begins a body.
  mutating func begin(at start: Int) {
    self.start = start
    count = 0
    next = 1
    isDamaged = false
  }

  /// Takes the commas marked in the block from `position` on.
  @inline(__always)
  mutating func append(_ marks: ByteBlock.Marks, at position: Int) {
    guard count <= Self.commaLimit else { return }
    var rest = marks
    var index = count
    while !rest.isEmpty {
      places[index] = Int32(truncatingIfNeeded: position &+ rest.place)
      index &+= 1
      rest.removeFirst()
    }
    count = index
  }

  /// Takes a comma.
  mutating func append(at position: Int) {
    guard count <= Self.commaLimit else { return }
    places[count] = Int32(truncatingIfNeeded: position)
    count &+= 1
  }

  /// Takes the end of the body.
  mutating func end(at position: Int) { places[count] = Int32(truncatingIfNeeded: position) }

  /// The next field, without its comma; empty behind the last one.
  @inline(__always)
  mutating func field() -> Range<Int> {
    guard next <= count else { return 0..<0 }
    let start = Int(places[next &- 1]) &+ 1
    let end = Int(places[next])
    next &+= 1
    return start..<end
  }

  /// Skips `count` fields.
  mutating func skip(_ count: Int) { next &+= count }

  /// The first byte of the next field, or `nil` if it is empty.
  mutating func letter(_ bytes: borrowing Span<UInt8>) -> UInt8? {
    let range = field()
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
    var range = field()
    if range.isEmpty { return nil }
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

  /// A number of at most eight characters and at least one, digits with a point among them or before them, perhaps
  /// behind a minus; `nil` for all others.
  @inline(__always)
  private static func shortDecimal(
    _ range: Range<Int>, _ bytes: borrowing Span<UInt8>
  ) -> Double? {
    guard range.count <= ByteWord.length else { return nil }
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
  @inline(__always)
  mutating func integer(_ bytes: borrowing Span<UInt8>) -> Int? {
    let range = field()
    if range.count == 2 {
      // The usual case.
      let (tens, ones) = (bytes[range.lowerBound] &- 48, bytes[range.lowerBound &+ 1] &- 48)
      if tens < 10, ones < 10 { return Int(tens &* 10 &+ ones) }
    }
    return integer(in: range, bytes)
  }

  private mutating func integer(in range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int? {
    if range.count <= ByteWord.length {
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

  /// Microseconds of the day of `hhmmss[.f…]`; digits after the sixth are dropped. Second 60 is a leap second: 23:59:60
  /// is 86,400,000,000.
  mutating func timeOfDay(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field()
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
      let fraction = (start + 7)..<range.upperBound
      guard let part = Self.micros(fraction, bytes) else {
        isDamaged = true
        return nil
      }
      micros += part
    }
    return micros
  }

  /// Microseconds of the digits after a second's point; `nil` if there are other characters.
  @inline(__always)
  private static func micros(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int64? {
    let end = min(range.lowerBound + 6, range.upperBound)
    let (count, value) = ByteWord(bytes, from: range.lowerBound, to: end).digits
    guard count == end - range.lowerBound else { return nil }
    for index in end..<range.upperBound where bytes[index] &- 48 > 9 { return nil }
    return value &* wholePowers[6 - count]
  }

  /// Days since 1970 of `ddmmyy`. Years 80 to 99 are of the 20th century, as GPS began in 1980.
  mutating func day(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field()
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

  /// Latitude and longitude in degrees of `ddmm.m,N,dddmm.m,E`; `nil` if one is missing, damaged or out of range.
  mutating func position(_ bytes: borrowing Span<UInt8>) -> Position? {
    let text = textOfPosition(bytes)
    // RMC repeats the position of GGA.
    if let text, text == latestText {
      next &+= 4
      return latestPosition
    }
    let latitude = angle(bytes, limit: 90, positive: 78, negative: 83)
    let longitude = angle(bytes, limit: 180, positive: 69, negative: 87)
    guard let latitude, let longitude else { return nil }
    let position = Position(latitude: latitude, longitude: longitude)
    if let text { (latestText, latestPosition) = (text, position) }
    return position
  }

  /// The bytes of the next four fields; `nil` if they are more than 32, or too near to the end.
  // A reader is large: its queries are `mutating`, although they change nothing, and so run in place.
  @inline(__always)
  private mutating func textOfPosition(_ bytes: borrowing Span<UInt8>) -> PositionText? {
    guard next &+ 3 <= count else { return nil }
    let (start, end) = (Int(places[next &- 1]) &+ 1, Int(places[next &+ 3]))
    let length = end &- start
    guard length <= 2 * ByteBlock.length, start &+ 2 * ByteBlock.length <= bytes.count else {
      return nil
    }
    let firsts = min(length, ByteBlock.length)
    return PositionText(
      length: length, first: ByteBlock(bytes, at: start).prefix(firsts),
      second: ByteBlock(bytes, at: start &+ ByteBlock.length).prefix(length &- firsts))
  }

  private struct PositionText: Equatable, Sendable {
    let length: Int
    let first: ByteBlock
    let second: ByteBlock
  }

  /// Degrees of an angle and its hemisphere letter. All digits up to the ninth decimal of a minute go into one integer,
  /// which one division turns into the nearest Double.
  private mutating func angle(
    _ bytes: borrowing Span<UInt8>, limit: Int64, positive: UInt8, negative: UInt8
  ) -> Double? {
    let range = field()
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
