// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Regions and visits as values: an app's requests and its events.

/// A circle for which an app receives the device's entries and exits [doc: `CLCircularRegion`].
package struct MonitoredRegion: Sendable, Equatable, Codable {
  /// The greatest number of regions that one app may monitor [doc].
  package static let limit = 20
  /// The allowed radii, metres. Core Location's greatest one depends on the device, and is not documented [ours].
  package static let radii = 1.0...100_000.0
  /// The greatest length of an identifier, bytes [ours].
  package static let identifierLimit = 256

  /// Metres beyond the border from which a crossing may count [doc: about 200 m].
  package static let cushion = 200.0
  /// Seconds that the device must have been there [doc].
  package static let dwell = 20.0

  /// Unique within the app; a region of the same identifier replaces the one before.
  package var identifier: String
  package var centre: Coordinate
  /// Metres.
  package var radius: Double
  package var notifiesOnEntry: Bool
  package var notifiesOnExit: Bool

  package init(
    _ identifier: String, centre: Coordinate, radius: Double, notifiesOnEntry: Bool = true,
    notifiesOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.centre = centre
    self.radius = radius
    self.notifiesOnEntry = notifiesOnEntry
    self.notifiesOnExit = notifiesOnExit
  }

  /// Whether identifier and radius are within their limits.
  package var isValid: Bool {
    (1...Self.identifierLimit).contains(identifier.utf8.count) && Self.radii.contains(radius)
  }

  /// Metres beyond the border that a crossing needs: outwards the cushion, inwards the same but at most a quarter of
  /// the radius [ours]: a small circle has no room for more, and a device that stays in its middle must count as
  /// inside.
  package func cushion(outwards: Bool) -> Double {
    outwards ? Self.cushion : min(Self.cushion, radius / 4)
  }

  /// Metres beyond the border; negative within it.
  package func beyond(_ place: Coordinate) -> Double { centre.distance(to: place) - radius }
}

/// The side of a region on which the device is; the raw values stand in JSON.
package enum RegionState: String, Sendable, CaseIterable, Codable {
  case inside
  case outside
  /// No position has been good enough to decide.
  case unknown
}

/// What an app was told last of a region that it monitors.
package struct ToldSide: Sendable, Equatable, Codable {
  package var region: String
  package var state: RegionState
  /// UTC of the position that showed it; `nil` if unknown.
  package var time: UTCInstant?

  package init(region: String, state: RegionState, time: UTCInstant?) {
    self.region = region
    self.state = state
    self.time = time
  }
}

/// The reason why a region is not monitored [doc: `kCLErrorRegionMonitoringFailure`].
package enum RegionTrouble: String, Sendable, Codable {
  /// The app monitors as many as it may.
  case tooMany
  /// The identifier or the radius is beyond its limits.
  case invalid
}

/// A stay at a place [doc: `CLVisit`].
package struct Visit: Sendable, Equatable, Codable {
  /// The place of the stay.
  package var coordinate: Coordinate
  /// Horizontal 68 % radius of the coordinate, metres, above 0; `nil` is unknown.
  package var horizontalAccuracy: Double?
  /// UTC of the first position at the place; `nil` if the device was there when it was first seen at all (Core
  /// Location's `distantPast`), or the receiver gave no time.
  package var arrival: UTCInstant?
  /// UTC of the first position beyond the place; `nil` while the device is there (`distantFuture`).
  package var departure: UTCInstant?

  package init(
    coordinate: Coordinate, horizontalAccuracy: Double?, arrival: UTCInstant?,
    departure: UTCInstant?
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.departure = departure
  }

  /// Tells no place more exact than this one.
  package mutating func reduce(to square: Fix) {
    (coordinate, horizontalAccuracy) = (square.coordinate, square.horizontalAccuracy)
  }
}

/// The event in a delivery, besides its position.
package enum PlaceEvent: Sendable, Equatable, Codable {
  /// The device entered the region of this identifier.
  case entered(String)
  case exited(String)
  case arrived(Visit)
  case departed(Visit)

  /// The region that was crossed; `nil` for a stay.
  package var region: String? {
    switch self {
    case .entered(let region), .exited(let region): region
    case .arrived, .departed: nil
    }
  }

  /// The stay that has begun or ended; `nil` for a region.
  package var visit: Visit? {
    switch self {
    case .arrived(let visit), .departed(let visit): visit
    case .entered, .exited: nil
    }
  }

  /// `entered`, `exited`, `arrived` or `departed`: its name in documents.
  package var name: String {
    switch self {
    case .entered: "entered"
    case .exited: "exited"
    case .arrived: "arrived"
    case .departed: "departed"
    }
  }
}

extension Delivery {
  /// The place that it tells of: a stay has its own.
  package var place: Coordinate { event?.visit?.coordinate ?? fix.coordinate }
}
