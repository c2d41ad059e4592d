// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Under open sky looking as late as allowed needs the fewest looks (`CarefulSchedule`). Where the sky
// goes for a while, that is not so: who looked by luck just before knows more, and may need none until it
// is over, while who looked earlier has to look in vain every δ. So from the moment at which the sky goes
// both are followed, and when it is back the one that needed fewer looks counts:
//
//                     ┌── as late as allowed: every δ, in vain ──┐
//   sky ──sky goes──► │                                          │ ──sky is back──► the fewer looks
//                     └── one more look as it went, then so ─────┘
//
// No other look before can be better than the last one with sky, by the triangle inequality; and who has
// one look less may look now and knows as much. So the count stays a minimum.

/// Counts the looks that a never-late policy needs, with and without sky.
struct CarefulLooks: Sendable, Equatable {
  private var late: Course
  /// Who looked as the sky went; `nil` under open sky.
  private var lucky: Course?
  private var latest: TruePoint?
  private var hadSky = true

  private struct Course: Sendable, Equatable {
    var schedule: CarefulSchedule
    var looks = 0
    var looksMoving = 0

    mutating func count(_ isLook: Bool, moves: Bool) {
      guard isLook else { return }
      looks += 1
      if moves { looksMoving += 1 }
    }

    /// Whether it had to look less often, or as often and need not look again so soon.
    func isBetter(than other: Course) -> Bool {
      guard looks == other.looks else { return looks < other.looks }
      guard let due = schedule.due else { return true }
      return other.schedule.due.map { $0 <= due } ?? false
    }
  }

  init(rules: ScoringRules, delay: Double) {
    late = Course(schedule: CarefulSchedule(rules: rules, delay: delay))
  }

  /// Looks between deliveries so far, and of these those at which the device moved.
  var looks: Int { best.looks }
  var looksMoving: Int { best.looksMoving }

  /// The truth is there now; `moves` is whether the device did not stand.
  mutating func pass(to point: TruePoint, hasSky: Bool, moves: Bool) {
    if hasSky {
      settle()
    } else if hadSky, let latest {
      lucky = late
      if let isLook = lucky?.schedule.look(at: latest) {
        lucky?.count(isLook, moves: moves)
      }
    }
    late.count(late.schedule.pass(to: point, hasSky: hasSky), moves: moves)
    if let isLook = lucky?.schedule.pass(to: point, hasSky: hasSky) {
      lucky?.count(isLook, moves: moves)
    }
    (latest, hadSky) = (point, hasSky)
  }

  /// A fresh delivery at a point: the anchor of the next leg.
  mutating func deliver(at point: TruePoint) {
    settle()
    late.schedule.deliver(at: point)
  }

  /// Nobody knows where the device is until the next delivery.
  mutating func endSegment() {
    settle()
    late.schedule.endSegment()
    (latest, hadSky) = (nil, true)
  }

  private var best: Course {
    if let lucky, lucky.isBetter(than: late) { lucky } else { late }
  }

  private mutating func settle() {
    guard lucky != nil else { return }
    late = best
    lucky = nil
  }
}
