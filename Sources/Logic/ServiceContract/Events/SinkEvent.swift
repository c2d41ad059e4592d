// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// A message of a sink, spontaneous or as an answer.
package enum SinkEvent: Sendable, Equatable, Codable {
  /// Of the batch that ends with `of`, those up to this number are safe at their destination; the rest is on its way.
  case passed(AppID, upTo: UInt64, of: UInt64)
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
