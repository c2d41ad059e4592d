// SPDX-License-Identifier: Apache-2.0

/// Until when an app's updates may be kept back while it is in the background.
package struct Deferral: Sendable, Equatable, Codable {
  /// Metres of way; `nil` is as far as may be.
  package var distance: Double?
  /// Seconds; `nil` is as long as may be.
  package var timeout: Double?

  package init(distance: Double? = nil, timeout: Double? = nil) {
    self.distance = distance
    self.timeout = timeout
  }

  /// Why updates are kept back no longer, or never were.
  package enum End: String, Sendable, CaseIterable, Codable {
    /// The way, or the time, is over, or there is no room for more.
    case finished
    /// The app stopped it, asked anew, came to the front, or its updates paused.
    case cancelled
    /// The era keeps no updates back.
    case unsupported
    /// It has not started updates.
    case notUpdating = "not_updating"
    /// It asks for an accuracy that is not the best.
    case accuracyTooLow = "accuracy_too_low"
    /// It has a distance filter.
    case distanceFiltered = "distance_filtered"
  }
}
