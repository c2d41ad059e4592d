// SPDX-License-Identifier: Apache-2.0

import Glibc
import MessageBus

/// A connection for calls to ModemManager, with the calls that wait for their answers.
final class ModemLine {
  /// An arrival from the bus.
  enum Arrival: Equatable {
    case answer(BusAnswer, to: BusCall)
    case signal(BusSignal, from: String)
  }

  /// The limit of calls that wait for their answers; the machine has eight at most.
  static let callLimit = 64

  private let bus: BusConnection
  private var calls: [UInt32: BusCall] = [:]

  init(_ address: String) throws(BusConnection.Failure) { bus = try BusConnection(address) }

  /// The descriptors to wait for, for `poll`.
  var awaited: [pollfd] { bus.awaited }

  /// Reads and writes on the descriptors that `poll` found ready, and returns the arrivals; `nil` if the bus has gone.
  func exchange(_ ready: [pollfd]) -> [Arrival]? { bus.exchange(ready)?.compactMap(take) }

  /// Sends a call, or at least queues it. `false` if there is no memory, or too many wait.
  func send(_ call: BusCall) -> Bool {
    guard calls.count < Self.callLimit, let message = call.message, let serial = bus.send(message)
    else { return false }
    calls[serial] = call
    return true
  }

  private func take(_ message: BusMessage) -> Arrival? {
    let reader = MessageReader(message)
    switch message.kind {
    case .answer:
      guard let call = calls.removeValue(forKey: message.replySerial) else { return nil }
      return .answer(reader.answer(to: call), to: call)
    case .refusal:
      guard let call = calls.removeValue(forKey: message.replySerial) else { return nil }
      return .answer(reader.refusal, to: call)
    case .signal:
      guard let sender = message.sender, let signal = reader.signal else { return nil }
      return .signal(signal, from: sender)
    case .call:
      // We have no methods; a caller of one must not wait for an answer.
      if message.wantsAnswer,
        let refusal = message.refusal(
          "org.freedesktop.DBus.Error.UnknownMethod", "there is nothing to call here")
      {
        bus.send(refusal)
      }
      return nil
    case .other: return nil
    }
  }
}
