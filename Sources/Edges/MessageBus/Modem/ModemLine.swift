// SPDX-License-Identifier: Apache-2.0

/// A connection for calls to ModemManager, with the calls that wait for their answers.
final class ModemLine: BusLine {
  typealias Machine = ModemMachine

  /// The limit of calls that wait for their answers; the machine has eight at most.
  static let callLimit = 64

  let bus: BusConnection
  private var calls: [UInt32: BusCall] = [:]

  init(_ address: String) throws(BusConnection.Failure) { bus = try BusConnection(address) }

  /// Sends a call, or at least queues it. `false` if there is no memory, or too many wait.
  func send(call: BusCall) -> Bool {
    guard calls.count < Self.callLimit, let message = call.message, let serial = bus.send(message)
    else { return false }
    calls[serial] = call
    return true
  }

  func input(of message: BusMessage) -> ModemMachine.Input? {
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

extension ModemMachine: BusMachine {}
extension ModemMachine.Input: BusInput {}
