// SPDX-License-Identifier: Apache-2.0

/// GSA, satellites used and dilution of precision; it carries no time, and there is one for each
/// satellite system in turn.
///
///     $GNGSA,A,3,80,71,73,79,69,,,,,,,,1.83,1.09,1.47,1*hh
///            | | |                     |    |    |    |
///            | | 12 satellites         PDOP HDOP VDOP system (4.10)
///            | 1 no fix, 2 two, 3 three dimensions
///            A automatic, M manual
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GSA: Sentence {
  /// 1 to 3, 0 if not stated.
  private let mode: UInt8
  private let hdop: Double?
  /// Whether the field added by NMEA 0183 4.10 (2012) is present.
  private let hasSystem: Bool

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    fields.skip(1)
    let letter = fields.letter(bytes) ?? 48
    mode = (49...51).contains(letter) ? letter - 48 : 0
    fields.skip(13)
    hdop = FieldMeaning.dilution(fields.decimal(bytes))
    fields.skip(1)
    // SiRF's TriG puts a time dilution here: only one digit is a system.
    hasSystem = fields.field().count == 1
  }

  var place: SentencePlace { .neighbour(comesInRuns: true) }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    observation.mode = max(observation.mode, mode)
    observation.slowHDOP = observation.slowHDOP ?? hdop
  }

  func addFacts(to log: inout LogFacts, from talker: Talker) {
    if hasSystem { log.calendar.seeModernField() }
  }
}
