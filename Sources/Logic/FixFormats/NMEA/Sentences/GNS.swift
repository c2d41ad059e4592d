// SPDX-License-Identifier: Apache-2.0

/// GNS, fix data of several satellite systems.
///
///     $GNGNS,112257.00,3844.24011,N,00908.43828,W,AN,03,10.5,45.6,50.1,,*hh
///            |         |            |             |  |  |    |    |    ||
///            time      latitude     longitude     |  |  |    |    |    |reference station
///                                                 |  |  |    |    |    age of corrections
///                                                 |  |  |    |    geoid above the ellipsoid, metres
///                                                 |  |  |    above mean sea level, metres
///                                                 |  |  HDOP
///                                                 |  satellites used
///                                                 one mode letter per system: N none
///
/// A receiver may follow `GNGNS` with a `GPGNS` and a `GLGNS` that hold counts and no mode: those say
/// nothing about validity.
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GNS: Sentence {
  private let report: PositionReport
  private let details: FixDetails

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    let time = fields.timeOfDay(bytes)
    let position = fields.position(bytes)
    let isDamaged = fields.isDamaged
    var claim = Claim.silent
    let modes = fields.field()
    for index in modes.lowerBound..<modes.upperBound where claim != .valid {
      claim = bytes[index] == UInt8(ascii: "N") ? .void : .valid
    }
    guard let report = PositionReport(time: time, claim, position, isDamaged: isDamaged) else {
      return nil
    }
    self.report = report
    details = FixDetails(&fields, bytes, hasUnits: false)
  }

  var place: SentencePlace { report.place }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    guard observation.absorb(report, rank: 3, from: talker, habit: habit) else { return }
    details.addStatements(to: &observation)
    // GGA stops at 12 satellites; GNS counts all.
    if let count = details.satellites {
      observation.satellites = max(observation.satellites ?? 0, count)
    }
  }
}
