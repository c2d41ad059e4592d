// SPDX-License-Identifier: Apache-2.0

/// One message as it is published.
struct MQTTMessage: Sendable, Equatable {
  /// Without wildcards, UTF-8, at most 65,535 octets (MQTT 5, 1.5.4 and 4.7).
  var topic: String
  var payload: [UInt8]
  /// 0 or 1: with 1 the broker acknowledges it.
  var quality: Int32 = 1
  /// Whether the broker keeps it for those who subscribe later.
  var isRetained = false
  /// What it tells; `nil` where it is about no delivery.
  var origin: Origin?

  /// The delivery that a message tells, and the message's place among those that tell it.
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
  /// Whether it is one that the broker had kept: it was said to somebody else, at any time.
  var isRetained: Bool
}

/// The two versions of the protocol that are spoken.
enum MQTTVersion: Sendable, Equatable {
  /// 3.1.1: a message that nobody may publish is acknowledged like any other (MQTT 3.1.1, 3.3.5).
  case three
  /// 5: each acknowledgement says what became of the message.
  case five

  var words: String { self == .five ? "MQTT 5" : "MQTT 3.1.1" }
}
