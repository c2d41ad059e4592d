// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// Visits [doc]: an app is told of a place when the device has stayed there for a while, and once more when it has left.
// Apple does not define a stay; the rule is the one by which the truth is scored (`TruthEvents`): within 100 m for 5
// min, and over once it is 200 m away or another one has begun beyond the 100 m [ours; the radius and the loitering
// delay that Android recommends for a geofence].
//
//   nowhere ──position──► near(stay) ──within 100 m for 300 s: arrived──► staying(stay)
//                          ▲  │                                            │  ▲     │
//                          └──┘ 100 m away: anew                   100 m ──┤  └─────┤ within 100 m again
//                          ▲                                               ▼        │
//                          └── 200 m away, or near the next: departed ── leaving(stay, next)
//
// - *Times.* The arrival is that of the first position of `near`, the departure that of the first one beyond 100 m, with
//   which it is told. A stay that had begun when the device was first seen has no arrival, since it was not observed.
// - *Next door.* Who leaves a place is near the next one from the first position beyond 100 m on, so that a stay 150 m
//   farther is another stay. A position at which the device goes begins that one anew: a walk round the block passes the
//   same corner twice.
// - *Jumps.* A position 200 m away at which the device does not go may be a jump of the receiver: of 17 in 295 h of
//   recordings half were over after 82 s [counted]. So it has left once it was beyond the 100 m for 90 s, and until then
//   the app is told of no significant change from there. The policy looks when they are over.
// - *Late.* The arrival is found by the first position 300 s after the first one, and the policy is asked to look then.
//   If it cannot (a roof), its belief in a rest is taken for it, if that is strong, there is no doubt of a jump, and the
//   device cannot have left the circle since the last position: the motion sensor fired for the last time so soon after
//   it that the way at that position's speed, or at a walk, is shorter than the radius.
// - *Coarse.* A position coarser than the radius says nothing of where a stay is, nor that the device is near one. If it
//   is beyond the 200 m by twice its accuracy (a radius of 95 %), the device is away, and after 90 s it has left.
// - An app that may not be told when it happens is not told later: the device's past place is none of its business.

/// One app's monitoring of visits; it outlives the app's process.
package struct VisitService: Sendable, Equatable, Codable {
  /// Metres around a place; at twice this distance the device has left it [ours].
  package static let radius = 100.0
  /// Seconds that make a stay [ours].
  package static let dwell = 300.0
  /// Seconds after which a position far away is no jump, and the speed from which on it is none at once, metres per
  /// second: a slow walk [ours].
  static let jump = (lasts: 90.0, speed: 1.0)
  /// The chance of a rest from which on the policy's belief counts [ours].
  static let leastChance = 0.9
  /// The assumed speed of a device after a position, metres per second, whatever its speed then: a walk; and if
  /// unknown [ours].
  static let paces = (walk: 1.5, unknown: 50.0)

  /// An event, and the position that showed it.
  typealias Shown = (event: PlaceEvent, fix: Fix)

  private var phase = Phase.nowhere

  private enum Phase: Sendable, Equatable, Codable {
    case nowhere
    /// At a place, not long enough yet.
    case near(Stay)
    /// The app was told of the arrival.
    case staying(Stay)
    /// Beyond the radius, not known to have left, and at another place, not long enough yet.
    case leaving(Stay, Leaving)
  }

  private struct Leaving: Sendable, Equatable, Codable {
    /// The first position beyond the radius.
    let fix: Fix
    let at: EngineInstant
    var next: Stay

    init(_ fix: Fix, at now: EngineInstant) {
      (self.fix, at, next) = (fix, now, Stay(fix, at: now))
    }

    /// The time from which on it is no jump.
    var surely: EngineInstant { at.advanced(bySeconds: VisitService.jump.lasts) }

    /// Whether a position far away is none.
    func isNoJump(to fix: Fix, at now: EngineInstant) -> Bool {
      VisitService.goes(fix) || now >= surely
    }
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

    init(_ fix: Fix, at now: EngineInstant, sawArrival: Bool = true) {
      place = LocalFrame(origin: fix.coordinate)
      accuracy = fix.horizontalAccuracy
      since = now
      last = now
      pace = max(VisitService.paces.walk, fix.speed ?? VisitService.paces.unknown)
      arrival = sawArrival ? fix.time : nil
    }

    /// Whether its place is not known to the radius.
    var isCoarse: Bool { accuracy.map { $0 > VisitService.radius } ?? false }

    /// Whether a coarse position is surely elsewhere.
    func isAway(by fix: Fix) -> Bool {
      place.distance(to: fix.coordinate) - 2 * (fix.horizontalAccuracy ?? 0)
        >= 2 * VisitService.radius
    }

    /// The device is seen there, or elsewhere: then another stay may begin.
    mutating func see(_ fix: Fix, at now: EngineInstant) {
      guard !isCoarse, place.distance(to: fix.coordinate) < VisitService.radius else {
        self = Stay(fix, at: now)
        return
      }
      (last, stirredAt) = (now, nil)
      pace = max(VisitService.paces.walk, fix.speed ?? VisitService.paces.unknown)
    }

    func isLong(at now: EngineInstant) -> Bool { now >= end }

    /// The time at which it is long enough.
    var end: EngineInstant { since.advanced(bySeconds: VisitService.dwell) }

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
    func leaves(_ stay: Stay, _ leaving: Leaving) -> VisitMark {
      var mark = mark(3, stay)
      mark.away = min(Self.jump.lasts, EngineInstant.seconds(from: leaving.at, to: now))
      mark.next = leaving.next.place.origin.latitude
      mark.nextLasts = min(Self.dwell, EngineInstant.seconds(from: leaving.next.since, to: now))
      return mark
    }
    return switch phase {
    case .nowhere: VisitMark(phase: 0)
    case .near(let stay): mark(1, stay)
    case .staying(let stay): mark(2, stay)
    case .leaving(let stay, let leaving): leaves(stay, leaving)
    }
  }

  /// Takes an admitted position; returns the events, in order, each with the position that showed it.
  mutating func take(fix: Fix, at now: EngineInstant) -> [Shown] {
    if fix.isCoarse { return takeCoarse(fix, at: now) }
    switch phase {
    case .nowhere: phase = .near(Stay(fix, at: now, sawArrival: false))
    case .near(var stay):
      stay.see(fix, at: now)
      return come(to: stay, fix, at: now)
    case .staying(let stay): return leave(stay, Leaving(fix, at: now), fix, at: now)
    case .leaving(let stay, var leaving):
      if Self.goes(fix) {
        leaving.next = Stay(fix, at: now)
      } else {
        leaving.next.see(fix, at: now)
      }
      return leave(stay, leaving, fix, at: now)
    }
    return []
  }

  /// Takes a position that only says whether the device is away.
  private mutating func takeCoarse(_ fix: Fix, at now: EngineInstant) -> [Shown] {
    switch phase {
    case .staying(let stay) where stay.isAway(by: fix):
      phase = .leaving(stay, Leaving(fix, at: now))
    case .leaving(let stay, let leaving)
    where stay.isAway(by: fix) && leaving.isNoJump(to: fix, at: now):
      phase = .near(leaving.next)
      return [departure(from: stay, leaving)]
    case .nowhere, .near, .staying, .leaving: break
    }
    return []
  }

  private static func goes(_ fix: Fix) -> Bool { fix.speed.map { $0 >= jump.speed } ?? false }

  private mutating func come(to stay: Stay, _ fix: Fix, at now: EngineInstant) -> [Shown] {
    var stay = stay
    guard stay.isLong(at: now) else {
      phase = .near(stay)
      return []
    }
    // It stays where it is now, not where it came in.
    (stay.place, stay.accuracy) = (LocalFrame(origin: fix.coordinate), fix.horizontalAccuracy)
    phase = .staying(stay)
    return [(.arrived(stay.visit()), fix)]
  }

  private mutating func leave(
    _ stay: Stay, _ leaving: Leaving, _ fix: Fix, at now: EngineInstant
  ) -> [Shown] {
    let way = stay.place.distance(to: fix.coordinate)
    let isFar = way >= 2 * Self.radius && leaving.isNoJump(to: fix, at: now)
    if way < Self.radius {
      phase = .staying(stay)
    } else if isFar || leaving.next.isLong(at: now) {
      return [departure(from: stay, leaving)] + come(to: leaving.next, fix, at: now)
    } else {
      phase = .leaving(stay, leaving)
    }
    return []
  }

  private func departure(from stay: Stay, _ leaving: Leaving) -> Shown {
    (.departed(stay.visit(until: leaving.fix.time)), leaving.fix)
  }

  /// The time until which a position that it has taken counts as a jump out of a stay; `nil` if it does not.
  func doubts(_ fix: Fix) -> EngineInstant? {
    guard !fix.isCoarse, case .leaving(let stay, let leaving) = phase,
      stay.place.distance(to: fix.coordinate) >= 2 * Self.radius
    else { return nil }
    return leaving.surely
  }

  /// Takes the policy's belief in a rest at the last known position; returns the events as `take` does.
  mutating func rests(_ rest: RestBelief, _ fix: Fix, at now: EngineInstant) -> [Shown] {
    guard let next, next.isLong(at: now), rest.chance >= Self.leastChance,
      next.longestWay <= Self.radius, !mayBeJump(to: next)
    else { return [] }
    var events: [Shown] = [(.arrived(next.visit()), fix)]
    if case .leaving(let stay, let leaving) = phase {
      events.insert(departure(from: stay, leaving), at: 0)
    }
    phase = .staying(next)
    return events
  }

  /// Whether nothing but positions of a moment say that it is there, far from the last place.
  private func mayBeJump(to next: Stay) -> Bool {
    guard case .leaving(let stay, let leaving) = phase else { return false }
    return next.last < leaving.surely
      && stay.place.distance(to: next.place.origin) >= 2 * Self.radius
  }

  /// The motion sensor fired.
  mutating func stirred(at now: EngineInstant) {
    guard var stay = next else { return }
    stay.stirredAt = now
    next = stay
  }

  /// The place that the device may have come to; `nil` if it stays at one, or none is known.
  private var next: Stay? {
    get {
      switch phase {
      case .near(let next): next.isCoarse ? nil : next
      case .leaving(_, let leaving): leaving.next.isCoarse ? nil : leaving.next
      case .nowhere, .staying: nil
      }
    }
    set {
      guard let newValue else { return }
      if case .leaving(let stay, var leaving) = phase {
        leaving.next = newValue
        phase = .leaving(stay, leaving)
      } else {
        phase = .near(newValue)
      }
    }
  }

  /// The remaining needs of the next events after a position, metres, and the instants from which they may come.
  func missing(after fix: Fix, at now: EngineInstant) -> [(metres: Double, due: EngineInstant)] {
    // A too coarse position is no reason to look again at once, nor before a stay could have begun anew.
    let again = now.advanced(bySeconds: fix.isCoarse ? RegionService.againAfterCoarse : 0)
    let dwell = next.map { fix.isCoarse ? now.advanced(bySeconds: Self.dwell) : $0.end }
    switch phase {
    // The first positions were too coarse.
    case .nowhere: return [(0, now.advanced(bySeconds: RegionService.againAfterCoarse))]
    case .near: return [(0, dwell ?? again)]
    case .staying(let stay): return [(border(of: stay, fix), again)]
    case .leaving(let stay, let leaving):
      let metres = border(of: stay, fix)
      return [(metres, metres > 0 ? again : max(leaving.surely, again))]
        + (dwell.map { [(0, $0)] } ?? [])
    }
  }

  /// Metres to where it has left.
  private func border(of stay: Stay, _ fix: Fix) -> Double {
    2 * Self.radius - stay.place.distance(to: fix.coordinate)
  }

  /// The stay that counts in which the device is; `nil` once it was seen to leave it.
  var current: Visit? {
    switch phase {
    case .staying(let stay): stay.visit()
    case .nowhere, .near, .leaving: nil
    }
  }

  /// The time at which a stay would be long enough; `nil` if none begins.
  var dwellEnds: EngineInstant? { next?.end }
}

extension Fix {
  /// Whether it is too coarse to say where a stay is.
  fileprivate var isCoarse: Bool {
    horizontalAccuracy.map { $0 > VisitService.radius } ?? false
  }
}
