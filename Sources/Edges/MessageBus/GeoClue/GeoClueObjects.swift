// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// GeoClue's objects as programs see them:
//
//   /org/freedesktop/GeoClue2/Manager                     one; hands out clients
//   /org/freedesktop/GeoClue2/Client/N                    what one connection asks; for that connection alone
//   /org/freedesktop/GeoClue2/Client/N/Location/K         where the device was; for that connection alone
//
//            Start                      the user switches location off
//   stopped ───────► active ─────────────────────────────────────────► held back
//      ▲               │  ◄─────────────────────────────────────────      │
//      └───── Stop ────┘        the user switches it on again             │
//      └───────────────────────── Stop ───────────────────────────────────┘
//
// A new location is signalled to its client's connection before the property changes, as in GeoClue. The service
// decides when a client receives which location (`GeoClueApp`): here thresholds are only stored.
//
// An authorization agent of the user (such as GNOME's shell) can switch location off, or limit it to a level: its
// setting applies while it is connected, and without one everything is allowed. It is not awaited, since a machine
// without a desktop has none.

/// The manager, the clients and their locations.
struct GeoClueObjects: Sendable, Equatable {
  /// Clients of all programs together.
  static let clientLimit = 64

  /// The user who owns it.
  let user: UInt32
  private(set) var clients: [GeoClueClientObject] = []
  /// The client that each connection got from `GetClient`.
  private var given: [String: GeoClueClient] = [:]
  private var lastClient: UInt32 = 0
  /// The agent, and its highest allowed level; 0 allows nothing.
  private var agent: (name: String, maximum: UInt32)?

  init(user: UInt32) { self.user = user }

  private var maximum: UInt32 { agent?.maximum ?? AccuracyLevel.exact.rawValue }
  private var isInUse: Bool { clients.contains { $0.phase == .active } }

  // MARK: Calls

  /// Answers a call of our user.
  mutating func answer(
    _ call: GeoClueCall, into effects: inout [GeoClueEffect]
  ) throws(BusRefusal) -> [BusValue] {
    guard let object = Object(call.path), holds(object) else {
      guard call.member == "Introspect", let text = GeoClueIntrospection.folder(call.path, clients)
      else { throw .noObject(call.path) }
      return [.string(text)]
    }
    switch (call.interface ?? object.interface(with: call.member), call.member) {
    case (GeoClueName.properties, _): return try property(call, of: object, into: &effects)
    case (GeoClueName.introspectable, "Introspect"):
      return [.string(GeoClueIntrospection.text(of: object))]
    case (GeoClueName.peer, "Ping"): return []
    case (GeoClueName.manager, _) where object == .manager:
      return try manager(call, into: &effects)
    case (GeoClueName.client, _):
      guard case .client(let id) = object else { throw .noMethod(call.member) }
      guard isOwn(object, call.sender) else { throw .notYours }
      return try client(call, id, into: &effects)
    default: throw .noMethod(call.member)
    }
  }

  private mutating func manager(
    _ call: GeoClueCall, into effects: inout [GeoClueEffect]
  ) throws(BusRefusal) -> [BusValue] {
    switch call.member {
    case "GetClient":
      try call.expects("")
      if let id = given[call.sender] { return [.path(GeoClueClientObject.path(id.number))] }
      let client = try makeClient(for: call.sender)
      given[call.sender] = client.id
      return [.path(client.path)]
    case "CreateClient":
      try call.expects("")
      return [.path(try makeClient(for: call.sender).path)]
    case "DeleteClient":
      try call.expects("o")
      if case .path(let path)? = call.arguments.first, case .client(let id)? = Object(path),
        isOwn(.client(id), call.sender)
      {
        remove(id, into: &effects)
      }
      return []
    case "AddAgent":
      try call.expects("s")
      agent = (call.sender, AccuracyLevel.exact.rawValue)
      effects.append(.agent(call.sender))
      return []
    default: throw .noMethod(call.member)
    }
  }

  private mutating func makeClient(for owner: String) throws(BusRefusal) -> GeoClueClientObject {
    guard clients.count < Self.clientLimit else { throw .tooMany(Self.clientLimit) }
    lastClient += 1
    let client = GeoClueClientObject(GeoClueClient(lastClient), owner: owner)
    clients.append(client)
    return client
  }

  private mutating func client(
    _ call: GeoClueCall, _ id: GeoClueClient, into effects: inout [GeoClueEffect]
  ) throws(BusRefusal) -> [BusValue] {
    guard let index = index(of: id) else { throw .noObject(call.path) }
    switch call.member {
    case "Start":
      try call.expects("")
      guard clients[index].phase == .stopped else { return [] }
      guard !clients[index].desktopID.isEmpty else { throw .noDesktopID }
      guard maximum > 0 else { throw .isOff(user) }
      enter(.active, index, into: &effects)
    case "Stop":
      try call.expects("")
      enter(.stopped, index, into: &effects)
    default: throw .noMethod(call.member)
    }
    return []
  }

  // MARK: Properties

  private mutating func property(
    _ call: GeoClueCall, of object: Object, into effects: inout [GeoClueEffect]
  ) throws(BusRefusal) -> [BusValue] {
    let signatures = ["Get": "ss", "GetAll": "s", "Set": "ssv"]
    guard let signature = signatures[call.member] else { throw .noMethod(call.member) }
    try call.expects(signature)
    guard case .string(let interface)? = call.arguments.first, interface == object.interface else {
      var name = ""
      if case .string(let text)? = call.arguments.first { name = text }
      throw .noInterface(name)
    }
    guard isOwn(object, call.sender) else {
      // As in GDBus: none of them can be read.
      if call.member == "GetAll" { return [.properties([])] }
      throw .notYours
    }
    let properties = properties(of: object)
    guard call.member != "GetAll" else { return [.properties(properties)] }
    guard call.arguments.count > 1, case .string(let name) = call.arguments[1] else {
      throw .wrongArguments(call.signature, for: signature)
    }
    if call.member == "Get" {
      guard let value = properties.first(where: { $0.0 == name })?.1 else {
        throw .noProperty(name)
      }
      return [.variant(value)]
    }
    guard call.arguments.count > 2, case .variant(let value) = call.arguments[2] else {
      // A container, which no property has.
      throw .wrongType(name, "?", for: properties.first { $0.0 == name }?.1.signature ?? "?")
    }
    try set(name, to: value, of: object, properties, into: &effects)
    return []
  }

  private mutating func set(
    _ name: String, to value: BusValue, of object: Object, _ properties: [(String, BusValue)],
    into effects: inout [GeoClueEffect]
  ) throws(BusRefusal) {
    guard case .client(let id) = object, let index = index(of: id) else {
      throw properties.contains { $0.0 == name } ? .readOnly(name) : .noProperty(name)
    }
    guard try clients[index].set(name, to: value) else { return }
    let client = clients[index]
    effects.append(.changed(client.path, GeoClueName.client, [(name, value)], to: client.owner))
    if client.phase == .active, name.hasSuffix("Threshold") {
      effects.append(.event(.changed(client.id, client.request(atMost: maximum))))
    }
  }

  private func properties(of object: Object) -> [(String, BusValue)] {
    switch object {
    case .manager:
      // There is a receiver, or there will be.
      [
        ("InUse", .flag(isInUse)),
        ("AvailableAccuracyLevel", .uint32(AccuracyLevel.exact.rawValue)),
      ]
    case .client(let id): clients.first { $0.id == id }?.properties ?? []
    case .location(let id, let number):
      clients.first { $0.id == id }?.properties(ofLocation: number) ?? []
    }
  }

  // MARK: Events

  /// Passes the device's position to a client; `now` is in seconds.
  mutating func passFix(
    to id: GeoClueClient, _ fix: Fix, at now: Double, into effects: inout [GeoClueEffect]
  ) {
    guard let index = index(of: id), clients[index].phase == .active else { return }
    let old = clients[index].take(fix: fix, at: now)
    let client = clients[index]
    effects.append(
      .signal(
        path: client.path, interface: GeoClueName.client, member: "LocationUpdated",
        [.path(old), .path(client.locationPath)], to: client.owner))
    effects.append(
      .changed(
        client.path, GeoClueName.client, [("Location", .path(client.locationPath))],
        to: client.owner))
  }

  /// Removes everything of a connection that has gone.
  mutating func left(_ sender: String, into effects: inout [GeoClueEffect]) {
    for client in clients where client.owner == sender { remove(client.id, into: &effects) }
    given[sender] = nil
    guard agent?.name == sender else { return }
    agent = nil
    followMaximum(into: &effects)
  }

  /// Forgets all connections. Numbers continue: none is ever used again.
  mutating func forgetClients() {
    (clients, given, agent) = ([], [:], nil)
  }

  /// Sets the highest level that the agent's user allows; 0 allows nothing.
  mutating func limit(
    to maximum: UInt32, by sender: String, into effects: inout [GeoClueEffect]
  ) {
    guard agent?.name == sender else { return }
    agent = (sender, maximum)
    followMaximum(into: &effects)
  }

  /// Adapts active clients to the level allowed now.
  private mutating func followMaximum(into effects: inout [GeoClueEffect]) {
    for index in clients.indices {
      switch clients[index].phase {
      case .stopped: break
      case .active where maximum == 0: enter(.heldBack, index, into: &effects)
      case .active:
        effects.append(.event(.changed(clients[index].id, clients[index].request(atMost: maximum))))
      case .heldBack where maximum == 0: break
      case .heldBack: enter(.active, index, into: &effects)
      }
    }
  }

  private mutating func remove(_ id: GeoClueClient, into effects: inout [GeoClueEffect]) {
    guard let index = index(of: id) else { return }
    enter(.stopped, index, into: &effects)
    given = given.filter { $0.value != id }
    clients.remove(at: index)
  }

  /// Enters another phase, and reports it to the program, to all, and to the service.
  private mutating func enter(
    _ phase: GeoClueClientObject.Phase, _ index: Int, into effects: inout [GeoClueEffect]
  ) {
    let (was, wasInUse) = (clients[index].phase, isInUse)
    clients[index].phase = phase
    let client = clients[index]
    guard (was == .active) != (phase == .active) else { return }
    let isActive = phase == .active
    effects.append(
      .changed(
        client.path, GeoClueName.client, [("Active", .flag(isActive))], to: client.owner))
    effects.append(
      .event(
        isActive
          ? .started(client.id, client.request(atMost: maximum)) : .stopped(client.id)))
    if isInUse != wasInUse {
      effects.append(
        .changed(
          GeoClueName.managerPath, GeoClueName.manager, [("InUse", .flag(isInUse))], to: nil))
    }
  }

  // MARK: Objects

  private func index(of id: GeoClueClient) -> Int? { clients.firstIndex { $0.id == id } }

  private func holds(_ object: Object) -> Bool {
    switch object {
    case .manager: true
    case .client(let id): index(of: id) != nil
    case .location(let id, let number):
      index(of: id).map { index in
        clients[index].locations.contains { $0.number == number }
      } ?? false
    }
  }

  private func isOwn(_ object: Object, _ sender: String) -> Bool {
    switch object {
    case .manager: true
    case .client(let id), .location(let id, _):
      index(of: id).map { clients[$0].owner == sender } ?? false
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.user == b.user && a.clients == b.clients && a.given == b.given
      && a.lastClient == b.lastClient && a.agent?.name == b.agent?.name
      && a.agent?.maximum == b.agent?.maximum
  }
}

extension GeoClueCall {
  fileprivate func expects(_ expected: String) throws(BusRefusal) {
    guard signature == expected else { throw .wrongArguments(signature, for: expected) }
  }
}

extension GeoClueEffect {
  fileprivate static func changed(
    _ path: String, _ interface: String, _ properties: [(String, BusValue)], to owner: String?
  ) -> Self {
    .signal(
      path: path, interface: GeoClueName.properties, member: "PropertiesChanged",
      [.string(interface), .properties(properties), .strings([])], to: owner)
  }
}
