// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension Deferral.End {
  /// The error; `nil` after a normal end.
  var error: CLError? {
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
