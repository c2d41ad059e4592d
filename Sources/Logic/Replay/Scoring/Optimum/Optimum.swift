// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// A clairvoyant knows the whole path. From the first delivery on (which is given, as the chain of anchors depends on
// it) it must deliver every crossing within δ of t*. Two answers, from windows
//
//   window(j) = [t*(j), t*(j) + δ], cut off where the device comes back within the distance, for a delivery at point j;
//   without a crossing that must be delivered j is *terminal*.
//
// 1. The *optimum* (decision 0011): deliveries in windows only, and every crossing whose deadline t* + δ
//    lies in its segment, judged or not: 300 s before its end the end is unknown.
//
//        f(k) = min over j with k in window(j) of f(j) + cost(j, k);  answer: min f(j), j terminal
//
//    The m-th session takes the m-th drawn time, so f is kept by number of deliveries too: for each k a
//    short list of (number, joules without acquisitions) of which none is worse in both. That is enough:
//    of two schedules that reach k, the one with fewer deliveries *and* fewer joules stays ahead, as
//    prefix sums of acquisitions only grow. O(n·w) with w points in a window; the lists are bounded.
//
// 2. The *bound*: deliveries at any time, crossings or not, and judged crossings only, with windows cut
//    off by the segment's end. The m-th delivery can lie anywhere up to
//
//        D(m) = max of the end of window(j) over all j ≤ D(m − 1)
//
//    so the least number is found in one sweep, and its joules are that many of the cheapest event.
//
// The claim of the bound. Take a run that misses no judged crossing and is never later than δ, whose deliveries are at
// least `interval` apart. Its m-th delivery is not beyond D(m), so it has at least as many as the bound, and each costs
// at least the cheapest event. Its sessions, each going on until a fix or the timeout, take the drawn times in order,
// and it has at least as many of them; a warm or cold start is dearer than the hot one that is charged here, and lost
// sky only adds. So its energy is not below the bound, whatever it delivers in between; this includes early and
// spurious deliveries. Deliveries that are less than `interval` apart (`Score.isSpaced`) may keep the receiver on and
// the app awake from one to the next: for these only the number, the first acquisition and the bare deliveries are
// charged, which any run pays. A spaced run is not below the optimum either if it delivers nothing before its crossing,
// leaves none open for longer than δ, judged or not (`Score.longestWait`), and delivers none whose deadline its segment
// cuts off. Not bounded: a policy that breaks a session off to draw a better time (with `ttff: mean` there is no
// better one), and one that delivers by a means that the costs omit.
//
// Triggers (cell wakes, an armed motion sensor) are not charged: a clairvoyant needs none.
//
// Errors. Deliveries lie on points of the truth, one a second, like a receiver's. Absences shorter than a second are
// not seen. Both make the answer smaller, never larger.

/// The totals of the cheapest schedule of a clairvoyant.
package struct Optimum: Sendable, Equatable {
  /// δ: seconds within which each crossing is delivered.
  package let delay: Double
  /// Deliveries of the schedule, the first one included.
  package let events: Int
  /// Joules above the baseline.
  package let energy: Double
  /// The same if deliveries at any time are allowed: the bound that no run undercuts.
  package let boundEvents: Int
  package let boundEnergy: Double
  /// Seconds that the receiver is on for that number of deliveries; 0 if the costs have no sessions.
  package let boundReceiver: Double
  /// Joules of one more session that delivers nothing: a later start of the mean time; and of one that finds no sky.
  private let look: Double
  private let vainLook: Double
  /// Watts of a later search, and its mean seconds.
  private let searchWatts: Double
  private let searchSeconds: Double
  /// Watts of the first search, and its charged seconds.
  private let firstWatts: Double
  private let firstSeconds: Double

  /// The optimum over a path from the first delivery on; `nil` if that lies behind the path's end.
  ///
  /// `delay` is at least 1 s, and by default that of the rules. `isSpaced` is whether the bounded runs deliver the
  /// interval apart.
  package init?(
    over path: TruthPath, from start: EngineInstant, rules: ScoringRules = ScoringRules(),
    delay: Double? = nil, costs: EventCosts, isSpaced: Bool = true
  ) {
    let delay = delay ?? rules.delay
    let first = path.first(at: start, from: 0)
    guard first < path.points.count else { return nil }
    let all = CrossingWindows(
      path: path, rules: rules, delay: delay, margin: min(delay, rules.margin))
    let judged = CrossingWindows(path: path, rules: rules, delay: delay, margin: rules.margin)
    let chain = ChainedSchedule(all, from: first, costs: costs)
    let sweep = FreeSchedule(judged, from: first)
    let fixed = costs.standing + costs.session + costs.delivery
    self.delay = delay
    events = chain.events
    energy = fixed + chain.energy
    boundEvents = sweep.events
    look = costs.session + costs.meanLaterAcquisition * costs.acquisitionWatts
    vainLook =
      costs.session + min(costs.silence, costs.meanLaterAcquisition) * costs.acquisitionWatts
    (searchWatts, searchSeconds) = (costs.acquisitionWatts, costs.meanLaterAcquisition)
    firstWatts = costs.firstAcquisitionWatts
    firstSeconds = costs.acquisitions.first ?? 0
    guard isSpaced else {
      boundReceiver = firstSeconds
      let bare = Double(sweep.events - 1) * costs.delivery + costs.acquired(1)
      boundEnergy = min(energy, fixed + bare)
      return
    }
    boundReceiver = costs.acquiring(sweep.events)
    let later = Double(sweep.events - 1)
    let work = (costs.awakeUntil == .never ? 0 : costs.awakeWatts * costs.workTime) + costs.upload
    // Work and upload may be cut off by the end of their segment, once in each.
    let free =
      later * costs.leastEvent + max(0, later - Double(path.segmentStarts.count)) * work
      + costs.acquired(sweep.events)
    boundEnergy = min(energy, fixed + free)
  }

  /// Joules that a never-late policy needs which knows only the past: the clairvoyant's, and those of the looks between
  /// deliveries (`CarefulSchedule`), of long pauses (`StaleStart`), of a first search that lasts until there is sky, and
  /// of a lead, if it has one.
  package func honestEnergy(_ causal: CausalScore) -> Double {
    energy + Double(causal.looks - causal.vainLooks) * look + Double(causal.vainLooks) * vainLook
      + max(0, (causal.firstFix ?? 0) - firstSeconds) * firstWatts
      + (causal.staleSeconds ?? 0) * searchWatts + leading(causal)
  }

  /// Joules for which a punctual receiver is on beyond a mean search for each crossing.
  private func leading(_ causal: CausalScore) -> Double {
    guard let searches = causal.searches, let seconds = causal.searchSeconds else { return 0 }
    return (seconds - Double(searches) * searchSeconds) * searchWatts
  }
}
