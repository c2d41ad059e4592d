// SPDX-License-Identifier: Apache-2.0

/// The three kinds of location updates; regions and visits are services of their own.
package enum Service: String, Sendable, CaseIterable, Codable {
  /// Updates while the app runs; they stop when it is suspended.
  case standard
  /// Rare, large moves; wakes a suspended app and relaunches a terminated one.
  case significant
  /// Standard updates of an app that declares `location`: they keep it running in the background.
  case continuous

  package var isSignificant: Bool {
    if case .significant = self { true } else { false }
  }
}

/// An app's request for the standard service.
package struct StandardRequest: Sendable, Equatable, Codable {
  /// Metres, best effort; −1 is best, −2 best for navigation, as Core Location numbers them. It decides the source of
  /// positions (`AccuracyNeed`).
  package var desiredAccuracy = -1.0
  /// Metres from the last delivered location; `nil` delivers every fix.
  package var distanceFilter: Double?
  /// Whether updates pause once the device has been still for a time.
  package var pausesAutomatically = false
  /// Required by some eras besides the declared mode.
  package var allowsBackgroundUpdates = true
  /// Seconds from one position to the next, as an app of Android asks for them; `nil`, as they come. From 10 s on the
  /// receiver is off in between.
  package var interval: Double?

  package init() {}
}

/// The source of positions of an accuracy.
///
/// Core Location says of its constants only that a coarser one takes less energy; the limits are ours, at its
/// constants: 100 m is what short looks of a receiver hold, from 1,000 m on Wi-Fi and cells are enough.
@usableFromInline package enum AccuracyNeed: Sendable, Equatable {
  /// Below 100 m, best and best for navigation: a receiver that is on all the time.
  case receiver
  /// From 100 m to below 1,000 m: a receiver that rests for as long as its last position holds.
  case sessions
  /// From 1,000 m on, and reduced: network positions if there are any, else short sessions.
  case network

  /// `accuracy`: metres, or one of Core Location's negative constants.
  package init(_ accuracy: Double) {
    self = accuracy >= 1_000 ? .network : accuracy >= 100 ? .sessions : .receiver
  }
}

/// One location handed to one app.
package struct Delivery: Sendable, Equatable, Codable {
  /// The number of the delivery to its app, from 1.
  package let sequence: UInt64
  package let service: Service
  package let fix: Fix
  /// Whether this is an old position delivered again; such a delivery never anchors.
  package let isCached: Bool
  /// Metres from the anchor of this service; `nil` if there was none.
  package let moved: Double?
  /// Seconds since the delivery that set the anchor, or of a heartbeat, since its position; `nil` if there was none.
  package let since: Double?
  /// The event at a region or a place; `nil` if the position itself is the news. Such a delivery never anchors, and its
  /// service is the one whose looks found it.
  package let event: PlaceEvent?
  /// The occasion of the delivery, if it is other than the service itself.
  package let occasion: Occasion?

  package enum Occasion: String, Sendable, Codable {
    /// The app's request for a single location.
    case request
    /// The end of a deferral: one of the positions that were kept back.
    case deferral
    /// Nothing is new: the device rests where it was last seen, and its service lives.
    case heartbeat
  }

  package init(
    sequence: UInt64, service: Service, fix: Fix, isCached: Bool, moved: Double?, since: Double?,
    event: PlaceEvent? = nil, occasion: Occasion? = nil
  ) {
    self.sequence = sequence
    self.service = service
    self.fix = fix
    self.isCached = isCached
    self.moved = moved
    self.since = since
    self.event = event
    self.occasion = occasion
  }
}
