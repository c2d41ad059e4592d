// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

extension ServerMessage {
  /// Decodes one line, with or without its line end; `nil` for a class that this version does not know
  /// (a newer daemon may say more).
  ///
  /// Members that are not known are passed over, for the same reason.
  package static func decode(
    _ line: borrowing Span<UInt8>
  ) throws(ProtocolError) -> ServerMessage? {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line)
    } catch {
      throw ProtocolError(
        "'\(Quoted.bytes(line))' is no message: \(error.message) at byte \(error.offset + 1)")
    }
    guard let name = value["class"]?.string else {
      throw ProtocolError("'\(Quoted.bytes(line))' is no message: it is no object with a class")
    }
    let object = try ObjectReader(value, name: Quoted.text(name))
    if DocumentClass(rawValue: name) != nil {
      var text: [UInt8] = []
      text.reserveCapacity(line.count)
      for index in 0..<line.count { text.append(line[index]) }
      while let last = text.last, last <= 0x20 { text.removeLast() }
      return .document(json: String(decoding: text, as: UTF8.self))
    }
    return try message(name, object)
  }

  private static func message(
    _ name: String, _ object: ObjectReader
  ) throws(ProtocolError) -> ServerMessage? {
    switch name {
    case "WELCOME": return .welcome(try Welcome(object))
    case "LOCATION":
      return .location(try Delivery(object), received: try object.instant("received"))
    case "STATE": return .state(try object.word("state", AppState.states))
    case "WILL_TERMINATE":
      return .willTerminate(seconds: try object.number("remaining_s", in: 0...1e15))
    case "AUTHORIZATION":
      return .authorization(try object.word("authorization", Authorization.levels))
    case "PAUSED": return .paused
    case "MOTION": return .motion
    case "LOST": return .lost(count: try object.count("count"))
    case "NO_FIX": return .noFix(try object.string("reason"))
    case "REQUEST_FAILED": return .requestFailed(try object.string("reason"))
    case "OK": return .ok
    case "ERROR":
      let (code, message) = try complaint(object)
      return .error(code: code, message)
    case "WARNING":
      let (code, message) = try complaint(object)
      return .warning(code: code, message)
    case "VERSION": return .version(release: try object.string("release"))
    case "DEVICES": return .devices(try GPSDObjects.devices(object))
    case "WATCH": return .watch(isOn: try object.optionalBool("enable") ?? false)
    case "TPV":
      let (fix, device) = try GPSDObjects.report(object)
      return fix.map { .report($0, device: device) }
    case "POLL":
      let report = try object.objects("tpv").first.map(GPSDObjects.report)
      return .poll(report?.fix, device: report?.device ?? "", at: try object.instant("time"))
    default: return nil
    }
  }

  /// gpsd's own errors have no code; a code that is not known is read as `malformed`.
  private static func complaint(
    _ object: ObjectReader
  ) throws(ProtocolError) -> (ErrorCode, String) {
    let code = try object.optionalString("code").flatMap(ErrorCode.init(rawValue:))
    return (code ?? .malformed, try object.string("message"))
  }
}

extension ServerMessage.Welcome {
  fileprivate init(_ object: ObjectReader) throws(ProtocolError) {
    self.init(
      release: try object.string("release"), app: try object.string("app"),
      state: try object.word("state", AppState.states),
      authorization: try object.word("authorization", Authorization.levels),
      launchReason: try object.optionalWord("launch_reason", [WakeReason.location, .motion]),
      monitorsSignificantChanges: try object.bool("monitors_significant_changes"),
      acknowledged: try object.count("acknowledged"))
  }
}

extension Delivery {
  fileprivate convenience init(_ object: ObjectReader) throws(ProtocolError) {
    self.init(
      sequence: try object.count("sequence"),
      service: try object.word("service", Service.allCases),
      fix: try FixObject.read(try object.object("fix")), isCached: try object.bool("cached"),
      moved: try object.optionalNumber("moved_m", in: 0...1e15),
      since: try object.optionalNumber("since_s"))
  }
}
