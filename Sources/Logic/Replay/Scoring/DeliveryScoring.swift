// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import Geodesy
package import LocationModel

/// Scores any list of deliveries against a trace as the truth, in one pass over the trace.
///
/// Deliveries and truth meet in UTC: a list has no other time.
package struct DeliveryScoring: Sendable {
  private var truth: TruthStream
  private var scorer: Scorer
  private var deliveries: ArraySlice<TimedDelivery>
  private var steps = TruthSteps()
  /// The end of the samples taken.
  private var taken = 0
  private var latest: TruthSample?
  private var result = DeliveryScore()
  private var path: TruthPath?
  private var causal: CausalWorld?

  /// Prepares a list in order of time. `observed` is `nil` if the trace is its own truth. With `world` the truth is
  /// kept and the causal bound computed, for the device and the world that it describes.
  package init(
    _ deliveries: [TimedDelivery], rules: ScoringRules, summary: TraceSummary,
    observed: ObservedErrors?, world: ReplayOptions? = nil
  ) {
    causal = world.map { CausalWorld(options: $0, observed: observed) }
    truth = TruthStream(summary, isRecorded: observed == nil)
    scorer = Scorer(
      rules: rules, keepsCrossings: true, judgesReach: world != nil,
      hears: world.map { DeviceSensors($0.device).hears } ?? true, vainLook: world?.vainLook ?? 1,
      stale: world?.staleStart ?? .none)
    self.deliveries = deliveries[...]
    path = world != nil ? TruthPath() : nil
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) {
    for event in events {
      truth.takeEvent(event, into: &steps)
      drain()
    }
  }

  /// Returns the result; call after the last event.
  package mutating func finishTrace() -> DeliveryScore {
    truth.finish(into: &steps)
    drain()
    path?.endSegment()
    if let latest {
      for delivery in deliveries { scorer.deliver(delivery.scored(near: latest)) }
    }
    deliveries = []
    scorer.finishTrace()
    collect()
    result.score = scorer.score
    result.path = path
    result.leftOut = truth.leftOut
    return result
  }

  private mutating func drain() {
    while true {
      if let gap = steps.gaps.first, gap.number <= taken {
        steps.removeFirstGap()
        scorer.endSegment()
        causal?.lostTrack(at: gap.end)
        path?.endSegment()
        result.gaps += 1
        result.gapSeconds += EngineInstant.seconds(from: gap.start, to: gap.end)
      } else if taken < steps.known {
        takeSample(steps[taken])
        taken += 1
      } else {
        break
      }
    }
    steps.forget(before: taken)
  }

  private mutating func takeSample(_ sample: TruthSample) {
    while let next = deliveries.first, next.time <= sample.time {
      deliveries.removeFirst()
      scorer.deliver(next.scored(near: sample))
    }
    if causal == nil { scorer.pass(to: sample.point) }
    causal?.pass(to: sample, &scorer)
    path?.append(point: sample.point)
    result.judged += sample.elapsed
    result.distance += sample.travelled
    latest = sample
    collect()
  }

  /// Gives the crossings judged meanwhile their UTC.
  private mutating func collect() {
    guard let latest else { return }
    for crossing in scorer.drainCrossings() {
      let ago = EngineInstant.seconds(from: crossing.at, to: latest.at)
      let since = EngineInstant.seconds(from: crossing.anchoredAt, to: latest.at)
      result.crossings.append(
        DeliveryScore.Timed(
          crossing: crossing, time: latest.time.advanced(bySeconds: -ago),
          anchoredAt: latest.time.advanced(bySeconds: -since)))
    }
  }
}

/// A delivery of a list, with its time.
package struct TimedDelivery: Sendable, Equatable {
  package var time: UTCInstant
  package var coordinate: Coordinate
  /// Claimed horizontal accuracy, metres; `nil` is none.
  package var accuracy: Double?
  package var isCached: Bool

  package init(time: UTCInstant, coordinate: Coordinate, accuracy: Double?, isCached: Bool = false)
  {
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.isCached = isCached
  }

  fileprivate func scored(near sample: TruthSample) -> ScoredDelivery {
    ScoredDelivery(
      at: sample.at.advanced(bySeconds: UTCInstant.seconds(from: sample.time, to: time)),
      coordinate: coordinate, accuracy: accuracy, isCached: isCached)
  }
}

/// The score of a list.
package struct DeliveryScore: Sendable, Equatable {
  /// A judged crossing with its times in UTC.
  package struct Timed: Sendable, Equatable {
    package let crossing: Crossing
    package let time: UTCInstant
    package let anchoredAt: UTCInstant
  }

  package var score = Score()
  package var crossings: [Timed] = []
  /// Seconds and metres with known truth.
  package var judged = 0.0
  package var distance = 0.0
  package var gaps = 0
  package var gapSeconds = 0.0
  /// Points of the trace left out as jumps, or as coarse among finer ones.
  package var leftOut = 0
  /// The truth itself, if requested.
  package var path: TruthPath?

  package init() {}

  /// The sums of many lists; crossings and truth are of one trace.
  package mutating func walkSums(_ walk: inout SumWalk) {
    score.walkSums(&walk)
    walk.quantity(&judged)
    walk.quantity(&distance)
    walk.count(&gaps)
    walk.quantity(&gapSeconds)
    walk.count(&leftOut)
    crossings = []
    path = nil
  }
}
