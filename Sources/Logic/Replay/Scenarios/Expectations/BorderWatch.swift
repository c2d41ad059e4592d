// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The crossings of a place's border by the truth.
struct BorderWatch: Sendable {
  let place: Place
  private(set) var crossings: [Crossing] = []
  private var isInside: Bool?
  /// Whether the device was seen ever since the last crossing.
  private var isOpen = false

  struct Crossing: Sendable {
    /// When the device was first seen on the new side.
    let time: UTCInstant
    let isLeaving: Bool
    /// Seconds that it was seen to stay on that side.
    var lasted = 0.0
  }

  init(_ place: Place) { self.place = place }

  mutating func move(to point: Coordinate, at time: UTCInstant) {
    let side = place.contains(point)
    if let isInside, isInside != side {
      crossings.append(Crossing(time: time, isLeaving: isInside))
      isOpen = true
    } else if isOpen, let last = crossings.indices.last {
      crossings[last].lasted = UTCInstant.seconds(from: crossings[last].time, to: time)
    }
    isInside = side
  }

  /// Nobody knows where the device is from here on, until it is seen again.
  mutating func loseSight() {
    isInside = nil
    isOpen = false
  }
}
