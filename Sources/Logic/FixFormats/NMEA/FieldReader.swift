// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Walks the comma-separated fields of one sentence, without copying.
///
/// An empty field is unknown: `nil`. A field that is present but unreadable is `nil` too, and sets `isDamaged`; the
/// sentence then decides whether it needed that field.
///
/// The scanner, which looks at each byte anyhow, marks the ends of the fields, a bit for each byte of the body:
///
///     GPVTG,054.7,T,,M*
///     .....*.....*.**.*   sixty-four bits are a word, and its lowest bit is the first byte
struct FieldReader: Sendable {
  var isDamaged = false
  /// A line of `NMEADecoder.lineLimit` bytes, and its end.
  private var words = InlineArray<17, UInt64>(repeating: 0)
  private var wordCount = 0
  /// The place behind the body.
  private var end = 0
  /// The place of the next field.
  private var place = 0
  /// The word in which the next field ends, or one before it: its index, the place of its lowest bit, and its marks from
  /// the next field on.
  private var word = 0
  private var base = 0
  private var marks: UInt64 = 0
  /// The latest position and the latest date read, and their texts.
  private var latestText: PositionText?
  private var latestPosition: Position?
  private var latestDate: (text: UInt64, day: Int64)?

  /// Characters of the address, in front of the first comma; 64 stands for more.
  var addressLength: Int { words[0].trailingZeroBitCount }

  var isAtEnd: Bool { place > end }

  /// Begins a body.
  @inline(__always)
  mutating func begin(at start: Int) {
    (base, place) = (start, start)
    (word, wordCount) = (0, 0)
    isDamaged = false
  }

  /// Takes the marks of the next sixty-four bytes; those of more than a line are left out.
  @inline(__always)
  mutating func append(marks: UInt64) {
    guard wordCount < words.count else { return }
    words[wordCount] = marks
    wordCount &+= 1
  }

  /// Takes the end of the body, which is marked too; the first field behind the address is next.
  @inline(__always)
  mutating func end(at end: Int) {
    self.end = end
    marks = words[0]
    _ = field()
  }

  /// The places of a field's bytes.
  struct Field {
    let lowerBound: Int
    let upperBound: Int

    var count: Int { upperBound &- lowerBound }
    var isEmpty: Bool { lowerBound == upperBound }
  }

  /// The next field, without its comma; empty behind the last one.
  @inline(__always)
  mutating func field() -> Field {
    if marks == 0, !findMarks() { return Field(lowerBound: 0, upperBound: 0) }
    let field = Field(lowerBound: place, upperBound: base &+ marks.trailingZeroBitCount)
    marks &= marks &- 1
    place = field.upperBound &+ 1
    return field
  }

  /// Goes on to the next word with marks; `false` if there is none.
  private mutating func findMarks() -> Bool {
    while word &+ 1 < wordCount {
      word &+= 1
      base &+= 64
      marks = words[word]
      if marks != 0 { return true }
    }
    place = end &+ 1
    return false
  }

  /// Skips `count` fields, one at least.
  @inline(__always)
  mutating func skip(_ count: Int) {
    var rest = marks
    for _ in 1..<count { rest &= rest &- 1 }
    if rest != 0 {
      marks = rest
      _ = field()
    } else {
      skipFarther(count)
    }
  }

  /// The same where the last of the fields ends in another word.
  private mutating func skipFarther(_ count: Int) { for _ in 0..<count { _ = field() } }

  /// The first byte of the next field, or `nil` if it is empty.
  @inline(__always)
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

  /// Metres per second of a speed in units of `metres` in `seconds`.
  mutating func speed(
    _ bytes: borrowing Span<UInt8>, times metres: Double, over seconds: Double
  ) -> Double? {
    let number = decimal(bytes)
    return meaning(of: number, FieldMeaning.speed(number.map { $0 * metres / seconds }))
  }

  /// Degrees from true north, 0 ≤ x < 360.
  mutating func course(_ bytes: borrowing Span<UInt8>) -> Double? {
    let number = decimal(bytes)
    return meaning(of: number, FieldMeaning.course(number))
  }

  /// The value that a number means. One that no fix has is damage; −1 is a word for an unknown one.
  private mutating func meaning(of number: Double?, _ value: Double?) -> Double? {
    if value == nil, let number, number != -1 { isDamaged = true }
    return value
  }

  /// A number such as `-22.10`; more than 15 digits are damage.
  mutating func decimal(_ bytes: borrowing Span<UInt8>) -> Double? {
    let range = field()
    if range.isEmpty { return nil }
    let isNegative = bytes[range.lowerBound] == 45
    let first = isNegative ? range.lowerBound &+ 1 : range.lowerBound
    guard let (value, decimals) = ByteWord.number(bytes, from: first, to: range.upperBound) else {
      return anyDecimal(in: range, bytes)
    }
    // Both are exact in a Double, so the quotient is the nearest one.
    let magnitude = decimals > 0 ? Double(value) / Self.powers[decimals] : Double(value)
    return isNegative ? -magnitude : magnitude
  }

  /// The same for a number of any length.
  private mutating func anyDecimal(
    in field: Field, _ bytes: borrowing Span<UInt8>
  ) -> Double? {
    var range = field.lowerBound..<field.upperBound
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

  private mutating func integer(in field: Field, _ bytes: borrowing Span<UInt8>) -> Int? {
    guard !field.isEmpty else { return nil }
    guard field.count <= 9,
      let value = Self.digits(field.lowerBound..<field.upperBound, bytes)
    else {
      isDamaged = true
      return nil
    }
    return Int(value)
  }

  /// Microseconds of the day of `hhmmss[.f…]`; digits after the sixth are dropped. Second 60 is a leap second: 23:59:60
  /// is 86,400,000,000.
  mutating func timeOfDay(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field()
    guard !range.isEmpty else { return nil }
    let clock = range.lowerBound..<min(range.lowerBound &+ 6, range.upperBound)
    guard clock.count == 6, let seconds = Self.seconds(clock, bytes),
      let micros = Self.micros(clock.upperBound..<range.upperBound, bytes)
    else {
      isDamaged = true
      return nil
    }
    return seconds &* 1_000_000 &+ micros
  }

  /// Seconds of the day of `hhmmss`.
  @inline(__always)
  private static func seconds(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int64? {
    guard let pairs = ByteWord(bytes, from: range.lowerBound, to: range.upperBound).pairs else {
      return nil
    }
    let (hour, minute, second) = (pairs & 0xFF, pairs >> 16 & 0xFF, pairs >> 32)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return Int64((hour &* 60 &+ minute) &* 60 &+ second)
  }

  /// Microseconds of a point and the digits behind it; 0 of nothing.
  @inline(__always)
  private static func micros(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int64? {
    if range.isEmpty { return 0 }
    guard bytes[range.lowerBound] == 46 else { return nil }
    return fraction((range.lowerBound &+ 1)..<range.upperBound, bytes, places: 6)
  }

  /// The first `places` digits behind a point, as if all of them were there; those behind them are dropped.
  @inline(__always)
  private static func fraction(
    _ range: Range<Int>, _ bytes: borrowing Span<UInt8>, places: Int
  ) -> Int64? {
    let kept = min(range.count, places)
    let end = range.lowerBound &+ kept
    guard let value = digits(range.lowerBound..<end, bytes) else { return nil }
    for index in end..<range.upperBound where bytes[index] &- 48 > 9 { return nil }
    return value &* wholePowers[places &- kept]
  }

  /// Days since 1970 of `ddmmyy`. Years 80 to 99 are of the 20th century, as GPS began in 1980.
  mutating func day(_ bytes: borrowing Span<UInt8>) -> Int64? {
    let range = field()
    guard !range.isEmpty else { return nil }
    let text = ByteWord(bytes, from: range.lowerBound, to: range.upperBound)
    // All of a day's sentences state the same.
    if let latestDate, latestDate.text == text.bits, range.count == 6 { return latestDate.day }
    guard range.count == 6, let pairs = text.pairs,
      let day = TimeOfDay.days(ofPairs: pairs)
    else {
      isDamaged = true
      return nil
    }
    latestDate = (text.bits, day)
    return day
  }

  /// Latitude and longitude in degrees of `ddmm.m,N,dddmm.m,E`; `nil` if one is missing, damaged or out of range.
  mutating func position(_ bytes: borrowing Span<UInt8>) -> Position? {
    let text = textOfPosition(bytes)
    // RMC repeats the position of GGA.
    if let text, text == latestText {
      skip(4)
      return latestPosition
    }
    let latitude = angle(bytes, limit: 90, positive: 78, negative: 83)
    let longitude = angle(bytes, limit: 180, positive: 69, negative: 87)
    guard let latitude, let longitude else { return nil }
    let position = Position(latitude: latitude, longitude: longitude)
    if let text { (latestText, latestPosition) = (text, position) }
    return position
  }

  /// The bytes of the next four fields; `nil` if they are fewer than 16 or more than 32, or end in another word.
  // A reader is large: its queries are `mutating`, although they change nothing, and so run in place.
  @inline(__always)
  private mutating func textOfPosition(_ bytes: borrowing Span<UInt8>) -> PositionText? {
    var rest = marks
    for _ in 0..<3 { rest &= rest &- 1 }
    guard rest != 0 else { return nil }
    let end = base &+ rest.trailingZeroBitCount
    let length = end &- place
    guard length >= ByteBlock.length, length <= 2 * ByteBlock.length else { return nil }
    return PositionText(
      length: length, first: ByteBlock(bytes, at: place),
      last: ByteBlock(bytes, at: end &- ByteBlock.length))
  }

  /// A text of 16 to 32 bytes, by its first and its last sixteen.
  private struct PositionText: Equatable, Sendable {
    let length: Int
    let first: ByteBlock
    let last: ByteBlock
  }

  /// Degrees of an angle and its hemisphere letter. All digits up to the ninth decimal of a minute go into one integer,
  /// which one division turns into the nearest Double.
  private mutating func angle(
    _ bytes: borrowing Span<UInt8>, limit: Int64, positive: UInt8, negative: UInt8
  ) -> Double? {
    let text = field()
    let hemisphere = letter(bytes)
    guard !text.isEmpty else { return nil }
    // The usual place of the point is tried first.
    let usual = text.lowerBound &+ (limit == 90 ? 4 : 5)
    let point =
      usual < text.upperBound && bytes[usual] == 46
      ? usual : bytes.first(46, from: text.lowerBound, to: text.upperBound)
    // More digits would overflow below.
    guard point &- text.lowerBound >= 1, point &- text.lowerBound <= 6,
      hemisphere == positive || hemisphere == negative,
      let whole = Self.digits(text.lowerBound..<point, bytes), whole % 100 < 60,
      let fraction = Self.fraction(
        min(point &+ 1, text.upperBound)..<text.upperBound, bytes, places: 9)
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

  /// The value of at most 18 digits; 0 of none.
  @inline(__always)
  private static func digits(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int64? {
    ByteWord.whole(bytes, from: range.lowerBound, to: range.upperBound)
      ?? longDigits(range, bytes)
  }

  private static func longDigits(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int64? {
    var value: Int64 = 0
    for index in range {
      let digit = bytes[index] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
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
