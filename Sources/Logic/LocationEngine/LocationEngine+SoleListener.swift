// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// A receiver that tracks for the updates of the only app there is reports once a second, and each report has the same
// outcome: admitted, delivered, nothing to settle. All that a report leaves behind is what the next one is judged by:
// the gate's last believed place, the app's anchor and its number of deliveries. So of a row of such reports the engine
// *passes over* all but the last, which is taken as usual and leaves its verdict and its delivery:
//
//   reports   ●──●──●──●──●──●──●──✗        ✗ jumps, or pauses the updates, or is no news
//             └─ passed over ─┘  │
//                                └ taken as usual, and so is whatever follows
//
// Whether a report is admitted after the one before it is the same for all engines that take both: one gate judges the
// row for all of them. Without this lane twenty worlds of a day take 3.9 times as long.

/// Consecutive fixes of a receiver that tracks, judged once for all engines that hear them.
package struct TrackedFixes: Sendable {
  package struct Element: Sendable {
    package let fix: Fix
    /// The frame around it.
    package let frame: LocalFrame
    package let at: EngineInstant
    /// Whether it is admitted if the one before it was.
    fileprivate let isAdmittedNext: Bool

    /// Whether a gate that admits it remembers nothing but this fix.
    fileprivate var showsAll: Bool { fix.time != nil && fix.speed != nil }
  }

  package private(set) var elements: [Element] = []
  /// That of an engine that hears them all.
  private var gate = FixGate()
  private var wasAdmitted = false

  package init() {}

  /// Adds the next fix; `instant` is not before that of the last one.
  package mutating func append(fix: Fix, at instant: EngineInstant) {
    let frame = LocalFrame(origin: fix.coordinate)
    let isAdmitted = gate.judge(fix, around: frame, at: instant) == nil
    let element = Element(
      fix: fix, frame: frame, at: instant, isAdmittedNext: wasAdmitted && isAdmitted)
    wasAdmitted = isAdmitted && element.showsAll
    elements.append(element)
  }

  package mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    gate = FixGate()
    wasAdmitted = false
  }
}

extension LocationEngine {
  /// The only app, and the service by which its updates count, if a believed fix concerns them and nothing else.
  package var soleListener: (app: AppID, service: Service)? {
    hasSoleListener ? (apps[0].id, service(of: 0)) : nil
  }

  /// Whether a believed fix can concern nothing but the first app's updates, which take every one: it is the only app,
  /// the receiver is on for it alone, and it receives positions at full accuracy.
  var isFirstSoleListener: Bool {
    guard !rules.hidesPlaces, hiddenIn == nil, !apps[0].hasTold, !apps[0].hasSingle,
      apps[0].declaration.accuracy != .reduced, apps[0].updates(in: rules.era),
      apps[0].standard?.looks == nil, apps[0].standard?.deferral == nil,
      apps[0].standard?.request.distanceFilter == nil, !hearsHeadings, daemon == nil
    else { return false }
    return !(isMonitored && policy.strategy.usesReceiver)
  }

  /// Passes over the first of the fixes that have one outcome, a delivery to the sole listener, except for the last
  /// of them; returns their number. They come one after the other, and before `nextDeadline`.
  package mutating func passOver(_ fixes: ArraySlice<TrackedFixes.Element>) -> Int {
    guard hasSoleListener, var updates = apps[0].standard else { return 0 }
    let mayPause = updates.request.pausesAutomatically && apps[0].mayRest(by: rules)
    let pausing = mayPause ? StillDetector.Terms(rules) : nil
    // Behind the last fix of the row, and behind the one before it.
    var (latest, before) = (updates.still, updates.still)
    var end = fixes.startIndex
    while end < fixes.endIndex {
      guard end == fixes.startIndex ? admits(fixes[end]) : fixes[end].isAdmittedNext else { break }
      var still = latest
      if let pausing,
        still.isStill(
          after: fixes[end].fix.coordinate, accuracy: fixes[end].fix.horizontalAccuracy,
          at: fixes[end].at, by: pausing)
      {
        break
      }
      (latest, before) = (still, latest)
      end += 1
    }
    let count = end - fixes.startIndex - 1
    guard count > 0 else { return 0 }
    let last = fixes[end - 2]
    gate.admit(
      count, since: fixes[fixes.startIndex].at, to: last.fix, around: last.frame, at: last.at)
    updates.still = before
    updates.anchor = Anchor(last.fix, around: last.frame, at: last.at)
    apps[0].standard = updates
    apps[0].deliveries += UInt64(count)
    // The last known fix is that of the report that follows.
    self.latest = last.at
    return count
  }

  /// Whether the gate admits a fix, and then remembers nothing else.
  private func admits(_ next: TrackedFixes.Element) -> Bool {
    var gate = gate
    return next.showsAll && gate.judge(next.fix, around: next.frame, at: next.at) == nil
  }
}
