// SPDX-License-Identifier: Apache-2.0

/// Degrees north and east, in range.
struct Position {
  let latitude: Double
  let longitude: Double
}

/// Time, position and validity, as GGA, GNS, GLL and RMC state them.
struct PositionReport {
  /// Microseconds of the day.
  let time: Int64?
  let claim: Claim
  /// Never `nil` if the claim is `valid`.
  let position: Position?

  /// `nil` if the sentence claims to be valid and its time or position cannot be read.
  init?(time: Int64?, _ claim: Claim, _ position: Position?, isDamaged: Bool) {
    if claim == .valid && (isDamaged || position == nil) { return nil }
    (self.time, self.claim, self.position) = (time, claim, position)
  }

  var place: SentencePlace { .epoch(time: time, claim) }
}

/// The details of a fix in GGA and GNS besides its position.
struct FixDetails {
  let satellites: Int?
  let hdop: Double?
  /// Metres above mean sea level.
  let altitude: Double?
  /// Height of the geoid above the ellipsoid, metres.
  let separation: Double?

  /// Reads the fields from the number of satellites on; GGA has a unit behind the altitude.
  init(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>, hasUnits: Bool) {
    satellites = fields.integer(bytes)
    hdop = FieldMeaning.dilution(fields.decimal(bytes))
    altitude = fields.decimal(bytes)
    if hasUnits { fields.skip(1) }
    separation = fields.decimal(bytes)
  }

  func addStatements(to observation: inout Observation) {
    observation.hdop = observation.hdop ?? hdop
    observation.altitude = observation.altitude ?? altitude
    observation.separation = observation.separation ?? separation
    observation.satellites = observation.satellites ?? satellites
  }
}
