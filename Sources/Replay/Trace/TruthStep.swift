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

  /// Whether it stands for several seconds of a long leg, all of them straight and even.
  var isStride: Bool { isTick && elapsed > 1 }

  /// Whole seconds that a receiver's sample stands for, at least 1.
  var seconds: Int { max(1, Int(elapsed)) }

  /// The truth at `instant`, between `before` and this sample, where the one before it is that of `latest`.
  func part(at instant: EngineInstant, after latest: EngineInstant, from before: TruthSample)
    -> TruthSample
  {
    let along = EngineInstant.seconds(from: before.at, to: instant)
    let fraction = along / EngineInstant.seconds(from: before.at, to: at)
    var part = remainder(after: latest)
    part.at = instant
    part.time = before.time.advanced(bySeconds: along)
    part.coordinate = before.coordinate.interpolated(to: coordinate, fraction: fraction)
    part.travelled *= EngineInstant.seconds(from: latest, to: instant) / part.elapsed
    part.elapsed = EngineInstant.seconds(from: latest, to: instant)
    part.hasSky = before.hasSky && hasSky
    part.details = before.details.partWay(fraction, to: details)
    return part
  }

  /// The same where the sample before it is that of `latest`, which is earlier.
  func remainder(after latest: EngineInstant) -> TruthSample {
    var rest = self
    rest.elapsed = EngineInstant.seconds(from: latest, to: at)
    rest.travelled *= rest.elapsed / elapsed
    return rest
  }
}
