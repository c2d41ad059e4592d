// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import Settings

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

/// A message of a sink, spontaneous or as an answer.
package enum SinkEvent: Sendable, Equatable, Codable {
  /// All of them, up to this number, are safe at their destination. `notes` are worth reporting once anyway.
  case took(AppID, upTo: UInt64, traffic: SinkTraffic? = nil, notes: [String]? = nil)
  /// Some of them may be there, and will come again; those up to `passed` are safe there, and do not. `traffic` is
  /// `nil` if there was no transfer.
  case failed(
    AppID, upTo: UInt64, reason: String, fault: SinkFault? = nil, passed: UInt64? = nil,
    traffic: SinkTraffic? = nil)
  /// The other side makes a request to the app.
  case asks(AppID, SinkRequest)
  /// The sink's answer to a trial, for the client that asked: its finding, or the reason why it did not get through.
  case tried(AppID, SinkTrial, for: ClientID, id: String?)
}

/// The traffic of a transfer: octets on the wire above TCP, both ways, including TLS and retransmissions.
package struct SinkTraffic: Sendable, Equatable, Codable {
  package var up: Int
  package var down: Int

  package init(up: Int, down: Int) {
    self.up = up
    self.down = down
  }

  /// A recording may hold any numbers: no sum of them is an error.
  package static func + (a: Self, b: Self) -> Self {
    Self(up: a.up &+ b.up, down: a.down &+ b.down)
  }
}

/// What a fault means for the next step.
package enum SinkFault: Sendable, Equatable, Codable {
  /// Unreachable or busy: it is retried, not before `after` seconds if the other side states a time.
  case later(after: Double?)
  /// Access denied, unknown there, or moved: only a person can fix it.
  case refused
  /// The other side cannot use the first delivery that it has not taken.
  case badMessage
  /// It was recalled, and nothing is at fault.
  case recalled
}

/// The outcome of a trial.
package enum SinkTrial: Sendable, Equatable, Codable {
  /// The other side answered, in words.
  case reached(String)
  /// The reason and a remedy, in words.
  case failed(String)
}
