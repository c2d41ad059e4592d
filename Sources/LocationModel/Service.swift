// SPDX-License-Identifier: Apache-2.0

/// The three ways of being told where one is.
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

/// An app's request of the standard service.
package struct StandardRequest: Sendable, Equatable, Codable {
  /// Metres, best effort; −1 is best, −2 best for navigation, as Core Location numbers them. It decides where
  /// positions come from (`AccuracyNeed`).
  package var desiredAccuracy = -1.0
  /// Metres from the last delivered location; `nil` delivers every fix.
  package var distanceFilter: Double?
  /// Whether updates pause once the device has been still for a time.
  package var pausesAutomatically = false
  /// Asked for by eras that want it beside the declared mode.
  package var allowsBackgroundUpdates = true

  package init() {}
}

/// Where positions of an accuracy come from.
///
/// Core Location says of its constants only that a coarser one takes less energy; the limits are ours, at
/// its constants: 100 m is what short looks of a receiver hold, from 1,000 m on Wi-Fi and cells are enough.
@usableFromInline package enum AccuracyNeed: Sendable, Equatable {
  /// Below 100 m, best and best for navigation: a receiver that is on all the time.
  case receiver
  /// From 100 m to below 1,000 m: a receiver that rests for as long as its last position holds.
  case sessions
  /// From 1,000 m on, and reduced: positions of the network where there are any, else short sessions.
  case network

  /// `accuracy`: metres, or one of Core Location's negative constants.
  package init(_ accuracy: Double) {
    self = accuracy >= 1_000 ? .network : accuracy >= 100 ? .sessions : .receiver
  }
}

/// One location handed to one app: an unchanging value, by reference, since it goes through many hands and
/// is large.
package final class Delivery: Sendable, Equatable, Codable {
  /// Counts the deliveries of one app from 1.
  package let sequence: UInt64
  package let service: Service
  package let fix: Fix
  /// Whether this is an old position handed out again; such a delivery never anchors.
  package let isCached: Bool
  /// Metres from the anchor of this service; `nil` where there was none.
  package let moved: Double?
  /// Seconds since the delivery that set the anchor; `nil` where there was none.
  package let since: Double?
  /// The event at a region or a place; `nil` where the position itself is the news. Such a delivery never
  /// anchors, and its service is the one on whose looks it was found.
  package let event: PlaceEvent?
  /// What brought it about, where it was more than what the service tells by itself.
  package let occasion: Occasion?

  package enum Occasion: String, Sendable, Codable {
    /// The app asked where it is, once.
    case request
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

  package static func == (a: Delivery, b: Delivery) -> Bool {
    a.sequence == b.sequence && a.service == b.service && a.fix == b.fix
      && a.isCached == b.isCached && a.moved == b.moved && a.since == b.since
      && a.event == b.event && a.occasion == b.occasion
  }
}
