// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// The daemon knows one deferral of an app, and reports the end of each, in the order of the requests: a new one ends
// the previous one. So the ends are passed to the requesters in that order. The end of a connection ends the deferrals
// under way.

extension Correspondence {
  /// The limit of deferrals under way; a daemon that answers has one.
  private static let deferralLimit = 64

  mutating func deferUpdates(
    _ deferral: Deferral?, by id: Int, into actions: inout [Action]
  ) {
    guard isGreeted, deferrals.count < Self.deferralLimit else {
      guard deferral != nil else { return }
      let error = CLError(
        .deferredFailed, "milepostd is not there; ask again when the next location comes")
      return actions.append(.hand(.deferralEnded(error), to: id))
    }
    if deferral != nil { deferrals.append(id) }
    actions.append(.send(.deferUpdates(DeferralRequest(deferral))))
  }

  mutating func deferralEnded(_ end: Deferral.End, into actions: inout [Action]) {
    guard !deferrals.isEmpty else { return }
    actions.append(.hand(.deferralEnded(end.error), to: deferrals.removeFirst()))
  }

  /// Ends all deferrals when the connection ends.
  mutating func dropDeferrals(_ reason: String, into actions: inout [Action]) {
    for id in deferrals {
      actions.append(.hand(.deferralEnded(CLError(.deferredFailed, reason)), to: id))
    }
    deferrals = []
  }
}

extension Deferral.End {
  /// The error; `nil` after a normal end.
  fileprivate var error: CLError? {
    switch self {
    case .finished: nil
    case .cancelled:
      CLError(.deferredCanceled, "the app asked anew, came to the front, paused or stopped")
    case .unsupported:
      CLError(.deferredFailed, "the era keeps no updates back, as phones since iOS 13 do not")
    case .notUpdating:
      CLError(.deferredNotUpdatingLocation, "call startUpdatingLocation before")
    case .accuracyTooLow:
      CLError(
        .deferredAccuracyTooLow,
        "desiredAccuracy must be kCLLocationAccuracyBest or kCLLocationAccuracyBestForNavigation")
    case .distanceFiltered:
      CLError(.deferredDistanceFiltered, "distanceFilter must be kCLDistanceFilterNone")
    }
  }
}

extension Deferral {
  /// A value larger than any distance or time is no limit (`CLLocationDistanceMax`, `CLTimeIntervalMax`).
  init(untilTravelled distance: Double, timeout: Double) {
    func limit(_ value: Double) -> Double? { value < 1e9 ? max(0, value) : nil }
    self.init(distance: limit(distance), timeout: limit(timeout))
  }
}
