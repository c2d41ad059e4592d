// SPDX-License-Identifier: Apache-2.0

/// The limits of a deferral of an app's updates in the background.
package struct Deferral: Sendable, Equatable, Codable {
  /// Metres of way; `nil` is the maximum.
  package var distance: Double?
  /// Seconds; `nil` is the maximum.
  package var timeout: Double?

  package init(distance: Double? = nil, timeout: Double? = nil) {
    self.distance = distance
    self.timeout = timeout
  }

  /// The reason why a deferral ended, or never began.
  package enum End: String, Sendable, CaseIterable, Codable {
    /// The way, or the time, is over, or there is no room for more.
    case finished
    /// The app stopped it, asked anew, came to the foreground, or its updates paused.
    case cancelled
    /// The era has no deferral.
    case unsupported
    /// The app has not started updates.
    case notUpdating = "not_updating"
    /// The app asks for an accuracy other than the best.
    case accuracyTooLow = "accuracy_too_low"
    /// The app has a distance filter.
    case distanceFiltered = "distance_filtered"
  }
}
