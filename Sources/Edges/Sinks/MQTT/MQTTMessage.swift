// SPDX-License-Identifier: Apache-2.0

/// One message to publish.
struct MQTTMessage: Sendable, Equatable {
  /// Without wildcards, UTF-8, at most 65,535 octets (MQTT 5, 1.5.4 and 4.7).
  var topic: String
  var payload: [UInt8]
  /// 0 or 1: with 1 the broker acknowledges it.
  var quality: Int32 = 1
  /// Whether the broker keeps it for later subscribers.
  var isRetained = false
  /// The delivery that it conveys; `nil` if it concerns none.
  var origin: Origin?

  /// A delivery, and the message's position among those that convey it.
  struct Origin: Sendable, Equatable {
    var number: UInt64
    var part = 0
  }

  init(
    _ topic: String, _ payload: [UInt8], quality: Int32 = 1, isRetained: Bool = false,
    origin: Origin? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.quality = quality
    self.isRetained = isRetained
    self.origin = origin
  }
}

/// One message that came from the broker.
struct MQTTArrival: Sendable, Equatable {
  var topic: String
  var payload: [UInt8]
  /// Whether the broker had retained it: its addressee and time are unknown.
  var isRetained: Bool
}

/// The two supported versions of the protocol.
enum MQTTVersion: Sendable, Equatable {
  /// 3.1.1: an unauthorized message is acknowledged like any other (MQTT 3.1.1, 3.3.5).
  case three
  /// 5: each acknowledgement gives the message's outcome.
  case five

  var words: String { self == .five ? "MQTT 5" : "MQTT 3.1.1" }
}

/// A broker's parameters in its acceptance of a client.
struct MQTTWelcome: Sendable, Equatable {
  /// Whether it has kept subscriptions and messages since the last time.
  var hasSession = false
  /// The number of messages that it accepts at once; 65,535 if it does not say (MQTT 5, 3.2.2.3.3).
  var receiveMaximum = 65_535
}
