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
// Whether a report is of that kind is decided by the rules of the gate and of the app's updates, as for any other.

/// A report of a receiver that several engines may pass over: what they judge it by, and what they share.
package struct ReceiverReport: Sendable {
  /// The fix's own time; `nil` if it has none.
  let time: UTCInstant?
  package let coordinate: Coordinate
  /// Metres; `nil` is unknown.
  package let accuracy: Double?
  /// Metres per second; `nil` is unknown.
  let speed: Double?
  package let at: EngineInstant
  /// The same instant in UTC.
  package let utc: UTCInstant
  /// Whether it is admitted if the report before it was: the same for all who take both.
  private(set) var isAdmittedNext = false

  /// `last`: the report before it; `nil` if there is none, or another one may come between.
  package init(
    of time: UTCInstant?, _ coordinate: Coordinate, accuracy: Double?, speed: Double?,
    at: EngineInstant, utc: UTCInstant, after last: ReceiverReport?
  ) {
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.speed = speed
    self.at = at
    self.utc = utc
    if let last { isAdmittedNext = FixGate.admits(self, after: last) }
  }

  /// The fix, with no more than it is judged by.
  var fix: Fix {
    Fix(time: time, coordinate: coordinate, horizontalAccuracy: accuracy, speed: speed)
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

  /// Passes over the first of the reports that have one outcome, a delivery to the sole listener, except for the last
  /// of them; returns their number. `reports` come one after the other, and before `nextDeadline`.
  package mutating func passOver(_ reports: ArraySlice<ReceiverReport>) -> Int {
    guard hasSoleListener, var updates = apps[0].standard else { return 0 }
    let mayPause = updates.request.pausesAutomatically && apps[0].mayRest(by: rules)
    let pausing = mayPause ? StillDetector.Terms(rules) : nil
    // Behind the last report of the row, and behind the one before it.
    var (latest, before) = (updates.still, updates.still)
    var end = reports.startIndex
    while end < reports.endIndex {
      let isAdmitted =
        end == reports.startIndex
        ? gate.admitsAtOnce(reports[end])
        : reports[end].isAdmittedNext
      guard isAdmitted else { break }
      var still = latest
      if let pausing,
        still.isStill(
          after: reports[end].coordinate, accuracy: reports[end].accuracy, at: reports[end].at,
          by: pausing)
      {
        break
      }
      (latest, before) = (still, latest)
      end += 1
    }
    let count = end - reports.startIndex - 1
    guard count > 0 else { return 0 }
    let last = reports[end - 2]
    gate.passOver(upTo: last)
    updates.still = before
    updates.anchor = Anchor(last.fix, at: last.at)
    apps[0].standard = updates
    apps[0].deliveries += UInt64(count)
    // The last known fix is that of the report that follows.
    self.latest = last.at
    return count
  }
}
