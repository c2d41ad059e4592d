// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

/// Times that databases and loggers write beside RFC 3339's.
///
///     2026-05-04 07:08:09+00        PostgreSQL: hours alone for the zone
///     2026-05-04 07:08:09 UTC
///     20260504070809                14 digits, a date of the years 1900 to 2099
///     20260504T070809Z              ISO 8601, basic
enum LooseTime {
  /// The instant and zone; `nil` for any other text.
  static func parse(
    _ text: borrowing Span<UInt8>
  ) -> (instant: UTCInstant, zone: RFC3339.Zone)? {
    guard (14...40).contains(text.count) else { return nil }
    var bytes = Array(copying: text)
    if bytes.suffix(4) == Array(" UTC".utf8)[...] {
      bytes.replaceSubrange((bytes.count - 4)..., with: [UInt8(ascii: "Z")])
      return RFC3339.parse(bytes.span)
    }
    let sign = bytes[bytes.count - 3]
    if bytes.count > 19, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      return RFC3339.parse((bytes + Array(":00".utf8)).span)
    }
    return basic(bytes)
  }

  private static func basic(
    _ bytes: [UInt8]
  ) -> (instant: UTCInstant, zone: RFC3339.Zone)? {
    var digits = bytes
    let hasLetter = digits[8] == UInt8(ascii: "T")
    if hasLetter { digits.remove(at: 8) }
    let rest = Array(digits.dropFirst(14))
    digits = Array(digits.prefix(14))
    guard digits.count == 14, digits.allSatisfy({ (48...57).contains($0) }),
      hasLetter
        || rest.isEmpty && (digits.starts(with: "19".utf8) || digits.starts(with: "20".utf8))
    else { return nil }
    let marks = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    for (place, mark) in marks { digits.insert(contentsOf: mark.utf8, at: place) }
    return RFC3339.parse((digits + rest).span)
  }
}
