// SPDX-License-Identifier: Apache-2.0

/// GST, error statistics: the receiver's own one-sigma estimates.
///
///     $GPGST,182141.000,15.5,15.3,7.2,21.8,0.9,0.5,0.8*hh
///            |          |    |    |   |    |   |   |
///            time       |    |    |   |    |   |   altitude sigma, metres
///                       |    |    |   |    |   longitude sigma, metres
///                       |    |    |   |    latitude sigma, metres
///                       |    |    |   orientation of the ellipse
///                       |    semi-major and semi-minor axis, metres
///                       RMS of the ranges
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GST: Sentence {
  private let time: Int64?
  /// sqrt(σ_lat² + σ_lon²), the distance root mean square, metres, above 0. Between 63 % (round error
  /// ellipse) and 68 % (flat one) of positions lie within it, so it is taken for the 68 % radius. The
  /// axes of the ellipse give the same sum, and stand in if the sigmas are missing.
  private let horizontal: Double?
  /// One sigma, metres, above 0.
  private let vertical: Double?

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    time = fields.timeOfDay(bytes)
    if fields.isDamaged { return nil }
    fields.skip(1)
    let axes = Self.radius(fields.decimal(bytes), fields.decimal(bytes))
    fields.skip(1)
    horizontal = Self.radius(fields.decimal(bytes), fields.decimal(bytes)) ?? axes
    vertical = FieldMeaning.accuracy(fields.decimal(bytes))
  }

  private static func radius(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b, a >= 0, b >= 0, a + b > 0 else { return nil }
    return (a * a + b * b).squareRoot()
  }

  var place: SentencePlace { .epoch(time: time, .silent) }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    observation.horizontal = horizontal ?? observation.horizontal
    observation.vertical = vertical ?? observation.vertical
  }
}
