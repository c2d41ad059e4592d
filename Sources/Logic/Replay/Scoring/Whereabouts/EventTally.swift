// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// News of a place that an app is told in words.
package enum PlaceNews: Sendable {
  case came, left
  /// The border of the region of this name was crossed.
  case crossed(String, isEntry: Bool)
}

/// The outcomes of the events of one kind.
package struct EventTally: Sendable, Equatable {
  /// Events of the truth, those too near the end of a segment to be judged included.
  package private(set) var count = 0
  package private(set) var missed = 0
  /// Seconds from each event to the delivery that told it.
  package private(set) var delay = Distribution()
  package private(set) var longest = 0.0

  package init() {}

  /// Events that could be judged: told or missed.
  package var judged: Int { missed + delay.count }

  /// Seconds within which this share of the judged events was told, 0 to 1; the patience of the rules if that many were
  /// not. `nil` if none could be judged.
  package func lateness(_ share: Double, rules: ScoringRules = ScoringRules()) -> Double? {
    guard judged > 0 else { return nil }
    let rank = share * Double(judged - 1)
    guard rank <= Double(delay.count - 1) else { return rules.patience }
    return delay.count == 1 ? delay.quantile(0) : delay.quantile(rank / Double(delay.count - 1))
  }

  mutating func happened() { count += 1 }
  mutating func miss() { missed += 1 }

  mutating func told(_ event: EngineInstant, at now: EngineInstant) {
    let seconds = EngineInstant.seconds(from: event, to: now)
    delay.include(seconds)
    longest = max(longest, seconds)
  }

  /// Restored, it stays that of all worlds: what is told of it are shares.
  mutating func walkSums(_ walk: inout SumWalk) {
    walk.count(&count, .whole)
    walk.count(&missed, .whole)
    delay.walkSums(&walk)
    walk.greatest(&longest)
  }

  package static func += (a: inout Self, b: Self) {
    a.count += b.count
    a.missed += b.missed
    a.delay.merge(b.delay)
    a.longest = max(a.longest, b.longest)
  }

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }
}
