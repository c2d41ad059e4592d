// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

/// One connection as the world sees it.
struct SimulatedConnection: Sendable {
  /// The process at its other end; `nil` for a user's command and for a gpsd client.
  var process: Int32?
  /// The app that was welcomed on it.
  var app: AppID?
  /// The newest delivery that was sent on it.
  var sent: UInt64 = 0
  /// The same, whatever became of the app since: an acknowledgement may be on its way when it is purged.
  var everSent: UInt64 = 0
  /// Whether nothing fits into its buffer now.
  var isFull = false
  /// Ids of the requests that have no answer yet.
  var awaited: [String] = []
  var requests = 0
  /// The required stored state before a request is answered.
  var expected: [String: Expectation] = [:]
}

/// The promise of an answer.
enum Expectation: Sendable {
  case removed(AppID)
  case authorized(AppID)
  case added(String)
}

// The service's effects.

extension Simulation {
  mutating func perform(_ effect: ServiceEffect) {
    if case .log = effect {} else { say("   \(effect)") }
    switch effect {
    case .start(let start): self.start(start)
    case .freeze(let name): order(.freeze, name)
    case .thaw(let name): order(.thaw, name)
    case .end(let name, let grace): order(.end(grace: grace), name)
    case .kill(let name): order(.kill, name)
    case .forget(let name): forget(name)
    case .sink(let order): perform(order)
    case .send(let message, let client, let id): send(message, to: client, id)
    case .close(let client):
      cut(client)
      close(client)
    case .watch(let isOn, _): watchGPSD(isOn)
    case .connect: reconnectGPSD()
    case .listen(let isOn): listenToModem(isOn)
    case .tellGeoClue, .askNetwork, .askUser, .notifyUser, .arm, .releaseSocket: break
    case .readSettings(let client, let id):
      give(.settings(.read(settings, changes: []), for: client, id: id))
    case .sendLog(_, let name, _, _, let client, let id):
      send(.document(json: name), to: client, id)
    case .sendHistory(let range, let unwritten, let client, let id):
      send(range.document(of: unwritten).message, to: client, id)
    case .log(let level, let text):
      say("   [\(level)] \(text)")
      if level == .error, text.contains("its stored manifest cannot be read") {
        fail(.forgotten, text)
      }
    }
  }

  private mutating func send(_ message: ServerMessage, to client: ClientID, _ id: String?) {
    guard var connection = connections[client] else { return }
    checkTold(message, to: connection.app)
    if let id { answered(&connection, client, id, message) }
    if let app = connection.app { checkSending(message, to: app, client) }
    if !connection.isFull, connection.app != nil, faults.strike(.refused) {
      connection.isFull = true
      add(.writable(client), in: chance.logBetween(0.01, 30))
    }
    if connection.isFull {
      connections[client] = connection
      return give(.client(.refused(client, message)))
    }
    if case .welcome(let welcome) = message { connection.app = service.appID(of: welcome.app) }
    if let number = message.sequence { delivered(number, on: &connection, client) }
    connections[client] = connection
    add(.received(client, message), in: 0.001)
  }

  private mutating func answered(
    _ connection: inout SimulatedConnection, _ client: ClientID, _ id: String,
    _ message: ServerMessage
  ) {
    if case .warning = message { return }
    // A message without an expected answer gets one if it was refused.
    if case .error = message, !connection.awaited.contains(id) { return }
    guard let first = connection.awaited.first, first == id else {
      return fail(
        .answers, "client \(client.number) is answered \(id), and awaits \(connection.awaited)")
    }
    connection.awaited.removeFirst()
    askedAt[client] = nil
    guard let expected = connection.expected.removeValue(forKey: id), !hasFailed else { return }
    if case .error = message { return }
    switch expected {
    case .removed(let app):
      if store.app(app) != nil { fail(.beforeCommit, "the removal of \(app.number) is not stored") }
    case .authorized(let app):
      // The grant may be less than the request: an era knows one level, or two steps.
      var granted: Authorization?
      service.inspect { if $0.id == app { granted = $0.authorization } }
      if let row = store.app(app), row.authorization.held(in: settings.rules.era) != granted {
        fail(.beforeCommit, "the authorization of \(app.number) is not stored")
      }
    case .added(let name):
      if !store.load().apps.contains(where: { $0.name == name }) {
        fail(.beforeCommit, "\(name) is added and not stored")
      }
    }
  }

  /// Checks that an unsolicited message goes to an app that may run.
  private mutating func checkSending(
    _ message: ServerMessage, to app: AppID, _ client: ClientID
  ) {
    guard service.engine.state(of: app) == .suspended, asking != client else { return }
    fail(.suspendedCode, "a suspended app is sent \(message)")
  }

  private mutating func delivered(
    _ number: UInt64, on connection: inout SimulatedConnection, _ client: ClientID
  ) {
    guard let app = connection.app else {
      return fail(.numbers, "a delivery comes before the welcome")
    }
    if number <= connection.sent, processes[connection.process ?? 0]?.isEnding != true {
      fail(.numbers, "app \(app.number): \(number) comes after \(connection.sent)")
    }
    if number > connection.sent + 1, connection.sent > 0,
      ledger.accounts[app.number]?.pending.contains(where: { $0 > connection.sent && $0 < number })
        == true
    {
      fail(.numbers, "app \(app.number): \(number) comes right after \(connection.sent)")
    }
    checkStored(app, number)
    connection.sent = max(connection.sent, number)
    connection.everSent = max(connection.everSent, number)
  }

  /// Checks that a delivery handed out is stored, and is not acknowledged.
  mutating func checkStored(_ app: AppID, _ number: UInt64) {
    if let row = store.app(app), row.acknowledged >= number {
      fail(.handedAgain, "app \(app.number): \(number), acknowledged up to \(row.acknowledged)")
    }
    if !hasFailed, !store.holds(DeliveryKey(app, number)) {
      fail(.beforeCommit, "app \(app.number): \(number) is handed out and not stored")
    }
  }

  func name(of app: AppID) -> String? {
    var found: String?
    service.inspect { if $0.id == app { found = $0.name } }
    return found
  }

  // MARK: Connections

  /// A new connection, of a process or of a command.
  mutating func connect(process: Int32?, _ origin: ClientEvent.Origin? = nil) -> ClientID {
    lastClient += 1
    let client = ClientID(lastClient)
    connections[client] = SimulatedConnection(process: process)
    let pid = process ?? 7
    tell(.client(.connected(client, origin ?? .socket(pid: pid, group: pid, uid: 0))))
    return client
  }

  /// Sends a request and awaits its answer.
  mutating func ask(
    _ message: ClientMessage, from client: ClientID, expecting: Expectation? = nil
  ) {
    guard connections[client] != nil else { return }
    connections[client]?.requests += 1
    let id = "\(client.number).\(connections[client]?.requests ?? 0)"
    tell(.client(.message(client, message, id: id)))
    guard message.hasAnswer else { return }
    connections[client]?.awaited.append(id)
    connections[client]?.expected[id] = expecting
  }

  mutating func close(_ client: ClientID) {
    guard let connection = connections.removeValue(forKey: client) else { return }
    if isUp { closing[client] = connection }
    if let pid = connection.process, processes[pid]?.connection == client {
      processes[pid]?.connection = nil
    }
    tell(.client(.disconnected(client)))
  }

  /// Cuts the service's end of it.
  mutating func cut(_ client: ClientID) {
    guard let pid = connections[client]?.process, processes[pid]?.connection == client else {
      return
    }
    processes[pid]?.connection = nil
    waitsForService(pid)
  }

  mutating func waitsForService(_ pid: Int32) {
    if isUp {
      add(.process(pid, .connect), in: chance.between(0.5, 5))
    } else if !waitingForService.contains(pid) {
      waitingForService.append(pid)
    }
  }

  mutating func writable(_ client: ClientID) {
    guard connections[client]?.isFull == true else { return }
    tell(.client(.writable(client)))
  }
}

extension ClientMessage {
  /// Whether an answer carries this one's id.
  var hasAnswer: Bool {
    switch self {
    case .app(.requestAuthorization), .hello, .background, .gpsd, .user: true
    case .app: false
    }
  }
}
