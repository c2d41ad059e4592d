// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An order to an app's sink.
package enum SinkOrder: Sendable, Equatable, Codable {
  /// A `SinkEvent` answers.
  case take(SinkBatch)
  /// A trial whether the other side is reachable and would accept deliveries, without a delivery; a
  /// `SinkEvent.tried` answers.
  case probe(SinkBatch, for: ClientID, id: String?)
  /// The present regions that an app's other side may know: for an open sink.
  case regions(AppID, [MonitoredRegion])
  /// Nothing more of the batch on its way may leave. Its `SinkEvent` answers as ever: `recalled` with what had left, or
  /// another outcome that came first.
  case recall(AppID)
  /// The app is removed: nothing more comes for it, nothing more of its batch leaves, and that needs no answer.
  case close(AppID)
}

/// Deliveries on their way into a sink.
package struct SinkBatch: Sendable, Equatable, Codable {
  package var app: AppID
  package var sink: SinkSettings
  /// The base of its relative paths.
  package var directory: String
  /// In the order of their numbers; at least one, and none in a trial.
  package var deliveries: [PendingDelivery]
  /// The app's monitored regions that the other side may know; `nil` if there is none.
  package var regions: [MonitoredRegion]?

  package init(
    app: AppID, sink: SinkSettings, directory: String, deliveries: [PendingDelivery],
    regions: [MonitoredRegion]? = nil
  ) {
    self.regions = regions
    self.app = app
    self.sink = sink
    self.directory = directory
    self.deliveries = deliveries
  }
}
