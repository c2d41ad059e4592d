// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An app's request about places. It outlives the app's process.
package enum PlaceInput: Sendable, Equatable {
  /// A region of the same identifier is replaced; an equal one goes on.
  case startMonitoring(MonitoredRegion)
  case stopMonitoring(region: String)
  /// Whether the device is in the region of this identifier; answered by `PlaceCommand.state`.
  case requestState(region: String)
  /// The app has taken the event of a crossing, which a position of that time showed.
  case tookCrossing(region: String, isInside: Bool, UTCInstant?)
  case startMonitoringVisits
  case stopMonitoringVisits
}

/// An event at a region or a place.
package enum PlaceCommand: Sendable, Equatable {
  /// A delivery with an event. The app already runs.
  case event(Delivery)
  /// Judgement of one fix for the region of this identifier.
  case verdict(region: String, Verdict, fixTime: UTCInstant?)
  /// The side of the region became known or changed, without an event.
  case settled(region: String, RegionState)
  /// The answer to `PlaceInput.requestState`.
  case state(region: String, RegionState)
  /// The region is not monitored.
  case failed(region: String, RegionTrouble)
}
