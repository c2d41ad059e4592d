// SPDX-License-Identifier: Apache-2.0

package import Geodesy

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
