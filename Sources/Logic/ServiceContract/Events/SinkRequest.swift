// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What the other side of a sink may ask for.
package enum SinkRequest: Sendable, Equatable, Codable {
  /// The present position, now.
  case reportLocation
  /// Other regions to monitor, in this order.
  case changeRegions([RegionChange])
}

/// A change of the regions monitored for a sink's app.
package enum RegionChange: Sendable, Equatable, Codable {
  /// Replaces one of the same name, if there is one.
  case monitor(MonitoredRegion)
  /// The region of this name.
  case stop(String)
  /// All regions that the other side has named.
  case stopAll
}
