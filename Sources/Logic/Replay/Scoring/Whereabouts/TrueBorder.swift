// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The true events at the border of a region. They follow the rule of regions (`MonitoredRegion`): a crossing counts once
// the device has been the cushion beyond the border for 20 s; its instant is that at which the border itself was passed,
// since that is what an app wants to know.
//
//             beyond the border: mayCross      the cushion, for 20 s: crossed
//   settled ──────────────────────────► beyond(since) ───────────────────────► settled on the other side
//      ▲                                     │
//      └────────── back: cameBack ───────────┘
//
// A gap hides the device's moves: it is on whatever side it is then, without an event.

/// What the device truly does at a border, at the latest point.
package enum BorderEvent: Sendable, Equatable {
  /// It passed the border, inwards or outwards.
  case mayCross(isEntry: Bool)
  /// It came back after the latest `mayCross`.
  case cameBack(isEntry: Bool)
  /// It crossed the border at the latest `mayCross`.
  case crossed(isEntry: Bool)
}

/// Follows the truth at the border of one region.
struct TrueBorder: Sendable, Equatable {
  let region: MonitoredRegion
  /// The side; `nil` before the first point, and after a gap.
  private(set) var isInside: Bool?
  /// Whether it is beyond the border of its side.
  private var isBeyond = false
  /// The instant since when it is beyond the cushion.
  private var farSince: EngineInstant?
  /// Metres of way within which it cannot come to the border.
  private var clearance = 0.0

  init(_ region: MonitoredRegion) { self.region = region }

  /// Advances the truth to a point, `travelled` metres from the one before.
  mutating func pass(to point: TruePoint, travelled: Double) -> BorderEvent? {
    // The length of a way is right to a hundredth; a millimetre for the rounding of coordinates.
    clearance -= 1.01 * travelled + 0.001
    if clearance > 0, isInside != nil { return nil }
    return pass(to: point)
  }

  /// The same for a way of any length.
  mutating func pass(to point: TruePoint) -> BorderEvent? {
    let metres = region.beyond(point.coordinate)
    guard let isInside else {
      settle(isInside: metres <= 0)
      return nil
    }
    let past = isInside ? metres : -metres
    guard past > 0 else {
      clearance = -past
      farSince = nil
      guard isBeyond else { return nil }
      isBeyond = false
      return .cameBack(isEntry: !isInside)
    }
    let since = past < region.cushion(outwards: isInside) ? nil : farSince ?? point.at
    farSince = since
    if let since, EngineInstant.seconds(from: since, to: point.at) >= MonitoredRegion.dwell {
      settle(isInside: !isInside)
      return .crossed(isEntry: !isInside)
    }
    guard !isBeyond else { return nil }
    isBeyond = true
    return .mayCross(isEntry: !isInside)
  }

  private mutating func settle(isInside side: Bool) {
    (isInside, isBeyond, farSince, clearance) = (side, false, nil, 0)
  }

  /// Ends the segment: the position is unknown from the latest point on.
  mutating func endSegment() { (isInside, isBeyond, farSince, clearance) = (nil, false, nil, 0) }
}

/// The borders of the places of a trip.
struct TrueBorders: Sendable {
  /// The events at the latest point.
  private(set) var latest: [TruthEvent] = []
  private var borders: [TrueBorder]

  init(_ regions: [MonitoredRegion]) { borders = regions.map(TrueBorder.init) }

  /// Advances the truth to a point, `travelled` metres from the one before.
  mutating func pass(to point: TruePoint, travelled: Double) {
    if !latest.isEmpty { latest = [] }
    for index in borders.indices {
      guard let event = borders[index].pass(to: point, travelled: travelled) else { continue }
      latest.append(.border(event, of: index))
    }
  }

  mutating func endSegment() {
    if !latest.isEmpty { latest = [] }
    for index in borders.indices { borders[index].endSegment() }
  }
}
