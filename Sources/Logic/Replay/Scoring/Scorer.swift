// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The truth is a path: points in order of time (one a second, see `TruthStream`), straight in between, in segments;
// between two segments the position is unknown. Deliveries happen along it.
//
// - *Anchor* A: the true position at the last fresh delivery. A cached delivery never anchors, the first
//   fresh one does; before it there is no anchor, and so no crossing.
// - *Crossing* t*: the first instant at which the true position is `distance` (500 m) or more from A *and* `interval`
//   (300 s) has passed since that delivery. It is interpolated between the points. The last condition met decided it:
//   the distance, the interval, or a gap after which the truth begins far away.
// - *Detected*: a delivery at or after t*. Latency is delivery − t*; overshoot is the true distance from A at delivery
//   − `distance`, for the crossings decided by distance.
// - *Missed*: the device came back within the distance, or `patience` (30 min) passed, or the segment
//   ended, without a delivery.
// - *Not judged*: a crossing less than `margin` (300 s) before the end of its segment or of the trace.
// - *Spurious*: a delivery without an open crossing while the true distance from A is below `distance` less what the
//   two claimed accuracies explain: their sum, at most 100 m; a delivery that claims nothing explains nothing.
// - *Early*: any other delivery without an open crossing. It anchors like any other, so its crossing never comes. If
//   the interval is over, the accuracies alone made it early and no policy could have known: it is a crossing of that
//   instant, by distance, detected with latency 0 and overshoot 0. Else events told on the spot would drop out, and
//   only the late ones be judged. Before the interval is over it is no crossing: any clock shows that.
//
//   quiet ──crossing──► open ──delivery──► quiet (new anchor): detected
//     ├──early, interval over──────────────► quiet (new anchor): detected, latency 0
//     ▲                  │ └─came back───► quiet: missed
//     │                  └──patience or the segment's end─► lost: missed
//     └──── came back, or a delivery ────────────────────── lost
//
// Odd cases
// - One absence is missed once: a new crossing from the same anchor needs a return in between.
// - At one instant the truth is taken first, then the delivery: a delivery at t* detects with latency 0,
//   one at the very end of the patience still detects.
// - A gap ends the segment. A crossing that is open then and was open for `margin` is missed; else it is
//   not judged, and opens again (decided by the gap) if the truth goes on far away.
// - A delivery within a gap has no true position: its claimed position stands in as anchor; it is counted as `outside`
//   and judged no further. Before the first point and after the last one a delivery is only counted.
//
// Further knowledge may be passed in as it happens: that the device stands (`stands`), and that an honest policy could
// have a fix (`couldDeliver`, see `CausalReceiver`). Both are about the latest point; an open crossing keeps the first
// such fix as its earliest honest delivery.
//
// Memory: crossings wait until `margin` has passed. In that time each takes a delivery or a return, so
// few wait; a score's quantiles are bounded by `Distribution`.

/// Judges deliveries against the truth, in one pass.
package struct Scorer: Sendable, Equatable {
  package let rules: ScoringRules
  package private(set) var score = Score()
  /// Judged crossings in order, if they are kept.
  package private(set) var crossings: [Crossing] = []

  package let keepsCrossings: Bool
  private var phase = Phase.quiet
  private var anchor: Anchor?
  /// The latest point of the open segment.
  private var here: TruePoint?
  /// Deliveries later than `here`, in order of time.
  private var waiting: [ScoredDelivery] = []
  /// Crossings with an outcome that may still be too near to the segment's end.
  private var undecided: [Crossing] = []
  private var hasBegun = false
  /// Whether the causal bound is passed in.
  private let judgesReach: Bool
  private let hears: Bool
  /// Whether the device stood since the anchor was set, now and when the open crossing began.
  private var hasStood = false
  private var openedAfterStay = false
  /// The earliest honest delivery of the open crossing.
  private var reach: Crossing.Reach?
  /// Whether the device stands at the latest point.
  private var standsHere = false
  /// The start of the truth, until an honest policy could have its first fix.
  private var searchesSince: EngineInstant?
  private var careful: CarefulLooks?

  private enum Phase: Sendable, Equatable {
    /// No crossing is due.
    case quiet
    /// A crossing waits for its delivery.
    case open(at: EngineInstant, Crossing.Decision)
    /// The crossing was missed and the device is still away.
    case lost
  }

  /// With `judgesReach` every point is followed by `couldDeliver` if an honest policy could have a fix there; `hears`
  /// is whether the device hears of departures at all, `vainLook` the price of a look without sky as a share of one that
  /// finds the position, and `stale` that of a long pause.
  package init(
    rules: ScoringRules = ScoringRules(), keepsCrossings: Bool = false, judgesReach: Bool = false,
    hears: Bool = true, vainLook: Double = 1, stale: StaleStart = .none
  ) {
    self.rules = rules
    self.keepsCrossings = keepsCrossings
    self.judgesReach = judgesReach
    self.hears = hears
    careful = judgesReach ? CarefulLooks(rules: rules, vain: vainLook, stale: stale) : nil
  }

  // MARK: Input

  /// Begins a segment at its first point.
  package mutating func begin(at point: TruePoint) {
    takeUnplaced(before: point.at)
    if !hasBegun { searchesSince = point.at }
    hasBegun = true
    here = point
    if let anchor, let frame = self.anchor?.frame() {
      let isFar = frame.distance(to: point.coordinate) >= rules.distance
      if phase == .quiet, isFar, point.at >= anchor.due { open(at: point.at, .gap) }
      if phase == .lost, !isFar { phase = .quiet }
    }
    takeDeliveries(upTo: point)
  }

  /// Takes the next point of the segment, later than the one before; `hasSky` is whether a receiver that is on can
  /// have a fix there.
  @inline(__always)
  package mutating func pass(to point: TruePoint, hasSky: Bool = true) {
    guard let from = here else { return begin(at: point) }
    walk(from: waiting.isEmpty ? from : takeDeliveries(between: from, and: point), to: point)
    here = point
    if !undecided.isEmpty { settle(at: point.at) }
    if !waiting.isEmpty { takeDeliveries(upTo: point) }
    if judgesReach {
      careful?.pass(to: point, hasSky: hasSky, moves: !standsHere)
      noteLooks()
    }
    standsHere = false
  }

  /// Ends the segment: the position is unknown from the latest point on.
  package mutating func endSegment() {
    guard let end = here?.at else { return }
    settle(at: end)
    if case .open(let at, let decision) = phase, let anchor {
      let wait = EngineInstant.seconds(from: at, to: end)
      // Not delivered: longer than a wait that ends in a delivery now.
      score.longestWait = max(score.longestWait, wait.nextUp)
      if wait >= rules.margin {
        judge(closed(at, decision, anchor, nil))
        phase = .lost
      } else {
        score.unjudged += 1
        phase = .quiet
      }
    }
    score.unjudged += undecided.count
    undecided = []
    here = nil
    careful?.endSegment()
    noteLooks()
  }

  private mutating func noteLooks() {
    guard let careful else { return }
    (score.causal.looks, score.causal.looksMoving) = (careful.looks, careful.looksMoving)
    (score.causal.vainLooks, score.causal.staleSeconds) = (careful.vainLooks, careful.staleSeconds)
  }

  /// Takes a delivery; its time is not before that of the last one. It may come before the point that follows it or at
  /// the latest one.
  package mutating func deliver(_ delivery: ScoredDelivery) {
    if let here, delivery.at <= here.at { return judge(delivery, at: here) }
    waiting.append(delivery)
  }

  /// Ends the trace.
  package mutating func finishTrace() {
    endSegment()
    for delivery in waiting {
      if delivery.isCached { score.cached += 1 } else { score.outside += 1 }
    }
    waiting = []
  }

  /// Notes that the device stands at the latest point.
  package mutating func stands() { (hasStood, standsHere) = (true, true) }

  /// Notes that an honest policy could have its first fix at the latest point.
  package mutating func couldBegin() {
    guard let here, let since = searchesSince else { return }
    score.causal.firstFix = EngineInstant.seconds(from: since, to: here.at)
    searchesSince = nil
  }

  /// Notes that an honest policy could have a fix at the latest point.
  package mutating func couldDeliver() {
    couldBegin()
    guard let here, let anchor, reach == nil, case .open(let at, _) = phase, here.at >= at else {
      return
    }
    reach = Crossing.Reach(
      latency: EngineInstant.seconds(from: at, to: here.at),
      overshoot: max(0, anchor.place.distance(to: here.coordinate) - rules.distance))
  }

  /// Whether a crossing waits for its delivery.
  package var isOpen: Bool { if case .open = phase { true } else { false } }

  /// Notes what the receiver needed of which `couldDeliver` spoke: seconds, for a number of crossings.
  package mutating func note(searches: Int, seconds: Double) {
    (score.causal.searches, score.causal.searchSeconds) = (searches, seconds)
  }

  /// Hands the judged crossings out and forgets them.
  package mutating func drainCrossings() -> [Crossing] {
    defer { crossings.removeAll(keepingCapacity: true) }
    return crossings
  }

  // MARK: Deliveries

  /// Takes the deliveries on the way between two points; returns the place of the last of them.
  private mutating func takeDeliveries(
    between start: TruePoint, and point: TruePoint
  ) -> TruePoint {
    var from = start
    while let next = waiting.first, next.at < point.at {
      waiting.removeFirst()
      let whole = EngineInstant.seconds(from: from.at, to: point.at)
      let part = EngineInstant.seconds(from: from.at, to: next.at)
      let place = TruePoint(
        at: next.at,
        coordinate: from.coordinate.interpolated(to: point.coordinate, fraction: part / whole))
      walk(from: from, to: place)
      judge(next, at: place)
      from = place
    }
    return from
  }

  private mutating func takeDeliveries(upTo point: TruePoint) {
    while let next = waiting.first, next.at <= point.at {
      waiting.removeFirst()
      judge(next, at: point)
    }
  }

  private mutating func judge(_ delivery: ScoredDelivery, at place: TruePoint) {
    guard !delivery.isCached else { return score.cached += 1 }
    score.deliveries += 1
    let next = Anchor(place.coordinate, at: place.at, accuracy: delivery.accuracy, rules)
    if let anchor {
      let apart = EngineInstant.seconds(from: anchor.at, to: place.at)
      score.isSpaced = score.isSpaced && apart >= rules.interval
      if case .open(let at, let decision) = phase {
        // The geodesic: kilometres later the flat frame would be metres off.
        let moved = anchor.place.distance(to: place.coordinate)
        let wait = EngineInstant.seconds(from: at, to: place.at)
        let detected = Crossing.Reach(latency: wait, overshoot: max(0, moved - rules.distance))
        score.longestWait = max(score.longestWait, wait)
        reach = reach ?? detected
        undecided.append(closed(at, decision, anchor, detected))
      } else if Self.isSpurious(next, after: anchor, rules) {
        score.spurious += 1
      } else if phase == .quiet {
        score.early += 1
        if apart >= rules.interval { foundEarly(at: place.at, anchor) }
      }
    }
    score.anchoredAt = score.anchoredAt ?? place.at
    phase = .quiet
    hasStood = false
    anchor = next
    careful?.deliver(at: place)
  }

  /// Takes a delivery that the accuracies made early as the crossing itself.
  private mutating func foundEarly(at now: EngineInstant, _ anchor: Anchor) {
    open(at: now, .distance)
    reach = Crossing.Reach(latency: 0, overshoot: 0)
    undecided.append(closed(now, .distance, anchor, reach))
  }

  /// Takes deliveries without a known true position.
  private mutating func takeUnplaced(before start: EngineInstant) {
    while let next = waiting.first, next.at < start {
      waiting.removeFirst()
      guard !next.isCached else {
        score.cached += 1
        continue
      }
      score.outside += 1
      guard hasBegun else { continue }
      phase = .quiet
      hasStood = false
      anchor = Anchor(next.coordinate, at: next.at, accuracy: next.accuracy, rules)
    }
  }

  // MARK: Crossings

  private mutating func open(at: EngineInstant, _ decision: Crossing.Decision) {
    phase = .open(at: at, decision)
    openedAfterStay = hasStood
    reach = nil
  }

  /// The open crossing with its outcome.
  private func closed(
    _ at: EngineInstant, _ decision: Crossing.Decision, _ anchor: Anchor,
    _ detected: Crossing.Reach?
  ) -> Crossing {
    Crossing(
      at: at, decision: decision, anchoredAt: anchor.at, detected: detected,
      isAfterStay: openedAfterStay, reach: judgesReach ? reach : nil)
  }

  /// Whether nothing can happen on a stretch of the path without a delivery in it.
  @inline(__always)
  private func isQuiet(from a: TruePoint, to b: TruePoint) -> Bool {
    guard let due = anchor?.due else { return true }
    guard case .quiet = phase else { return false }
    return b.at < due
      || anchor?.holds(b.coordinate, within: rules.distance) == true
        && anchor?.holds(a.coordinate, within: rules.distance) == true
  }

  /// Walks a stretch of the path without a delivery in it.
  @inline(__always)
  private mutating func walk(from a: TruePoint, to b: TruePoint) {
    if !isQuiet(from: a, to: b) { follow(from: a, to: b) }
  }

  private mutating func follow(from a: TruePoint, to b: TruePoint) {
    guard let frame = self.anchor?.frame(), let anchor else { return }
    let leg = Leg(from: a, to: b, around: frame, within: rules.distance)
    var fraction = 0.0
    while fraction <= 1 {
      switch phase {
      case .quiet:
        let from = max(fraction, leg.fraction(of: anchor.due))
        guard anchor.due <= b.at, let crossing = leg.far(from: from) else { return }
        let isImposed = crossing == from && anchor.due >= a.at && from > fraction
        let at = isImposed ? anchor.due : leg.instant(crossing)
        open(at: at, isImposed || at == anchor.due ? .interval : .distance)
        fraction = crossing
      case .open(let at, let decision):
        let returned = leg.near(from: fraction)
        let deadline = at.advanced(bySeconds: rules.patience)
        let lastOut = returned.map { leg.instant($0) } ?? b.at
        if deadline < lastOut {
          phase = .lost
          fraction = leg.fraction(of: deadline)
        } else if returned != nil {
          phase = .quiet
          fraction = leg.nearTo
        } else {
          return
        }
        undecided.append(closed(at, decision, anchor, nil))
        score.longestWait = .infinity
      case .lost:
        guard leg.near(from: fraction) != nil else { return }
        phase = .quiet
        fraction = leg.nearTo
      }
    }
  }

  /// Judges the crossings that are far enough from any end.
  private mutating func settle(at now: EngineInstant) {
    while let first = undecided.first,
      rules.judges(first.at, bySegmentEnd: now)
    {
      undecided.removeFirst()
      judge(first)
    }
  }

  private mutating func judge(_ crossing: Crossing) {
    score.crossings += 1
    if let detected = crossing.detected {
      score.latency.include(detected.latency)
      if crossing.decision == .distance { score.overshoot.include(detected.overshoot) }
      if crossing.isAfterStay {
        score.latencyDeparting.include(detected.latency)
      } else {
        score.latencyMoving.include(detected.latency)
      }
    } else {
      score.missed += 1
    }
    if judgesReach, hears || !crossing.isAfterStay { score.causal.include(crossing: crossing) }
    if keepsCrossings { crossings.append(crossing) }
  }
}
