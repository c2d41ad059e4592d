// SPDX-License-Identifier: Apache-2.0

/// Reads RFC 3339 and the XML Schema `dateTime` that GPX uses.
///
///     2026-05-04T07:08:09.123456+02:00
///
/// A fraction may have any number of digits (microseconds are kept), `T` may be a space or lower case,
/// the zone may be `Z`, `z`, an offset with or without a colon, or absent.
package enum RFC3339 {
  /// The zone that a text stated.
  package enum Zone: Sendable, Equatable {
    case utc
    /// Minutes east of UTC; already applied to the instant.
    case offset(minutes: Int)
    /// Absent; the instant was read as UTC.
    case absent
  }

  /// The instant and zone of `text` (ASCII, no surrounding space), or `nil` if it is not a time.
  package static func parse(_ text: borrowing Span<UInt8>) -> (instant: UTCInstant, zone: Zone)? {
    var scanner = DigitScanner(position: 0)
    guard let year = scanner.digits(4, in: text), scanner.skip("-", in: text),
      let month = scanner.digits(2, in: text), scanner.skip("-", in: text),
      let day = scanner.digits(2, in: text),
      let date = CivilDate(year: year, month: month, day: day),
      scanner.skip("T", in: text) || scanner.skip("t", in: text) || scanner.skip(" ", in: text),
      let hour = scanner.digits(2, in: text), scanner.skip(":", in: text),
      let minute = scanner.digits(2, in: text), scanner.skip(":", in: text),
      let second = scanner.digits(2, in: text),
      hour <= 24, minute < 60, second <= 60, hour < 24 || (minute == 0 && second == 0)
    else { return nil }
    var micros = Int64(hour * 3_600 + minute * 60 + second) * 1_000_000
    if scanner.skip(".", in: text) || scanner.skip(",", in: text) {
      guard let fraction = scanner.fraction(in: text) else { return nil }
      micros += fraction
    }
    guard let zone = scanner.zone(in: text), scanner.position == text.count else { return nil }
    if case .offset(let minutes) = zone { micros -= Int64(minutes) * 60_000_000 }
    return (UTCInstant(date: date, microsecondOfDay: micros), zone)
  }

  /// The instant and zone of a string; see `parse(_:)` for spans.
  package static func parse(_ text: String) -> (instant: UTCInstant, zone: Zone)? {
    let bytes = Array(text.utf8)
    return parse(bytes.span)
  }
}

private struct DigitScanner {
  var position: Int

  mutating func digits(_ count: Int, in text: borrowing Span<UInt8>) -> Int? {
    guard position + count <= text.count else { return nil }
    var value = 0
    for offset in position..<(position + count) {
      let digit = text[offset] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += count
    return value
  }

  mutating func skip(_ character: Unicode.Scalar, in text: borrowing Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func fraction(in text: borrowing Span<UInt8>) -> Int64? {
    var value: Int64 = 0
    var scale: Int64 = 1_000_000
    let start = position
    while position < text.count, text[position] &- 48 < 10 {
      if scale > 1 {
        scale /= 10
        value += Int64(text[position] &- 48) * scale
      }
      position += 1
    }
    return position > start ? value : nil
  }

  mutating func zone(in text: borrowing Span<UInt8>) -> RFC3339.Zone? {
    if position == text.count { return .absent }
    if skip("Z", in: text) || skip("z", in: text) { return .utc }
    let east = skip("+", in: text)
    guard east || skip("-", in: text), let hours = digits(2, in: text) else { return nil }
    _ = skip(":", in: text)
    guard let minutes = digits(2, in: text), hours < 24, minutes < 60 else { return nil }
    let total = hours * 60 + minutes
    return .offset(minutes: east ? total : -total)
  }
}
