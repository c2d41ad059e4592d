// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import Settings

/// An order to an app's sink.
package enum SinkOrder: Sendable, Equatable, Codable {
  /// A `SinkEvent` answers.
  case take(SinkBatch)
  /// Whether the other side is there and would take something is to be found out, without a delivery; a
  /// `SinkEvent.tried` answers.
  case probe(SinkBatch, for: ClientID, id: String?)
  /// The regions of which an app's other side may know are these now: for a sink that is open.
  case regions(AppID, [MonitoredRegion])
  /// The app is removed: nothing more comes for it, and what is on the way needs no answer.
  case close(AppID)
}

/// Deliveries on their way into a sink.
package struct SinkBatch: Sendable, Equatable, Codable {
  package var app: AppID
  package var sink: SinkSettings
  /// Where its relative paths begin.
  package var directory: String
  /// In the order of their numbers; at least one, and none in a trial.
  package var deliveries: [PendingDelivery]
  /// The regions that are monitored for the app and of which the other side may know; `nil` where there is none.
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

/// A message of a sink, of its own accord or as an answer.
package enum SinkEvent: Sendable, Equatable, Codable {
  /// All of them, up to this number, are safe where they belong.
  /// `notes` are worth to be said once all the same.
  case took(AppID, upTo: UInt64, traffic: SinkTraffic? = nil, notes: [String]? = nil)
  /// Some of them may be there, and will come again; those up to `passed` are safe there, and do not. `traffic` is
  /// `nil` where it did not come to a transfer.
  case failed(
    AppID, upTo: UInt64, reason: String, fault: SinkFault? = nil, passed: UInt64? = nil,
    traffic: SinkTraffic? = nil)
  /// The other side asks something of the app.
  case asks(AppID, SinkRequest)
  /// The sink's answer to a trial, for the client that asked: what it saw, or why it did not get through.
  case tried(AppID, SinkTrial, for: ClientID, id: String?)
}

/// The traffic of a transfer: octets on the wire above TCP, both ways, TLS and what had to be sent again included.
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

/// The meaning of an answer for what is to be done.
package enum SinkFault: Sendable, Equatable, Codable {
  /// Nobody there, or busy: it is tried again, not before so many seconds where the other side says how many.
  case later(after: Double?)
  /// Not let in, not known there, or moved: only a person can mend it.
  case refused
  /// The other side cannot use the first delivery that it has not taken.
  case badMessage
}

/// The outcome of a trial.
package enum SinkTrial: Sendable, Equatable, Codable {
  /// The other side answered, in words.
  case reached(String)
  /// Why not, and what to do, in words.
  case failed(String)
}
