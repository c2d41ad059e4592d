// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Under open sky, looking as late as allowed needs the fewest looks (`CarefulSchedule`). If the sky is lost for a
// while, that is not so: a policy that looked by luck just before knows more, and may need no look until it is over,
// while one that looked earlier has to look in vain every δ. So from the loss of sky both are followed until there is
// an event, or the sky is lost again, and then the one with the cheaper looks counts. A look in vain costs less than
// another one, for a receiver that hears no satellite reports it within seconds:
//
//                     ┌── as late as allowed: every δ, in vain ──┐
//   sky ──sky goes──► │                                          │ ──event, sky goes──► the cheaper looks
//                     └── one more look as it went, then so ─────┘
//
// No other look before can be better than the last one with sky, by the triangle inequality; and a policy with one look
// less may look now and knows as much. So the price stays a minimum.

/// Counts the looks that a never-late policy needs, with and without sky.
struct CarefulLooks: Sendable, Equatable {
  private var late: Course
  /// The course that looked as the sky was last lost; `nil` if it has not been lost since the delivery.
  private var lucky: Course?
  private var latest: TruePoint?
  private var hadSky = true

  /// The price of a look without sky, as a share of a look that finds the position, 0 to 1.
  private let vain: Double
  /// The price of a pause between two looks.
  private let stale: StaleStart
  /// The latest look or delivery, and the seconds of search that the pauses before it cost.
  private var trackedAt: EngineInstant?
  private(set) var staleSeconds = 0.0

  private struct Course: Sendable, Equatable {
    var schedule: CarefulSchedule
    var looks = 0
    var looksMoving = 0
    var vainLooks = 0

    mutating func count(_ isLook: Bool, moves: Bool, hasSky: Bool) {
      guard isLook else { return }
      looks += 1
      if moves { looksMoving += 1 }
      if !hasSky { vainLooks += 1 }
    }

    /// The price of its looks, in looks that find the position.
    private func price(_ vain: Double) -> Double {
      Double(looks - vainLooks) + vain * Double(vainLooks)
    }

    /// Whether its looks were cheaper, or as cheap and it need not look again so soon.
    func isBetter(than other: Course, vain: Double) -> Bool {
      let (own, others) = (price(vain), other.price(vain))
      guard own == others else { return own < others }
      guard let due = schedule.due else { return true }
      return other.schedule.due.map { $0 <= due } ?? false
    }
  }

  init(rules: ScoringRules, vain: Double, stale: StaleStart = .none) {
    (self.vain, self.stale) = (vain, stale)
    late = Course(schedule: CarefulSchedule(rules: rules, delay: rules.delay))
  }

  /// Looks between deliveries so far, and of these those at which the device moved.
  var looks: Int { best.looks }
  var looksMoving: Int { best.looksMoving }
  /// The looks among them that find no sky.
  var vainLooks: Int { best.vainLooks }

  /// Advances the truth to `point`; `moves` is whether the device did not stand.
  mutating func pass(to point: TruePoint, hasSky: Bool, moves: Bool) {
    if !hasSky, hadSky, let latest {
      settle()
      lucky = late
      if let isLook = lucky?.schedule.look(at: latest) {
        lucky?.count(isLook, moves: moves, hasSky: true)
      }
    }
    let isLook = late.schedule.pass(to: point, hasSky: hasSky)
    late.count(isLook, moves: moves, hasSky: hasSky)
    if isLook, hasSky { track(at: point.at) }
    if let isLook = lucky?.schedule.pass(to: point, hasSky: hasSky) {
      lucky?.count(isLook, moves: moves, hasSky: hasSky)
    }
    (latest, hadSky) = (point, hasSky)
  }

  /// A fresh delivery at a point: the anchor of the next leg.
  mutating func deliver(at point: TruePoint) {
    settle()
    late.schedule.deliver(at: point)
    track(at: point.at)
  }

  private mutating func track(at now: EngineInstant) {
    if let trackedAt {
      staleSeconds += stale.seconds(after: EngineInstant.seconds(from: trackedAt, to: now))
    }
    trackedAt = now
  }

  /// Ends the segment: the position is unknown until the next delivery.
  mutating func endSegment() {
    settle()
    late.schedule.endSegment()
    (latest, hadSky) = (nil, true)
  }

  private var best: Course {
    if let lucky, lucky.isBetter(than: late, vain: vain) { lucky } else { late }
  }

  private mutating func settle() {
    guard lucky != nil else { return }
    late = best
    lucky = nil
  }
}
