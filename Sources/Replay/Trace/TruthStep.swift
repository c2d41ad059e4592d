// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioWorld

/// Where the device truly was, second by second.
enum TruthStep: Sendable, Equatable {
  case sample(TruthSample)
  /// Nobody knows where the device was between these instants.
  case gap(from: EngineInstant, to: EngineInstant)
}

/// The truth at one instant.
struct TruthSample: Sendable, Equatable {
  var at: EngineInstant
  var time: UTCInstant
  var coordinate: Coordinate
  /// True speed, metres per second, from the leg that the sample lies on (`SpeedOverGround`).
  var speed: Double
  /// Seconds since the sample before it in the same segment; 0 for the first of one.
  var elapsed: Double
  /// Metres since the sample before it in the same segment.
  var travelled: Double
  /// Whether a receiver that is on could see satellites.
  var hasSky: Bool
  /// Whether the receiver reports at this instant (whole seconds from the segment's start).
  var isTick: Bool
  /// How the device moves, which `WaysOfMoving` tells.
  var way = WayOfMoving.rest
  /// What the path says of the place beside where it is.
  var details = PlaceDetails()
}
