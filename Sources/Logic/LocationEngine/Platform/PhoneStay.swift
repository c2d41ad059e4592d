// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The phone's own belief in a stay, from which all apps that monitor visits are told. On the phones that were measured an
// arrival was told a few minutes after the phone had come within 100 m of where it then stayed, sometimes much later; a
// departure some five minutes after it had gone 100 m away, when it was a kilometre away. Why they wait is not known: the
// waits are drawn (`PhoneTerms`), that of the next arrival when the departure is told.
//
//               positions of the wait lie within 100 m: arrived             100 m away
//   away(trail) ─────────────────────────────────────────────────► here(place) ─────────► leaving(until)
//     ▲  a position 100 m from older ones drops them                    ▲                       │  │
//     │                                                                 └───────── back ────────┘  │
//     └──────────────────────────────────── wait over, still away: departed ───────────────────────┘
//
// So an arrival is always followed by a departure before the next arrival. A phone that has come to a place before it has
// told the departure from the last one tells that first, and no stay begins before the one before it has ended.
//
// - *The trail* has the positions of the latest way of 100 m, one every 10 m; their first one is when the phone came near.
// - *At rest* without a receiver one look finds the place, and it is assumed that the phone had come near a minute before,
//   on foot. When the wait is over, another look confirms that it is still there. If all looks are coarse, a coarse place
//   is taken: a visit has an accuracy.
// - *Away* from a place is what lies a radius away, and, if place or position are coarse, farther than both accuracies
//   together. While the phone has not moved since it was seen there, that far is not enough: of coarse positions every
//   third one errs by more than its accuracy, and one in 30,000 by three times as much. The place is bettered by any finer
//   position during the stay.
// - *The end of the way* is unseen: if the phone may have gone farther than the radius since the trail's last position, at
//   its last pace, the trail is not where it rests, and a coarse place is better.

/// The belief of a phone in where it stays.
struct PhoneStay: Sendable, Equatable, Codable {
  private enum Phase: Sendable, Equatable, Codable {
    case away(Approach)
    case here(Place)
    case leaving(Leaving)
  }

  private struct Approach: Sendable, Equatable, Codable {
    /// Seconds near a place that make a visit.
    let wait: Double
    /// Positions within a radius of the latest one, in order.
    var trail: [Passed] = []
    /// The time of the latest position that was not coarse.
    var seen: EngineInstant?
    /// The beginning of the rest, if the phone rests.
    var rest: EngineInstant?
    /// Whether the look at the end of the wait is under way.
    var isDue = false
    /// The time of the first position away from the place before.
    var left: EngineInstant?
    /// Whether the phone may have gone on, out of the radius, after the trail's last position.
    var wentOn = false

    /// The trail's last position, if the phone rests there.
    var placeSeen: Passed? { wentOn ? nil : trail.last }

    /// Since when the phone is near where it is: not before it left the place before.
    var since: EngineInstant? {
      let onFoot = rest?.advanced(bySeconds: -PhoneStay.onFoot)
      guard let near = EngineInstant.earlier(trail.first?.at, onFoot) else { return nil }
      return left.map { max($0, near) } ?? near
    }

    var ends: EngineInstant? { since?.advanced(bySeconds: wait) }
  }

  private struct Passed: Sendable, Equatable, Codable {
    let place: LocalFrame
    let accuracy: Double?
    let at: EngineInstant
  }

  private struct Leaving: Sendable, Equatable, Codable {
    let place: Place
    /// The time of the first position away.
    let since: UTCInstant?
    let from: EngineInstant
    var until: EngineInstant
    var isDue = false
  }

  private struct Place: Sendable, Equatable, Codable {
    var frame: LocalFrame
    var accuracy: Double?
    /// The time at which the phone came near; `nil` if unknown.
    let arrival: UTCInstant?
    /// Whether the phone moved, for more than a moment, since it was last seen here.
    var hasMoved = false

    init(_ fix: Fix, arrival: UTCInstant?) {
      frame = LocalFrame(origin: fix.coordinate)
      accuracy = fix.horizontalAccuracy
      self.arrival = arrival
    }

    init(_ passed: Passed, arrival: UTCInstant?) {
      (frame, accuracy, self.arrival) = (passed.place, passed.accuracy, arrival)
    }

    func isLeft(by fix: Fix) -> Bool {
      let doubt = (accuracy ?? 0) + (fix.horizontalAccuracy ?? 0)
      let radius = PhoneTerms.stayRadius
      guard doubt > 2 * radius else { return frame.distance(to: fix.coordinate) >= radius }
      let far = hasMoved ? doubt : PhoneStay.restingDoubts * doubt
      return frame.distance(to: fix.coordinate) >= far
    }

    mutating func better(by fix: Fix) {
      if !PhoneStay.isCoarse(fix) { hasMoved = false }
      guard let accuracy, let finer = fix.horizontalAccuracy, finer < accuracy else { return }
      frame = LocalFrame(origin: fix.coordinate)
      self.accuracy = finer
    }

    var visit: Visit {
      Visit(
        coordinate: frame.origin, horizontalAccuracy: accuracy, arrival: arrival, departure: nil)
    }
  }

  /// Metres between two positions of the trail [ours].
  private static let spacing = 10.0
  /// Seconds before a rest in which a phone on foot comes near the place [ours: 75 m at 1.25 m/s].
  private static let onFoot = 60.0
  /// Accuracies of a coarse position beyond which the phone has left its place though it felt no motion [ours: a normal
  /// error of which 68 % lie within the accuracy exceeds three times that in exp(−9 × 1.139), one case in 28,000].
  private static let restingDoubts = 3.0

  private var phase: Phase

  init(_ arrival: PhoneTerms.Wait, _ draws: SeededDraws, at now: EngineInstant) {
    phase = .away(Approach(wait: draws.wait(arrival, at: now)))
  }

  /// When a look decides; `nil` if nothing waits, or one is under way. On the way there is no such look.
  var deadline: EngineInstant? {
    switch phase {
    case .away(let approach):
      approach.isDue || approach.rest == nil ? nil : approach.ends
    case .leaving(let leaving): leaving.isDue ? nil : leaving.until
    case .here: nil
    }
  }

  /// Whether the end of a visit may be seen by moving away.
  var isHere: Bool { if case .here = phase { true } else { false } }

  /// Whether a rest awaits a good position.
  var needsPlace: Bool {
    if case .away(let approach) = phase {
      approach.rest != nil && approach.trail.isEmpty
    } else {
      false
    }
  }

  /// The phone rests since then; `pace`: its last one, metres per second.
  mutating func rested(at since: EngineInstant, pace: Double) {
    guard case .away(var approach) = phase else { return }
    approach.rest = since
    // Nobody saw the way since the trail's last position.
    let near = since.advanced(bySeconds: -Self.onFoot)
    if approach.seen.map({ $0 < near }) ?? true { approach.trail.removeAll() }
    let unseen = approach.seen.map { pace * EngineInstant.seconds(from: $0, to: since) } ?? 0
    approach.wentOn = unseen > PhoneTerms.stayRadius
    phase = .away(approach)
  }

  /// The phone has moved for more than a moment.
  mutating func moved() {
    guard case .here(var place) = phase, !place.hasMoved else { return }
    place.hasMoved = true
    phase = .here(place)
  }

  /// The phone moves.
  mutating func stirred() {
    guard case .away(var approach) = phase else { return }
    (approach.rest, approach.isDue) = (nil, false)
    phase = .away(approach)
  }

  /// The wait is over: the next position decides.
  mutating func isLookedFor() { setDue(true) }

  /// The look at the end of a wait found nothing: another one then.
  mutating func looksAgain(at then: EngineInstant) { setDue(false, until: then) }

  private mutating func setDue(_ isDue: Bool, until then: EngineInstant? = nil) {
    switch phase {
    case .away(var approach):
      approach.isDue = isDue
      phase = .away(approach)
    case .leaving(var leaving):
      leaving.until = isDue || !leaving.isDue ? leaving.until : then ?? leaving.until
      leaving.isDue = isDue
      phase = .leaving(leaving)
    case .here: break
    }
  }

  /// Takes a position.
  mutating func saw(
    _ fix: Fix, at now: EngineInstant, by terms: PhoneTerms, _ draws: SeededDraws
  ) -> PhoneDaemon.Finding? {
    switch phase {
    case .away(let approach): return saw(fix, approaching: approach, at: now)
    case .here(var place):
      guard place.isLeft(by: fix) else {
        place.better(by: fix)
        phase = .here(place)
        return nil
      }
      let wait = draws.wait(terms.departure, at: now)
      phase = .leaving(
        Leaving(place: place, since: fix.time, from: now, until: now.advanced(bySeconds: wait)))
      return nil
    case .leaving(var leaving):
      guard leaving.place.isLeft(by: fix) else {
        // A coarse position near it says nothing.
        guard Self.isCoarse(fix) else {
          var place = leaving.place
          place.better(by: fix)
          phase = .here(place)
          return nil
        }
        if leaving.isDue {
          (leaving.isDue, leaving.until) = (
            false, now.advanced(bySeconds: PhoneTerms.looksAgain)
          )
          phase = .leaving(leaving)
        }
        return nil
      }
      guard leaving.until <= now else { return nil }
      let wait = draws.wait(terms.arrival, at: now)
      phase = .away(Approach(wait: wait, left: leaving.from))
      _ = saw(fix, at: now, by: terms, draws)
      return .departed(since: leaving.since)
    }
  }

  private static func isCoarse(_ fix: Fix) -> Bool {
    fix.horizontalAccuracy.map { $0 > PhoneTerms.coarse } ?? false
  }

  private mutating func saw(
    _ fix: Fix, approaching before: Approach, at now: EngineInstant
  ) -> PhoneDaemon.Finding? {
    var approach = before
    let isCoarse = Self.isCoarse(fix)
    if !isCoarse {
      let radius = PhoneTerms.stayRadius
      let far = approach.trail.lastIndex { $0.place.distance(to: fix.coordinate) > radius }
      if let far {
        approach.trail.removeFirst(far + 1)
        // It was no rest until now: a ride that nobody felt.
        if approach.rest != nil { approach.rest = now }
      }
      let latest = approach.trail.last?.place.distance(to: fix.coordinate) ?? .infinity
      if latest >= Self.spacing {
        approach.trail.append(
          Passed(
            place: LocalFrame(origin: fix.coordinate), accuracy: fix.horizontalAccuracy, at: now))
      }
      (approach.seen, approach.wentOn) = (now, false)
      if approach.trail.count > Self.mostPassed { approach.trail.remove(at: 1) }
    }
    approach.isDue = false
    // While the phone moves, a coarse position says nothing.
    guard let since = approach.since, let ends = approach.ends, ends <= now,
      !isCoarse || approach.rest != nil
    else {
      phase = .away(approach)
      return nil
    }
    let age = EngineInstant.seconds(from: since, to: now)
    let arrival = fix.time?.advanced(bySeconds: -age)
    // A coarse position is the place only where no better one came at all.
    let place =
      isCoarse
      ? approach.placeSeen.map { Place($0, arrival: arrival) } ?? Place(fix, arrival: arrival)
      : Place(fix, arrival: arrival)
    phase = .here(place)
    return .arrived(place.visit)
  }

  /// The most positions of a trail: of a walk to and fro the second oldest goes [ours].
  private static let mostPassed = 64
}
