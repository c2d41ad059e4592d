// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The score of a list of deliveries against the truth; the terms are defined in `Scorer`.
package struct Score: Sendable, Equatable {
  /// Judged crossings: detected and missed ones.
  package internal(set) var crossings = 0
  package internal(set) var missed = 0
  package internal(set) var spurious = 0
  /// Deliveries before their crossing that are not spurious: either the accuracies explain them, which makes them
  /// crossings detected with latency 0, or the interval was not over.
  package internal(set) var early = 0
  /// Crossings too near to the end of a segment to be judged.
  package internal(set) var unjudged = 0
  /// Fresh deliveries with a known true position.
  package internal(set) var deliveries = 0
  /// Deliveries of an old position; they neither anchor nor detect.
  package internal(set) var cached = 0
  /// Fresh deliveries in a gap, before the beginning or after the end, where the true position is unknown.
  package internal(set) var outside = 0
  /// Seconds from crossing to delivery, for detected crossings.
  package internal(set) var latency = Distribution()
  /// Metres beyond the distance at delivery, for detected crossings decided by distance.
  package internal(set) var overshoot = Distribution()
  /// The latencies of crossings before which the device moved on ever since its last delivery, and of crossings after a
  /// stay (`Standstill`).
  package internal(set) var latencyMoving = Distribution()
  package internal(set) var latencyDeparting = Distribution()
  /// The score of the quickest honest policy; empty if not computed.
  package internal(set) var causal = CausalScore()
  /// The longest time, seconds, for which a crossing was open, judged or not: until its delivery or the end of its
  /// segment; infinite if one passed without a delivery.
  package internal(set) var longestWait = 0.0
  /// Whether all fresh deliveries lie the rules' interval apart.
  package internal(set) var isSpaced = true
  /// The time of the first anchor with a known true place; `nil` if nothing fresh was delivered outside gaps.
  package internal(set) var anchoredAt: EngineInstant?

  package init() {}

  private static let counts: [any WritableKeyPath<Self, Int> & Sendable] = [
    \.crossings, \.missed, \.spurious, \.early, \.unjudged, \.deliveries, \.cached, \.outside,
  ]

  /// The sums of many scores, without the causal bound and the first anchor. Each latency is one of the two kinds.
  package mutating func walkSums(_ walk: inout SumWalk) {
    for count in Self.counts { walk.count(&self[keyPath: count]) }
    overshoot.walkSums(&walk)
    latencyMoving.walkSums(&walk)
    latencyDeparting.walkSums(&walk)
    latency = latencyMoving
    latency.merge(latencyDeparting)
    walk.greatest(&longestWait)
    walk.all(&isSpaced)
    causal = CausalScore()
    anchoredAt = nil
  }
}

/// One crossing and its outcome.
package struct Crossing: Sendable, Equatable {
  /// The condition that was met last.
  package enum Decision: String, Sendable, CaseIterable {
    /// The device reached the distance, after the interval was over.
    case distance
    /// The interval ended, and the device had reached the distance before.
    case interval
    /// The truth resumed at that distance, after a gap.
    case gap
  }

  /// The instant of the crossing.
  package let at: EngineInstant
  package let decision: Decision
  /// The time of the anchor.
  package let anchoredAt: EngineInstant
  /// Its delivery; `nil` if it was missed: the device came back, the patience was over, or the segment ended.
  package internal(set) var detected: Reach?
  /// Whether the device stood at any time since the previous delivery.
  package internal(set) var isAfterStay = false
  /// The earliest honest delivery; `nil` if there was none before the crossing closed, or if it was not computed.
  package internal(set) var reach: Reach?

  /// An actual or a possible delivery: seconds after the crossing, and metres beyond the distance then.
  package struct Reach: Sendable, Equatable {
    package let latency: Double
    package let overshoot: Double
  }
}

/// Crossings against the causal bound (`CausalReceiver`).
package struct CausalScore: Sendable, Equatable {
  /// Judged crossings that the bound covers.
  package internal(set) var crossings = 0
  /// The crossings among them that no honest policy could deliver, and the missed ones among those.
  package internal(set) var unreachable = 0
  package internal(set) var missedUnreachable = 0
  /// Seconds from the crossing to the earliest honest delivery, and metres beyond the distance then, for crossings
  /// decided by distance.
  package internal(set) var latency = Distribution()
  package internal(set) var overshoot = Distribution()
  /// Seconds and metres of the deliveries beyond that.
  package internal(set) var excessLatency = Distribution()
  package internal(set) var excessOvershoot = Distribution()
  /// Looks between deliveries that a never-late policy needs (`CarefulSchedule`), and the number at which
  /// the device moved.
  package internal(set) var looks = 0
  package internal(set) var looksMoving = 0
  /// The looks among all of them that find no sky.
  package internal(set) var vainLooks = 0
  /// Seconds until an honest policy that searched from the beginning had its first fix; `nil` if there was none.
  package internal(set) var firstFix: Double?
  /// Seconds of search that this policy's longest pauses cost (`StaleStart`); `nil` if not computed.
  package internal(set) var staleSeconds: Double?
  /// The crossings that a `PunctualReceiver` served, and the seconds for which it was on; `nil` if the bound is another.
  package internal(set) var searches: Int?
  package internal(set) var searchSeconds: Double?

  mutating func include(crossing: Crossing) {
    crossings += 1
    guard let reach = crossing.reach else {
      unreachable += 1
      if crossing.detected == nil { missedUnreachable += 1 }
      return
    }
    let isByDistance = crossing.decision == .distance
    latency.include(reach.latency)
    if isByDistance { overshoot.include(reach.overshoot) }
    guard let detected = crossing.detected else { return }
    excessLatency.include(detected.latency - reach.latency)
    if isByDistance { excessOvershoot.include(detected.overshoot - reach.overshoot) }
  }
}
