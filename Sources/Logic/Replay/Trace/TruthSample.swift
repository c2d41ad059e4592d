// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The truth at one instant.
struct TruthSample: Sendable, Equatable {
  var at: EngineInstant
  var time: UTCInstant
  /// The frame around the true position: all who follow the truth measure from there.
  var place: LocalFrame
  /// True speed, metres per second, from the leg that the sample lies on (`SpeedOverGround`).
  var speed: Double
  /// Seconds since the previous sample in the same segment; 0 for its first.
  var elapsed: Double
  /// Metres since the previous sample in the same segment.
  var travelled: Double
  /// Whether a receiver that is on could see satellites.
  var hasSky: Bool
  /// Whether the receiver reports at this instant (whole seconds from the segment's start).
  var isTick: Bool
  /// The device's movement, as `MotionClassifier` finds it.
  var way = WayOfMoving.rest
  /// Whether the device moves, as a phone knows it: it settles some time behind the last movement.
  var moves = false
  /// The rest of what the path says of the place; its time, position and speed are those of a point of the path.
  var path: Fix

  var coordinate: Coordinate { place.origin }

  var point: TruePoint { TruePoint(at: at, coordinate: coordinate) }

  /// The report of a receiver that makes no error.
  var exactFix: Fix {
    var fix = path
    (fix.time, fix.coordinate, fix.speed) = (time, coordinate, speed)
    return fix
  }

  /// Whether it is the first of its segment.
  var beginsSegment: Bool { elapsed == 0 }

  /// Whether it stands for several seconds of a long leg, all of them straight and even.
  var isStride: Bool { isTick && elapsed > 1 }

  /// Whole seconds that a receiver's sample stands for, at least 1.
  var seconds: Int { max(1, Int(elapsed)) }

  /// The truth at `instant`, between `before` and this sample, if the previous sample is that of `latest`.
  func part(at instant: EngineInstant, after latest: EngineInstant, from before: TruthSample)
    -> TruthSample
  {
    let along = EngineInstant.seconds(from: before.at, to: instant)
    let fraction = along / EngineInstant.seconds(from: before.at, to: at)
    var part = remainder(after: latest)
    part.at = instant
    part.time = before.time.advanced(bySeconds: along)
    part.place = LocalFrame(
      origin: before.coordinate.interpolated(to: coordinate, fraction: fraction))
    part.travelled *= EngineInstant.seconds(from: latest, to: instant) / part.elapsed
    part.elapsed = EngineInstant.seconds(from: latest, to: instant)
    part.hasSky = before.hasSky && hasSky
    part.path = before.path.partWay(fraction, to: path)
    return part
  }

  /// The same if the previous sample is that of `latest`, which is earlier.
  func remainder(after latest: EngineInstant) -> TruthSample {
    var rest = self
    rest.elapsed = EngineInstant.seconds(from: latest, to: at)
    rest.travelled *= rest.elapsed / elapsed
    return rest
  }
}
