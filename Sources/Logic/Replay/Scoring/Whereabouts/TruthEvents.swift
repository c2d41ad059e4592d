// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The true events of the device, as one list that is the same for all who follow it:
//
// - *Arrival*: it came within `radius` of a place and stayed there for `dwell`.
// - *Departure*: it left that circle and then was twice as far away, or stayed at another place beyond it; a device that
//   is back before has not left.
//
//   candidate ──dwell──► staying ──radius──► leaving, next candidate ──2 radii, or dwell──► candidate
//     │    ▲                ▲                   │
//     └────┘ radius         └──── came back ────┘
//
// The circle of a candidate lies around the point at which the last one was left; that of a stay around the device's
// place when the dwell was over. 100 m and 5 min are what Android's documentation recommends for a geofence's radius
// and uses for its loitering delay.
//
// Odd cases
// - A segment that begins or ends in a place shows a part of the stay only: `cut` is enough there. It begins with no
//   arrival, since that was not observed.
// - A recorder is switched on where a trip begins and off where it ends. So at the trace's beginning and end `pause` is
//   enough: a device that takes it for the first or the last 100 m goes slower than 12 km/h, and sets out or comes in.
//   One that begins or ends at speed has cut a ride in two: neither a departure nor an arrival.
// - A gap within a stay, as made by a recorder that sees no sky at home, does not end it. One after which the device is
//   elsewhere hides a departure, which then is no event.
// - When an arrival or a departure shows, its instant is past: `mayArrive` and `mayDepart` come at the instant, and
//   their outcome comes later. A later candidate replaces one before it.

/// One event of the truth, at the latest point unless stated otherwise.
package enum TruthEvent: Sendable, Equatable {
  case mayArrive
  /// It arrived at the latest `mayArrive`.
  case arrived
  case mayDepart
  /// It came back after the latest `mayDepart`.
  case cameBack
  /// It departed at the latest `mayDepart`.
  case departed
  /// At the border of one of the places of the trip, by its number.
  case border(BorderEvent, of: Int)
}

/// Finds arrivals and departures in the truth.
package struct TruthEvents: Sendable {
  /// Events of the latest call, in order.
  package private(set) var latest: [TruthEvent] = []
  private var phase = Phase.unknown
  /// Whether the segment is the first one of the trace.
  private var isFirst = true
  private var here: TruePoint?

  private enum Phase: Sendable {
    case unknown
    /// Near a place since then; `sawArrival` unless the segment began there.
    case candidate(LocalFrame, since: EngineInstant, sawArrival: Bool)
    case staying(LocalFrame)
    case leaving(LocalFrame, next: LocalFrame, since: EngineInstant)
  }

  package init() {}

  /// The place at which the device stays; `nil` while it stays at none.
  var stay: LocalFrame? {
    switch phase {
    case .staying(let place): place
    case .unknown, .candidate, .leaving: nil
    }
  }

  /// Takes the next point; the first one, and that after `endSegment`, begins a segment.
  package mutating func pass(to point: TruePoint) {
    // Shared with the holder of the latest ones, so its memory cannot be reused.
    if !latest.isEmpty { latest = [] }
    if here == nil { begin(at: point) } else { follow(point) }
    here = point
  }

  /// Ends the segment: the position is unknown from the latest point on; `isLast` if the trace ends there.
  package mutating func endSegment(isLast: Bool = false) {
    // Shared with the holder of the latest ones, so its memory cannot be reused.
    if !latest.isEmpty { latest = [] }
    isFirst = false
    let enough = isLast ? ScoringRules.Stay.pause : ScoringRules.Stay.cut
    switch phase {
    case .candidate(_, let since, let sawArrival) where isSince(since, enough):
      if sawArrival { latest.append(.arrived) }
      stayHere()
    case .leaving(_, _, let since) where isSince(since, enough):
      latest += [.departed, .arrived]
      stayHere()
    case .unknown, .candidate, .staying, .leaving: break
    }
    here = nil
  }

  /// Whether it was so for these seconds at the latest point.
  private func isSince(_ since: EngineInstant, _ seconds: Double) -> Bool {
    here.map { EngineInstant.seconds(from: since, to: $0.at) >= seconds } ?? false
  }

  private mutating func stayHere() {
    if let here { phase = .staying(LocalFrame(origin: here.coordinate)) }
  }

  private mutating func begin(at point: TruePoint) {
    let frame = LocalFrame(origin: point.coordinate)
    if case .staying(let place) = phase,
      place.distance(to: point.coordinate) < ScoringRules.Stay.radius
    {
      return
    }
    phase = .candidate(frame, since: point.at, sawArrival: false)
  }

  private mutating func follow(_ point: TruePoint) {
    switch phase {
    case .unknown: break
    case .candidate(let place, let since, let sawArrival):
      if place.distance(to: point.coordinate) >= ScoringRules.Stay.radius { return approach(point) }
      let needed =
        sawArrival
        ? ScoringRules.Stay.dwell : isFirst ? ScoringRules.Stay.pause : ScoringRules.Stay.cut
      guard EngineInstant.seconds(from: since, to: point.at) >= needed else { return }
      phase = .staying(isFirst && !sawArrival ? place : LocalFrame(origin: point.coordinate))
      if sawArrival { latest.append(.arrived) }
    case .staying(let place):
      guard place.distance(to: point.coordinate) >= ScoringRules.Stay.radius else { return }
      phase = .leaving(place, next: LocalFrame(origin: point.coordinate), since: point.at)
      latest += [.mayDepart, .mayArrive]
    case .leaving(let place, let next, let since): leave(place, for: next, since: since, point)
    }
  }

  private mutating func leave(
    _ place: LocalFrame, for next: LocalFrame, since: EngineInstant, _ point: TruePoint
  ) {
    let way = place.distance(to: point.coordinate)
    if way < ScoringRules.Stay.radius {
      phase = .staying(place)
      return latest.append(.cameBack)
    }
    var (next, since) = (next, since)
    if next.distance(to: point.coordinate) >= ScoringRules.Stay.radius {
      (next, since) = (LocalFrame(origin: point.coordinate), point.at)
      latest.append(.mayArrive)
    }
    if EngineInstant.seconds(from: since, to: point.at) >= ScoringRules.Stay.dwell {
      phase = .staying(LocalFrame(origin: point.coordinate))
      latest += [.departed, .arrived]
    } else if way >= 2 * ScoringRules.Stay.radius {
      phase = .candidate(next, since: since, sawArrival: true)
      latest.append(.departed)
    } else {
      phase = .leaving(place, next: next, since: since)
    }
  }

  private mutating func approach(_ point: TruePoint) {
    phase = .candidate(
      LocalFrame(origin: point.coordinate), since: point.at, sawArrival: true)
    latest.append(.mayArrive)
  }
}
