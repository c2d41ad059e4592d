// SPDX-License-Identifier: Apache-2.0

/// GGA, fix data: time, position, quality, satellites, HDOP, altitude.
///
///     $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*hh
///            |      |        | |         | | |  |   |       |      ||
///            time   latitude   longitude   | |  |   |       |      |reference station
///                                          | |  |   |       |      age of corrections
///                                          | |  |   |       geoid above the ellipsoid, metres
///                                          | |  |   above mean sea level, metres
///                                          | |  HDOP
///                                          | satellites used
///                                          quality: 0 none, 1 GPS, 2 differential, 4 and 5 RTK,
///                                                   6 dead reckoning, 7 manual, 8 simulator
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GGA: Sentence {
  private let report: PositionReport
  private let details: FixDetails

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    let time = fields.timeOfDay(bytes)
    let position = fields.position(bytes)
    let quality = fields.letter(bytes) ?? UInt8(ascii: "0")
    let isValid = quality > UInt8(ascii: "0") && quality <= UInt8(ascii: "9")
    guard
      let report = PositionReport(
        time: time, isValid ? .valid : .void, position, isDamaged: fields.isDamaged)
    else { return nil }
    self.report = report
    details = FixDetails(&fields, bytes, hasUnits: true)
  }

  var place: SentencePlace { report.place }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    if observation.absorb(report, rank: 4, from: talker, habit: habit) {
      details.addStatements(to: &observation)
    }
  }
}
