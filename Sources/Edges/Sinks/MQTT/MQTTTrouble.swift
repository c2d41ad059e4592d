// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// The reason why a batch did not get through.
enum MQTTTrouble: Error, Sendable, Equatable {
  /// A missing part of this machine, such as the file of a password, with the remedy.
  case notReady(String)
  /// No connection was made, with the system's message.
  case unreachable(String)
  /// The connection could not be secured, with the TLS library's message.
  case untrusted(String)
  /// The broker rejects our certificate, or requires one, with the TLS library's message.
  case unproven(String)
  /// No answer to our CONNECT within these seconds.
  case mute(Double)
  /// The other side ends the connection before it has answered, in both versions.
  case unwelcome
  case notLetIn(MQTTReason)
  /// The broker refused the message at this position of the batch.
  case refused(Int, MQTTReason)
  /// It cannot be sent at all, with the reason.
  case unsendable(Int, String)
  /// No acknowledgement within these seconds.
  case unacknowledged(Double)
  /// The batch took longer than these seconds.
  case slow(Double)
  /// The broker ended the connection; it may have given a reason.
  case ended(MQTTReason?)
  /// The same, twice in the same place: after the message at this position of the batch, which was sent alone.
  case choked(Int)
  /// The rest of the batch was recalled.
  case recalled

  var fault: SinkFault {
    switch self {
    case .unreachable, .mute, .unwelcome, .unacknowledged, .slow, .ended(nil): .later(after: nil)
    case .untrusted, .unproven, .notReady: .refused
    case .notLetIn(let reason): reason.fault == .badMessage ? .refused : reason.fault
    case .refused(_, let reason): reason.fault
    case .ended(let reason?): reason.fault
    case .unsendable, .choked: .badMessage
    case .recalled: .recalled
    }
  }

  /// For people: `address` is the broker's, `topic` that of the affected message.
  func words(at address: String, topic: (Int) -> String) -> String {
    let what =
      switch self {
      case .notReady(let words): "it is not tried: \(words)"
      case .unreachable(let words): "it is not reached: \(words)"
      case .untrusted(let words):
        "it is not trusted: \(words); name the authority that signed its certificate with ca_file"
      case .unproven(let words):
        "it does not let us in: \(words); look at client_cert_file and client_key_file"
      case .mute(let seconds): "nothing answers there for \(Int(seconds)) s"
      case .unwelcome:
        "it ends the connection without an answer, to MQTT 5 and to 3.1.1; look whether it is a "
          + "broker of MQTT\(Self.advice(on: address))"
      case .notLetIn(let reason): "we are not let in: \(reason.words)\(Self.advice(on: reason))"
      case .refused(let index, let reason):
        "it does not take '\(topic(index))': \(reason.words)\(Self.advice(on: reason))"
      case .unsendable(let index, let words): "'\(topic(index))' cannot be sent: \(words)"
      case .unacknowledged(let seconds): "it acknowledges nothing for \(Int(seconds)) s"
      case .slow(let seconds): "it took longer than \(Int(seconds)) s; the rest comes again"
      case .ended(let reason?): "it ended the connection: \(reason.words)\(Self.advice(on: reason))"
      case .ended(nil): "it ended the connection, and did not say why"
      case .choked(let index):
        "it ends the connection each time that '\(topic(index))' comes, and does not say why"
      case .recalled: SinkError.recalled.message
      }
    return "\(address): \(what)"
  }

  private static func advice(on address: String) -> String {
    address.hasPrefix("mqtts:")
      ? ", whether it speaks TLS, and whether it wants a certificate of ours (client_cert_file)"
      : ", and whether it wants TLS (mqtts://)"
  }

  private static func advice(on reason: MQTTReason) -> String {
    switch reason.rawValue {
    case 0x85: "; choose another client_id"
    case 0x86: "; look at user and password_file"
    case 0x87: "; look at user and password_file, and at what the broker allows that user"
    case 0x8e: "; another client has the same client_id"
    default: ""
    }
  }
}
