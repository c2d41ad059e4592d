// SPDX-License-Identifier: Apache-2.0

/// GLL, position.
///
///     $GPGLL,4916.45,N,12311.12,W,225444,A,A*hh
///            |       | |        | |      | |
///            latitude  longitude  time   | mode (2.3): N none
///                                        status: A valid, V warning; absent before NMEA 2.0
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GLL: Sentence {
  private let report: PositionReport

  /// The status counts as absent if it is neither A, D nor V.
  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    let position = fields.position(bytes)
    let time = fields.timeOfDay(bytes)
    let isDamaged = fields.isDamaged
    let isOld = fields.isAtEnd
    guard let isGood = fields.status(bytes) else { return nil }
    let isValid = (isGood || isOld && position != nil) && fields.letter(bytes) != UInt8(ascii: "N")
    guard
      let report = PositionReport(
        time: time, isValid ? .valid : .void, position, isDamaged: isDamaged)
    else { return nil }
    self.report = report
  }

  var place: SentencePlace { report.place }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    _ = observation.absorb(report, rank: 2, from: talker, habit: habit)
  }
}
