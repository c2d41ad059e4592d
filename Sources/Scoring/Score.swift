// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What a list of deliveries came to against the truth; the words are defined in `Scorer`.
package struct Score: Sendable, Equatable {
  /// Judged crossings: detected and missed ones.
  package internal(set) var crossings = 0
  package internal(set) var missed = 0
  package internal(set) var spurious = 0
  /// Deliveries before their crossing that are not spurious: the accuracies explain them, or the interval
  /// was not over.
  package internal(set) var early = 0
  /// Crossings so near to the end of a segment that they are not judged.
  package internal(set) var unjudged = 0
  /// Fresh deliveries of which the true position is known.
  package internal(set) var deliveries = 0
  /// Deliveries of an old position; they neither anchor nor detect.
  package internal(set) var cached = 0
  /// Fresh deliveries in a gap, before the beginning or after the end: nobody knows the true position.
  package internal(set) var outside = 0
  /// Seconds from crossing to delivery, of the detected ones.
  package internal(set) var latency = Distribution()
  /// Metres beyond the distance at delivery, of the detected ones that distance decided.
  package internal(set) var overshoot = Distribution()
  /// When the first anchor was set; `nil` where nothing fresh was delivered.
  package internal(set) var anchoredAt: EngineInstant?

  package init() {}

  package var detected: Int { crossings - missed }

  /// Adds another trace's score.
  package static func += (a: inout Self, b: Self) {
    a.crossings += b.crossings
    a.missed += b.missed
    a.spurious += b.spurious
    a.early += b.early
    a.unjudged += b.unjudged
    a.deliveries += b.deliveries
    a.cached += b.cached
    a.outside += b.outside
    a.latency.merge(b.latency)
    a.overshoot.merge(b.overshoot)
    a.anchoredAt = a.anchoredAt ?? b.anchoredAt
  }
}

/// One crossing and what became of it.
package struct Crossing: Sendable, Equatable {
  /// What made it the first instant at which both conditions held.
  package enum Decision: String, Sendable, CaseIterable {
    /// The device got so far, after the interval was over.
    case distance
    /// The interval ended, and the device had been so far away before.
    case interval
    /// The truth began again so far away, after a gap.
    case gap
  }

  package enum Outcome: Sendable, Equatable {
    /// Delivered so many seconds later; metres beyond the distance then.
    case detected(latency: Double, overshoot: Double)
    /// The device came back, the patience was over, or the segment ended.
    case missed
  }

  /// The instant of the crossing.
  package let at: EngineInstant
  package let decision: Decision
  /// When the anchor was set.
  package let anchoredAt: EngineInstant
  package internal(set) var outcome: Outcome
}
