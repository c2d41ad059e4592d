// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The device's path: rests and straight rides, made as they are needed.
struct Walk: Sendable {
  private struct Leg: Sendable {
    var begins: Int64
    var ends: Int64
    var from: (north: Double, east: Double)
    var speed: (north: Double, east: Double)
  }

  /// The starting point.
  static let start = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)

  private var chance: Chance
  private var leg: Leg
  /// The time from which there is no rest.
  var restlessFrom = Int64.max

  init(seed: UInt64) {
    chance = Chance(seed: seed, purpose: 0x3A)
    leg = Leg(begins: 0, ends: 60_000_000, from: (0, 0), speed: (0, 0))
  }

  /// Metres north and east of the start. Times never run backwards.
  mutating func place(at time: Int64) -> (north: Double, east: Double) {
    while time >= leg.ends { turn() }
    let seconds = Double(time - leg.begins) / 1e6
    return (
      leg.from.north + leg.speed.north * seconds, leg.from.east + leg.speed.east * seconds
    )
  }

  var isMoving: Bool { leg.speed.north != 0 || leg.speed.east != 0 }

  private mutating func turn() {
    let from = (
      leg.from.north + leg.speed.north * Double(leg.ends - leg.begins) / 1e6,
      leg.from.east + leg.speed.east * Double(leg.ends - leg.begins) / 1e6
    )
    let mustMove = leg.ends >= restlessFrom || !isMoving
    var next = Leg(begins: leg.ends, ends: 0, from: from, speed: (0, 0))
    if mustMove {
      let speed = leg.ends >= restlessFrom ? 12 : chance.pick([1.4, 5, 13, 30])
      let direction = chance.between(0, 2 * .pi)
      next.speed = (speed * cosine(direction), speed * sine(direction))
      next.ends = leg.ends + Int64(chance.logBetween(120, 3_000) * 1e6)
    } else {
      next.ends = leg.ends + Int64(chance.logBetween(300, 14_400) * 1e6)
    }
    leg = next
  }

  /// The receiver's fix at that time; `utc` is its own time.
  mutating func fix(at time: Int64, utc: UTCInstant) -> Fix {
    let place = place(at: time)
    let noise = (chance.between(-4, 4), chance.between(-4, 4))
    return Fix(
      time: utc,
      coordinate: Coordinate(
        clampingLatitude: Self.start.latitude + (place.north + noise.0) / 111_195,
        wrappingLongitude: Self.start.longitude + (place.east + noise.1) / 74_400),
      horizontalAccuracy: chance.between(3, 20),
      speed: (leg.speed.north * leg.speed.north + leg.speed.east * leg.speed.east).squareRoot())
  }
}
