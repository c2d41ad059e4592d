// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// News of a place that an app is told in words.
package enum PlaceNews: Sendable {
  case came, left
  /// The border of the region of this name was crossed.
  case crossed(String, isEntry: Bool)
}

/// The outcomes of the events of one kind.
package struct EventTally: Sendable, Equatable, Codable {
  /// Events of the truth.
  package private(set) var count = 0
  package private(set) var missed = 0
  /// Seconds from each event to the delivery that told it.
  package private(set) var delay = Distribution()
  package private(set) var longest = 0.0

  package init() {}

  /// Events that could be judged: told or missed.
  package var judged: Int { missed + delay.count }

  var isWhole: Bool { SummableCount.allows([count, missed]) }

  mutating func happened() { count += 1 }
  mutating func miss() { missed += 1 }

  mutating func told(_ events: [EngineInstant], at now: EngineInstant) {
    for event in events {
      let seconds = EngineInstant.seconds(from: event, to: now)
      delay.include(seconds)
      longest = max(longest, seconds)
    }
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
