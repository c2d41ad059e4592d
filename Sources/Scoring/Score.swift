// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What a list of deliveries came to against the truth; the words are defined in `Scorer`.
package struct Score: Sendable, Equatable, Codable {
  /// Judged crossings: detected and missed ones.
  package internal(set) var crossings = 0
  package internal(set) var missed = 0
  package internal(set) var spurious = 0
  /// Deliveries before their crossing that are not spurious: the accuracies explain them, which then are
  /// crossings detected with latency 0, or the interval was not over.
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
  /// Of the latencies, those of crossings before which the device moved on ever since its last delivery,
  /// and those of crossings after a stay (`Standstill`).
  package internal(set) var latencyMoving = Distribution()
  package internal(set) var latencyDeparting = Distribution()
  /// What the quickest honest policy would have come to; empty where it was not reckoned.
  package internal(set) var causal = CausalScore()
  /// Seconds for which any crossing was open, judged or not: until its delivery or the end of its
  /// segment; infinite where one passed without a delivery.
  package internal(set) var longestWait = 0.0
  /// Whether fresh deliveries lie the rules' interval apart, all of them.
  package internal(set) var isSpaced = true
  /// When the first anchor was set whose true place is known; `nil` where nothing fresh was delivered
  /// outside gaps.
  package internal(set) var anchoredAt: EngineInstant?

  /// All but the instant, which means nothing outside its trace.
  private enum CodingKeys: String, CodingKey {
    case crossings, missed, spurious, early, unjudged, deliveries, cached, outside
    case latency, overshoot, latencyMoving, latencyDeparting, causal, longestWait, isSpaced
  }

  package init() {}

  package var detected: Int { crossings - missed }

  /// Whether what was read can be added up.
  package var isWhole: Bool {
    SummableCount.allows(
      [crossings, missed, spurious, early, unjudged, deliveries, cached, outside]
        + [causal.crossings, causal.unreachable, causal.missedUnreachable, causal.looks]
        + [causal.looksMoving, causal.vainLooks])
  }

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
    a.latencyMoving.merge(b.latencyMoving)
    a.latencyDeparting.merge(b.latencyDeparting)
    a.causal += b.causal
    a.longestWait = max(a.longestWait, b.longestWait)
    a.isSpaced = a.isSpaced && b.isSpaced
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
  /// Whether the device stood at some time since the delivery before it.
  package internal(set) var isAfterStay = false
  /// The earliest honest delivery; `nil` where there was none before the crossing closed, and where it
  /// was not reckoned.
  package internal(set) var reach: Reach?

  /// A delivery that could have been: seconds after the crossing, and metres beyond the distance then.
  package struct Reach: Sendable, Equatable {
    package let latency: Double
    package let overshoot: Double
  }
}

/// Crossings against the causal bound (`CausalReceiver`).
package struct CausalScore: Sendable, Equatable, Codable {
  /// Judged crossings of which the bound speaks.
  package internal(set) var crossings = 0
  /// Of these, those that no honest policy could deliver, and of these those that were missed.
  package internal(set) var unreachable = 0
  package internal(set) var missedUnreachable = 0
  /// Seconds from the crossing to the earliest honest delivery, and metres beyond the distance then, for
  /// crossings that distance decided.
  package internal(set) var latency = Distribution()
  package internal(set) var overshoot = Distribution()
  /// Seconds and metres of the deliveries beyond that.
  package internal(set) var excessLatency = Distribution()
  package internal(set) var excessOvershoot = Distribution()
  /// Looks between deliveries that a never-late policy needs (`CarefulSchedule`), and of these those at
  /// which the device moved.
  package internal(set) var looks = 0
  package internal(set) var looksMoving = 0
  /// Of all of them those that find no sky.
  package internal(set) var vainLooks = 0
  /// Seconds until an honest policy that searched from the beginning had its first fix; `nil` where there
  /// was none.
  package internal(set) var firstFix: Double?

  mutating func include(_ crossing: Crossing) {
    crossings += 1
    guard let reach = crossing.reach else {
      unreachable += 1
      if crossing.outcome == .missed { missedUnreachable += 1 }
      return
    }
    let isByDistance = crossing.decision == .distance
    latency.include(reach.latency)
    if isByDistance { overshoot.include(reach.overshoot) }
    guard case .detected(let late, let beyond) = crossing.outcome else { return }
    excessLatency.include(late - reach.latency)
    if isByDistance { excessOvershoot.include(beyond - reach.overshoot) }
  }

  /// Adds another trace's.
  package static func += (a: inout Self, b: Self) {
    a.crossings += b.crossings
    a.unreachable += b.unreachable
    a.missedUnreachable += b.missedUnreachable
    a.latency.merge(b.latency)
    a.overshoot.merge(b.overshoot)
    a.excessLatency.merge(b.excessLatency)
    a.excessOvershoot.merge(b.excessOvershoot)
    a.looks += b.looks
    a.looksMoving += b.looksMoving
    a.vainLooks += b.vainLooks
    a.firstFix = a.firstFix ?? b.firstFix
  }
}
