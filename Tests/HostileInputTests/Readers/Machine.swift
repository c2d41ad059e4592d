// SPDX-License-Identifier: Apache-2.0

import CDBus
import Geodesy
import LocationModel
import ServiceContract

@testable import DeviceWatch
@testable import MessageBus
@testable import Servers

extension HostileReader {
  static let machine: [HostileReader] = [busMessage, geoClueCalls, machineFiles, webRequest]

  /// A message of the bus in wire form, read as a call of GeoClue and as an answer of ModemManager.
  private static let busMessage = HostileReader(
    "bus-message", limit: 2_048, of: ["MessageBus", "ModemCells", "GeoClueBus"]
  ) { bytes in
    let pointer = bytes.withUnsafeBytes { buffer in
      dbus_message_demarshal(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil)
    }
    guard let pointer else { return }
    let message = BusMessage(taking: pointer)
    let reader = MessageReader(message)
    _ = (reader.signal, reader.refusal)
    for call in [BusCall.owner, .modems, .location(path: "/")] { _ = reader.answer(to: call) }
    var objects = GeoClueObjects(user: 1_000)
    try answer(
      GeoClueCall(
        token: 1, sender: message.sender ?? ":1.1", path: message.path ?? "/",
        interface: message.interface, member: message.member ?? "", signature: message.signature,
        arguments: message.values), &objects)
  }

  /// Programs that use GeoClue: a line is a sender, an object, an interface, a member and arguments, each of them
  /// `s:text`, `o:path`, `u:1`, `i:-1`, `b:1`, or `v` before one of these for a variant. Promised: no more clients than
  /// the limit, and each effect goes to a connection that has some.
  private static let geoClueCalls = HostileReader("geoclue-calls", of: ["GeoClueBus"]) { bytes in
    var objects = GeoClueObjects(user: 1_000)
    for line in bytes.text.split(separator: "\n").prefix(200) {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 3 else {
        var effects: [GeoClueEffect] = []
        if words.count == 2, words[0] == "left" { objects.left(words[1], into: &effects) }
        if words.count == 3, words[0] == "limit" {
          objects.limit(to: UInt32(words[2]) ?? 0, by: words[1], into: &effects)
        }
        if words.count == 2, words[0] == "tell", let number = UInt32(words[1]) {
          let fix = Fix(
            time: nil, coordinate: Coordinate(clampingLatitude: 1, wrappingLongitude: 2))
          objects.passFix(to: GeoClueClient(number), fix, at: 5, into: &effects)
        }
        continue
      }
      let arguments = words.dropFirst(4).compactMap { BusValue(word: $0[...]) }
      try answer(
        GeoClueCall(
          token: 1, sender: words[0], path: words[1], interface: words[2] == "-" ? nil : words[2],
          member: words[3], signature: arguments.map(\.signature).joined(), arguments: arguments),
        &objects)
      try promise(
        objects.clients.count <= GeoClueObjects.clientLimit, "\(objects.clients.count) clients")
    }
  }

  private static func answer(_ call: GeoClueCall, _ objects: inout GeoClueObjects) throws {
    var effects: [GeoClueEffect] = []
    do throws(BusRefusal) {
      _ = try objects.answer(call, into: &effects)
    } catch {
      try promise(!error.text.isEmpty, "refused without a word")
    }
  }

  /// A request for the live page: its request line, then headers. Promised: no access without the token.
  private static let webRequest = HostileReader("web-request", of: ["StatusHTTP"]) { bytes in
    let token = String(repeating: "5", count: 64)
    var gate = WebGuard(name: "pi", port: 4_711, random: { token })
    let lines = bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = (lines.first ?? "").split(separator: " ")
    guard head.count > 1 else { return }
    let request = WebRequest(
      String(head[0]), String(head[1]),
      headers: lines.dropFirst().compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2
          ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
      })
    _ = (request.path, request.query, request.cookie("milepost-4711"))
    switch gate.judge(request) {
    case .pass: throw BrokenPromise(description: "passed without a session")
    case .admit: try promise(bytes.text.contains(token), "admitted without the token")
    case .refuse(let status, let text):
      try promise((400...499).contains(status) && !text.isEmpty, "\(status) \(text)")
    }
  }

  /// Texts of the kernel and ModemManager. Promised: shares and charges are per cent; only a supply that states nothing
  /// leaves the external power unknown.
  private static let machineFiles = HostileReader(
    "machine-files", limit: 1_024, of: ["DeviceWatch", "ServiceContract"]
  ) { bytes in
    let text = bytes.text
    if let shares = MemoryPressure.shares(in: text) {
      try promise((0...100).contains(shares.some) && (0...100).contains(shares.full), "\(shares)")
    }
    if let reading = MemoryPressure.reading(in: text) {
      try promise(reading.total.isFinite && reading.available.isFinite, "\(reading)")
    }
    let lines = text.split(separator: "\n").map(String.init)
    for line in lines { _ = CellIdentity(locationText: line)?.number }
    func file(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    if let battery = MachineBattery.reading(of: [MachineBattery(file)].compactMap(\.self)) {
      try promise((0...100).contains(battery.percent), "\(battery.percent) %")
    }
    let said = ExternalPower.said(by: file)
    let isThere = ExternalPower.isThere(by: [said].compactMap(\.self))
    try promise(
      isThere == said.map { $0 == .outside }, "it says \(said as Any), so \(isThere as Any)")
    if let status = file("status") {
      try promise(
        isThere != true || file("type") != "Battery" || status != "Discharging",
        "power from outside beside a battery that empties")
    }
  }
}

extension BusValue {
  fileprivate init?(word: Substring) {
    if word.first == "v", let inner = BusValue(word: word.dropFirst()) {
      self = .variant(inner)
      return
    }
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let text = String(parts[1])
    switch parts[0] {
    case "s": self = .string(text)
    case "o": self = .path(text)
    case "u": self = .uint32(UInt32(text) ?? 0)
    case "i": self = .int32(Int32(text) ?? 0)
    case "b": self = .flag(text == "1")
    default: return nil
    }
  }
}
