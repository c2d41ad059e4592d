// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The phone's own belief in a stay, from which all apps that monitor visits are told. On the phones that were measured an
// arrival was told a minute or two after the rest began, sometimes much later; a departure some five minutes after the
// place was left, when the phone was a kilometre away. Why they wait is not known: the waits are drawn (`PhoneTerms`).
//
//   away ──rest──► resting(place?, until) ──wait over, still there: arrived──► here(visit)
//    ▲                │ motion, or elsewhere                                   │  ▲    ▲
//    │◄───────────────┘                                           100 m away ──┘  │    │
//    │                                                                 ▼     back │    │ later: the next rest
//    └─────────── wait over, still away: departed ─────────────── leaving(until) ─┘
//
// So an arrival is always followed by a departure before the next arrival. A phone that has come to rest elsewhere before
// it has told the departure tells that first.
//
// - A rest without a good position is looked at again, ever less often; when the wait is over, a coarse position is
//   taken. The place is bettered by any finer position during the stay.
// - Away is what lies a radius away, and, if place or position are coarse, farther than both accuracies together.

/// The belief of a phone in where it stays.
struct PhoneStay: Sendable, Equatable, Codable {
  private enum Phase: Sendable, Equatable, Codable {
    case away
    case resting(Rest)
    case here(Place)
    case leaving(Leaving)
  }

  private struct Rest: Sendable, Equatable, Codable {
    let since: EngineInstant
    var until: EngineInstant
    /// Whether the look at the end of the wait is under way.
    var isDue = false
    var place: Place?
  }

  private struct Leaving: Sendable, Equatable, Codable {
    let place: Place
    /// The time of the first position away.
    let since: UTCInstant?
    var until: EngineInstant
    var isDue = false
  }

  private struct Place: Sendable, Equatable, Codable {
    var frame: LocalFrame
    var accuracy: Double?
    /// The time at which the rest began; `nil` if unknown.
    var arrival: UTCInstant?

    init(_ fix: Fix, arrival: UTCInstant?) {
      frame = LocalFrame(origin: fix.coordinate)
      accuracy = fix.horizontalAccuracy
      self.arrival = arrival
    }

    func isLeft(by fix: Fix) -> Bool {
      let doubt = (accuracy ?? 0) + (fix.horizontalAccuracy ?? 0)
      let radius = PhoneTerms.stayRadius
      return frame.distance(to: fix.coordinate) >= (doubt > 2 * radius ? doubt : radius)
    }

    mutating func better(by fix: Fix) {
      guard let accuracy, let finer = fix.horizontalAccuracy, finer < accuracy else { return }
      self = Self(fix, arrival: arrival)
    }

    var visit: Visit {
      Visit(coordinate: frame.origin, horizontalAccuracy: accuracy, arrival: arrival,
        departure: nil)
    }
  }

  private var phase = Phase.away

  /// When a look decides; `nil` if nothing waits, or one is under way.
  var deadline: EngineInstant? {
    switch phase {
    case .resting(let rest): rest.isDue ? nil : rest.until
    case .leaving(let leaving): leaving.isDue ? nil : leaving.until
    case .away, .here: nil
    }
  }

  /// Whether the end of a visit may be seen by moving away.
  var isHere: Bool { if case .here = phase { true } else { false } }

  /// Whether a rest awaits a good position.
  var needsPlace: Bool {
    guard case .resting(let rest) = phase else { return false }
    return rest.place.map { ($0.accuracy ?? 0) > PhoneTerms.coarse } ?? true
  }

  /// The phone rests since then.
  mutating func rested(
    at since: EngineInstant, _ wait: PhoneTerms.Wait, _ draws: SeededDraws
  ) {
    guard case .away = phase else { return }
    phase = .resting(Rest(since: since, until: since.advanced(bySeconds: draws.wait(wait, at: since))))
  }

  /// The phone moves.
  mutating func stirred() { if case .resting = phase { phase = .away } }

  /// The wait is over: the next position decides.
  mutating func isLookedFor() { setDue(true) }

  /// The look at the end of a wait found nothing: another one then.
  mutating func looksAgain(at then: EngineInstant) { setDue(false, until: then) }

  private mutating func setDue(_ isDue: Bool, until then: EngineInstant? = nil) {
    switch phase {
    case .resting(var rest):
      if !isDue, !rest.isDue { return }
      (rest.isDue, rest.until) = (isDue, then ?? rest.until)
      phase = .resting(rest)
    case .leaving(var leaving):
      if !isDue, !leaving.isDue { return }
      (leaving.isDue, leaving.until) = (isDue, then ?? leaving.until)
      phase = .leaving(leaving)
    case .away, .here: break
    }
  }

  /// Takes a position; a phone that leaves is away for `wait`.
  mutating func saw(
    _ fix: Fix, at now: EngineInstant, leaves wait: PhoneTerms.Wait, _ draws: SeededDraws
  ) -> PhoneDaemon.Finding? {
    switch phase {
    case .away: return nil
    case .resting(let rest): return saw(fix, resting: rest, at: now)
    case .here(var place):
      guard place.isLeft(by: fix) else {
        place.better(by: fix)
        phase = .here(place)
        return nil
      }
      phase = .leaving(
        Leaving(
          place: place, since: fix.time, until: now.advanced(bySeconds: draws.wait(wait, at: now))))
      return nil
    case .leaving(var leaving):
      guard leaving.place.isLeft(by: fix) else {
        // A coarse position near it says nothing.
        guard (fix.horizontalAccuracy ?? 0) > PhoneTerms.coarse else {
          phase = .here(leaving.place)
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
      phase = .away
      return .departed(since: leaving.since)
    }
  }

  private mutating func saw(
    _ fix: Fix, resting: Rest, at now: EngineInstant
  ) -> PhoneDaemon.Finding? {
    var rest = resting
    if let place = rest.place, place.isLeft(by: fix) {
      phase = .away
      return nil
    }
    if rest.place == nil {
      let age = EngineInstant.seconds(from: rest.since, to: now)
      rest.place = Place(fix, arrival: fix.time?.advanced(bySeconds: -age))
    }
    rest.place?.better(by: fix)
    guard let place = rest.place, rest.until <= now else {
      phase = .resting(rest)
      return nil
    }
    phase = .here(place)
    return .arrived(place.visit)
  }
}
