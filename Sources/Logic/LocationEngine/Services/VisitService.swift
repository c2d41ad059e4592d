// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// Visits [doc]: an app is told of a place when the device has stayed there for a while, and once more when it has left.
// Apple does not define a stay; the rule is the one by which the truth is scored (`TruthEvents`): within 100 m for 5
// min, and over once it is 200 m away [ours; the radius and the loitering delay that Android recommends for a
// geofence].
//
//   nowhere ──position──► near(stay) ──within 100 m for 300 s: arrived──► staying(stay)
//                          ▲  │                                            │  ▲     │
//                          └──┘ 100 m away: anew                   100 m ──┤  └─────┤ within 100 m again
//                          ▲                                               ▼        │
//                          └───── 200 m away: departed ──────────────── leaving(stay, since)
//
// - *Times.* The arrival is that of the first position of `near`, the departure that of the first one beyond 100 m. A
//   stay that had begun when the device was first seen has no arrival, since it was not observed.
// - *Late.* The arrival is found by the first position 300 s after the first one, and the policy is asked to look then.
//   If it cannot (a roof), its belief in a rest is taken for it, if that is strong, and the device cannot have left the
//   circle since the last position: the motion sensor fired for the last time so soon after it that the way at that
//   position's speed, or at a walk, is shorter than the radius.
// - A position coarser than the radius decides nothing about a stay.
// - An app that may not be told when it happens is not told later: the device's past place is none of its business.

/// One app's monitoring of visits; it outlives the app's process.
package struct VisitService: Sendable, Equatable, Codable {
  /// Metres around a place; at twice this distance the device has left it [ours].
  package static let radius = 100.0
  /// Seconds that make a stay [ours].
  package static let dwell = 300.0
  /// The chance of a rest from which on the policy's belief counts [ours].
  static let leastChance = 0.9
  /// The assumed speed of a device after a position, metres per second, whatever its speed then: a walk; and if
  /// unknown [ours].
  static let paces = (walk: 1.5, unknown: 50.0)

  private var phase = Phase.nowhere

  private enum Phase: Sendable, Equatable, Codable {
    case nowhere
    /// At a place, not long enough yet.
    case near(Stay)
    /// The app was told of the arrival.
    case staying(Stay)
    /// Beyond the radius since then, not twice as far.
    case leaving(Stay, since: UTCInstant?)
  }

  struct Stay: Sendable, Equatable, Codable {
    var place: LocalFrame
    var accuracy: Double?
    let since: EngineInstant
    /// The last time it was seen near, and the speed at which it may have gone on, metres per second.
    var last: EngineInstant
    var pace: Double
    /// The last event of the motion sensor since then.
    var stirredAt: EngineInstant?
    let arrival: UTCInstant?

    init(_ fix: Fix, at now: EngineInstant, sawArrival: Bool) {
      place = LocalFrame(origin: fix.coordinate)
      accuracy = fix.horizontalAccuracy
      since = now
      last = now
      pace = max(VisitService.paces.walk, fix.speed ?? VisitService.paces.unknown)
      arrival = sawArrival ? fix.time : nil
    }

    mutating func seen(_ fix: Fix, at now: EngineInstant) {
      (last, stirredAt) = (now, nil)
      pace = max(VisitService.paces.walk, fix.speed ?? VisitService.paces.unknown)
    }

    /// The greatest way since it was last seen, metres.
    var longestWay: Double {
      stirredAt.map { pace * EngineInstant.seconds(from: last, to: $0) } ?? 0
    }

    func visit(until departure: UTCInstant? = nil) -> Visit {
      Visit(
        coordinate: place.origin, horizontalAccuracy: accuracy, arrival: arrival,
        departure: departure)
    }
  }

  func mark(at now: EngineInstant) -> VisitMark {
    func mark(_ phase: Int, _ stay: Stay) -> VisitMark {
      VisitMark(
        phase: phase, north: stay.place.origin.latitude,
        lasts: min(Self.dwell, EngineInstant.seconds(from: stay.since, to: now)))
    }
    return switch phase {
    case .nowhere: VisitMark(phase: 0)
    case .near(let stay): mark(1, stay)
    case .staying(let stay): mark(2, stay)
    case .leaving(let stay, _): mark(3, stay)
    }
  }

  /// Takes an admitted position; returns the event.
  mutating func take(fix: Fix, at now: EngineInstant) -> PlaceEvent? {
    if isCoarse(fix) { return nil }
    switch phase {
    case .nowhere: phase = .near(Stay(fix, at: now, sawArrival: false))
    case .near(var stay):
      guard stay.place.distance(to: fix.coordinate) < Self.radius else {
        phase = .near(Stay(fix, at: now, sawArrival: true))
        return nil
      }
      stay.seen(fix, at: now)
      guard isLong(stay, at: now) else {
        phase = .near(stay)
        return nil
      }
      // It stays where it is now, not where it came in.
      (stay.place, stay.accuracy) = (LocalFrame(origin: fix.coordinate), fix.horizontalAccuracy)
      phase = .staying(stay)
      return .arrived(stay.visit())
    case .staying(let stay): return left(stay, fix, since: fix.time, at: now)
    case .leaving(let stay, let since): return left(stay, fix, since: since, at: now)
    }
    return nil
  }

  private func isCoarse(_ fix: Fix) -> Bool {
    fix.horizontalAccuracy.map { $0 > Self.radius } ?? false
  }

  private func isLong(_ stay: Stay, at now: EngineInstant) -> Bool {
    EngineInstant.seconds(from: stay.since, to: now) >= Self.dwell
  }

  private mutating func left(
    _ stay: Stay, _ fix: Fix, since: UTCInstant?, at now: EngineInstant
  ) -> PlaceEvent? {
    let way = stay.place.distance(to: fix.coordinate)
    guard way >= Self.radius else {
      phase = .staying(stay)
      return nil
    }
    guard way >= 2 * Self.radius else {
      phase = .leaving(stay, since: since)
      return nil
    }
    phase = .near(Stay(fix, at: now, sawArrival: true))
    return .departed(stay.visit(until: since))
  }

  /// Takes the policy's belief in a rest; returns the event.
  mutating func rests(_ rest: RestBelief, at now: EngineInstant) -> PlaceEvent? {
    guard case .near(let stay) = phase, isLong(stay, at: now), rest.chance >= Self.leastChance,
      stay.longestWay <= Self.radius
    else { return nil }
    phase = .staying(stay)
    return .arrived(stay.visit())
  }

  /// The motion sensor fired.
  mutating func stirred(at now: EngineInstant) {
    guard case .near(var stay) = phase else { return }
    stay.stirredAt = now
    phase = .near(stay)
  }

  /// The remaining need of the next event after a position, metres, and the instant from which it may come.
  func missing(after fix: Fix, at now: EngineInstant) -> (metres: Double, due: EngineInstant) {
    switch phase {
    // The first positions were too coarse.
    case .nowhere: (0, now.advanced(bySeconds: RegionService.againAfterCoarse))
    case .near(let stay):
      // A too coarse position is no reason to look again before a stay could have begun anew.
      isCoarse(fix)
        ? (0, now.advanced(bySeconds: Self.dwell))
        : (0, stay.since.advanced(bySeconds: Self.dwell))
    case .staying(let stay), .leaving(let stay, _):
      (2 * Self.radius - stay.place.distance(to: fix.coordinate), now)
    }
  }

  /// The stay that counts in which the device is; `nil` once it was seen to leave it.
  var current: Visit? {
    switch phase {
    case .staying(let stay): stay.visit()
    case .nowhere, .near, .leaving: nil
    }
  }

  /// The time at which a stay would be long enough; `nil` if none begins.
  var dwellEnds: EngineInstant? {
    if case .near(let stay) = phase { stay.since.advanced(bySeconds: Self.dwell) } else { nil }
  }
}
