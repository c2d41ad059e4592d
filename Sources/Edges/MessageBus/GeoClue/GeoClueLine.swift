// SPDX-License-Identifier: Apache-2.0

/// The connection: performs the machine's actions, and passes arrivals to it.
final class GeoClueLine: BusLine {
  typealias Machine = GeoClueMachine

  let bus: BusConnection
  private var questions: [UInt32: GeoClueMachine.Question] = [:]
  /// Calls that wait for their answers; the machine bounds them.
  private var calls: [UInt64: BusMessage] = [:]
  private var lastToken: UInt64 = 0

  init(_ address: String) throws(BusConnection.Failure) { bus = try BusConnection(address) }

  // MARK: Arrivals

  func input(of message: BusMessage) -> GeoClueMachine.Input? {
    switch message.kind {
    case .answer:
      guard let question = questions.removeValue(forKey: message.replySerial) else { return nil }
      let number = message.arguments.uint32 ?? message.arguments.variant?.uint32
      return .answer(number.map { .number($0) } ?? .done, to: question)
    case .refusal:
      guard let question = questions.removeValue(forKey: message.replySerial) else { return nil }
      let name = message.errorName ?? ""
      return .answer(.refused(name: name, text: message.arguments.string ?? name), to: question)
    case .signal: return signal(message)
    case .call: return call(message)
    case .other: return nil
    }
  }

  private func signal(_ message: BusMessage) -> GeoClueMachine.Input? {
    var arguments = message.arguments
    switch (message.interface, message.member) {
    case (GeoClueName.bus, "NameAcquired"), (GeoClueName.bus, "NameLost"):
      guard message.sender == GeoClueName.bus, arguments.string == GeoClueName.service else {
        return nil
      }
      return .name(isOurs: message.member == "NameAcquired")
    case (GeoClueName.bus, "NameOwnerChanged"):
      guard message.sender == GeoClueName.bus, let name = arguments.string, arguments.next(),
        arguments.next(), arguments.string == ""
      else { return nil }
      return .left(name)
    case (GeoClueName.properties, "PropertiesChanged"):
      guard let sender = message.sender, arguments.string == GeoClueName.agent, arguments.next()
      else { return nil }
      var maximum: UInt32?
      arguments.eachProperty { name, value in
        if name == "MaxAccuracyLevel" { maximum = value.uint32 }
      }
      return maximum.map { .limited($0, by: sender) }
    default: return nil
    }
  }

  private func call(_ message: BusMessage) -> GeoClueMachine.Input? {
    guard let sender = message.sender, let path = message.path, let member = message.member else {
      return nil
    }
    lastToken += 1
    if message.wantsAnswer { calls[lastToken] = message }
    return .call(
      GeoClueCall(
        token: lastToken, sender: sender, path: path, interface: message.interface, member: member,
        signature: message.signature, arguments: message.values))
  }

  // MARK: Sending

  func answer(_ token: UInt64, _ values: [BusValue]) {
    guard let answer = calls.removeValue(forKey: token)?.answer(values) else { return }
    bus.send(answer)
  }

  func refuse(_ token: UInt64, _ refusal: BusRefusal) {
    guard let answer = calls.removeValue(forKey: token)?.refusal(refusal.name, refusal.text)
    else { return }
    bus.send(answer)
  }

  func drop(_ token: UInt64) { calls[token] = nil }

  func signal(
    _ path: String, _ interface: String, _ member: String, _ values: [BusValue], to: String?
  ) {
    guard let signal = BusMessage.signal(path, interface, member, values, to: to) else { return }
    bus.send(signal)
  }

  /// `false` if there is no memory.
  func ask(_ question: GeoClueMachine.Question) -> Bool {
    guard let call = Self.message(question), let serial = bus.send(call) else { return false }
    questions[serial] = question
    return true
  }

  private static func message(_ question: GeoClueMachine.Question) -> BusMessage? {
    switch question {
    case .hello: .hello
    // No flags: queue behind another owner, and allow no replacement.
    case .name: .toBus("RequestName", [.string(GeoClueName.service), .uint32(0)])
    case .follow(let sender): .toBus("AddMatch", [.string(end(of: sender))])
    case .unfollow(let sender): .toBus("RemoveMatch", [.string(end(of: sender))])
    case .user(let sender): .toBus("GetConnectionUnixUser", [.string(sender)])
    case .followAgent(let sender):
      .toBus(
        "AddMatch",
        [
          .string(
            "type='signal',sender='\(sender)',path='\(GeoClueName.agentPath)',"
              + "interface='\(GeoClueName.properties)',member='PropertiesChanged'")
        ])
    case .limit(let sender):
      BusMessage.call(
        sender, GeoClueName.agentPath, GeoClueName.properties, "Get",
        [.string(GeoClueName.agent), .string("MaxAccuracyLevel")])
    }
  }

  private static func end(of sender: String) -> String {
    "type='signal',sender='\(GeoClueName.bus)',interface='\(GeoClueName.bus)',"
      + "member='NameOwnerChanged',arg0='\(sender)'"
  }
}

extension GeoClueMachine: BusMachine {}
extension GeoClueMachine.Input: BusInput {}
