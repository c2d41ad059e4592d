// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// A broker's reason in a CONNACK, PUBACK, SUBACK or DISCONNECT of MQTT 5 (MQTT 5, 2.4), and in a CONNACK of 3.1.1,
/// whose five codes are translated.
///
/// The only table of the meanings of answers. A code below 0x80 is consent; an unknown higher one may pass with time.
struct MQTTReason: RawRepresentable, Sendable, Equatable {
  let rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  static let success = Self(rawValue: 0x00)
  static let nobodyListens = Self(rawValue: 0x10)
  static let versionUnsupported = Self(rawValue: 0x84)

  /// From a CONNACK. The codes of 3.1.1 are 1 to 5 (MQTT 3.1.1, 3.2.2.3), which MQTT 5 does not use there.
  init(connack code: Int32) {
    switch code {
    case 1: self = .versionUnsupported
    case 2: self.init(rawValue: 0x85)
    case 3: self.init(rawValue: 0x88)
    case 4: self.init(rawValue: 0x86)
    case 5: self.init(rawValue: 0x87)
    default: self.init(rawValue: code)
    }
  }

  var isConsent: Bool { rawValue < 0x80 }

  /// What a refusal means.
  var fault: SinkFault {
    switch rawValue {
    // A payload with a false format, a packet that is too large: the same one will never be accepted.
    case 0x95, 0x99: .badMessage
    // A version, a name, a password, a topic, a ban, a request that the broker does not grant, another address: a
    // person must change something.
    case 0x84...0x87, 0x8a, 0x8c, 0x8f, 0x90, 0x9a...0x9e, 0xa1, 0xa2: .refused
    default: .later(after: nil)
    }
  }

  /// The standard's name, and its code: `not authorized (0x87)`.
  var words: String {
    let digits = String(rawValue, radix: 16)
    let code = "0x" + (digits.count == 1 ? "0" : "") + digits
    return "\(Self.names[rawValue] ?? "a reason that is not known here") (\(code))"
  }

  private static let names: [Int32: String] = [
    0x00: "success", 0x10: "no matching subscribers", 0x80: "unspecified error",
    0x81: "malformed packet", 0x82: "protocol error", 0x83: "implementation specific error",
    0x84: "unsupported protocol version", 0x85: "client identifier not valid",
    0x86: "bad user name or password", 0x87: "not authorized", 0x88: "server unavailable",
    0x89: "server busy", 0x8a: "banned", 0x8b: "server shutting down",
    0x8c: "bad authentication method", 0x8d: "keep alive timeout", 0x8e: "session taken over",
    0x8f: "topic filter invalid", 0x90: "topic name invalid", 0x91: "packet identifier in use",
    0x93: "receive maximum exceeded", 0x95: "packet too large", 0x96: "message rate too high",
    0x97: "quota exceeded", 0x98: "administrative action", 0x99: "payload format invalid",
    0x9a: "retain not supported", 0x9b: "QoS not supported", 0x9c: "use another server",
    0x9d: "server moved", 0x9e: "shared subscriptions not supported",
    0x9f: "connection rate exceeded", 0xa0: "maximum connect time",
    0xa1: "subscription identifiers not supported",
    0xa2: "wildcard subscriptions not supported",
  ]
}
