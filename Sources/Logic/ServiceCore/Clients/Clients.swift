// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// Connections, and what travels over them besides deliveries:
//
//   connected ──► user ── hello ──► app ── gone, or not its process ──► user, or nothing
//             └─► listener (a port for gpsd clients), for good
//
// - A client is a user's command until it says hello. One process group holds an app's connection at a time; where its
//   process is known, no other one gets it.
// - The welcome is the first message of a connection; then the consequences of its arrival, and what waits.
// - Answers come in the order of the questions, each with its question's id.
// - A one-time message (a call, tasks that expire, a notification) that finds no process or no room is kept until
//   there is; a state is told again at its next change. A suspended app reads nothing: of the messages meanwhile only
//   the user's permissions matter when it runs again.
// - What an app says is the engine's to judge (AppMessages.swift); what the user says goes to the machine that decides
//   it (UserMessages.swift).

/// One connection.
struct Client: Sendable, Equatable {
  let origin: ClientEvent.Origin
  fileprivate(set) var role = Role.user

  enum Role: Sendable, Equatable {
    /// A client that has not said hello: a user's command.
    case user
    case app(AppID)
    case listener(AppID)
  }
}

/// One app's connection, the only way to reach it, and what it has yet to hear.
struct AppLink: Sendable, Equatable {
  fileprivate(set) var client: ClientID?
  /// Whether it also wants reports in gpsd's form.
  fileprivate(set) var watches = false
  /// The calls that came without a process to hear them, or without room to send them; the newest of each reason, and
  /// of each notification, `Call.limit` at most.
  fileprivate var calls: [Call] = []
  /// Whether its authorization changed during its suspension, of which it must be told.
  fileprivate var owesAuthorization = false
  /// The same for its location accuracy.
  fileprivate var owesAccuracy = false

  /// A one-time message other than a location, and the deadline of its answer; `nil` without a limit.
  struct Call: Sendable, Equatable {
    /// The greatest number of calls kept for an app that does not read; the oldest go. It is the limit of its
    /// notifications.
    static let limit = LocalNotification.limit

    let what: What
    let until: EngineInstant?

    enum What: Sendable, Equatable {
      case wake(WakeReason)
      case tasksExpire([UInt32])
      case notification(LocalNotification)
    }
  }
}

/// The connections of the service.
struct Clients: Sendable {
  private var connections: [ClientID: Client] = [:]
  private var links = AppTable<AppLink>()
  private(set) var ports = GPSDPorts()

  var count: Int { connections.count }

  func role(of client: ClientID) -> Client.Role? { connections[client]?.role }

  func app(of client: ClientID) -> AppID? {
    if case .app(let id) = connections[client]?.role { id } else { nil }
  }

  /// The client of an app; `nil` if it is not connected.
  func client(of id: AppID) -> ClientID? { links.withRow(of: id) { $0.client } ?? nil }

  /// Whether an app also wants reports in gpsd's form.
  func watches(_ id: AppID) -> Bool { links.withRow(of: id) { $0.watches } == true }

  // MARK: Apps

  mutating func openApp(_ id: AppID) { links[id] = AppLink() }

  /// Its app is removed, and its connection closed.
  mutating func endApp(_ id: AppID, _ step: inout Step) {
    guard let client = client(of: id) else { return }
    connections[client]?.role = .user
    step.intend(.effect(.close(client)))
  }

  mutating func closeApp(_ id: AppID) { links[id] = nil }

  mutating func openPorts(_ listeners: [ServiceBeginning.Listener], _ step: inout Step) {
    ports.openPorts(listeners, &step)
  }

  /// Passes a delivery on, if the recipient is a port for gpsd clients.
  mutating func report(
    _ delivery: Delivery, to id: AppID, _ world: World, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) -> Bool {
    guard !ports.isEmpty, ports[id] != nil else { return false }
    meter.record(.delivery, at: step.now.at)
    ports.report(delivery, to: id, world.sky(at: step.now.at), &step)
    return true
  }

  /// Forgets what the ports have let through, if it is concerned.
  mutating func forget(where isConcerned: (Fix) -> Bool) { ports.forget(where: isConcerned) }

  // MARK: Connections

  mutating func connected(
    _ client: ClientID, _ origin: ClientEvent.Origin, _ line: GPSDLine, _ step: inout Step
  ) {
    var entry = Client(origin: origin)
    if case .gpsdPort(let port) = origin, let id = ports.app(ofPort: port) {
      entry.role = .listener(id)
      connections[client] = entry
      // As gpsd does: its clients wait for this before they send anything.
      step.answer(client, version(for: client, line, step))
    }
    connections[client] = entry
  }

  mutating func disconnected(_ client: ClientID, _ step: inout Step) {
    guard let entry = connections.removeValue(forKey: client) else { return }
    switch entry.role {
    case .user: break
    case .listener(let id): ports.unwatch(client, id, &step)
    case .app(let id):
      guard self.client(of: id) == client else { return }
      leave(id)
      step.want(.rewind(id))
      step.want(.disconnected(id))
      if step.apps[id]?.isUnregistered(step.settings.newApps) == true {
        forgetUnregistered(&step)
      }
    }
  }

  /// Programs that only connected, and that nobody has decided about, are kept for a while, so that their user can: the
  /// last few that have gone.
  func forgetUnregistered(_ step: inout Step) {
    let gone = step.apps.all.filter {
      $0.isUnregistered(step.settings.newApps) && client(of: $0.id) == nil
    }
    for app in gone.dropLast(Self.unregisteredLimit) { step.want(.remove(app.id)) }
  }

  /// Unregistered apps that are kept when they have gone [ours].
  static let unregisteredLimit = 16

  private mutating func leave(_ id: AppID) {
    links.change(id) { link in
      link.client = nil
      link.watches = false
    }
  }

  /// Until an app's process is known, another one may have claimed to be the app: its connection is
  /// closed, so that the app finds room.
  mutating func dropStranger(_ id: AppID, leader: Int32?, _ step: inout Step) {
    guard let client = client(of: id), case .socket(_, let group, _) = connections[client]?.origin,
      group != leader
    else { return }
    connections[client]?.role = .user
    leave(id)
    step.want(.rewind(id))
    step.intend(.effect(.close(client)))
  }

  /// A client can take more, or a message of it found no room.
  mutating func writable(_ client: ClientID, _ engine: LocationEngine, _ step: inout Step) {
    guard let id = app(of: client) else { return }
    tellCalls(of: id, engine, &step)
    step.intend(.flush(id))
  }

  /// A message that did not fit is sent again once there is room.
  mutating func refused(_ message: ServerMessage, by client: ClientID, _ step: inout Step) {
    guard let id = app(of: client) else { return }
    if let number = message.sequence {
      step.want(.rewindTo(number, of: id))
    } else {
      keep(message, for: id, at: step.now.at)
    }
  }

  // MARK: Hello

  mutating func greet(
    _ hello: ClientMessage.Hello, _ client: ClientID, _ request: String?, _ processes: Processes,
    _ step: inout Step
  ) {
    guard case .socket(let pid, let group, _) = connections[client]?.origin else { return }
    if let own = app(of: client), let name = step.apps.name(of: own), name != hello.app {
      return step.refuse(
        client, .notPossible,
        "this connection is '\(name)'; open another one for '\(hello.app)'", request)
    }
    guard !processes.isLeaving(hello.app) else {
      // It may be that very process: it would take the name as one that somebody else started.
      return step.refuse(
        client, .alreadyConnected,
        "'\(hello.app)' was removed, and its process is still being ended; come again later",
        request)
    }
    guard let app = step.apps[named: hello.app] else {
      guard step.introduce(hello.app) else {
        return step.refuse(
          client, .unknownApp,
          "'\(hello.app)' is no name for an app: \(AppName.words)",
          request)
      }
      return step.want(.greet(hello, client, request))
    }
    guard app.isResident else {
      let kind = app.manifest.kind.rawValue
      return step.refuse(
        client, .notPossible, "'\(hello.app)' is a \(kind); \(kind)s do not connect", request)
    }
    if let other = self.client(of: app.id) {
      guard other != client else { return step.want(.repeatWelcome(app.id, client, request)) }
      return step.refuse(
        client, .alreadyConnected, "'\(hello.app)' is connected already", request)
    }
    if let row = processes[app.id], let leader = row.pid, row.hasOwnProcess, group != leader {
      return step.refuse(
        client, .alreadyConnected,
        "'\(hello.app)' runs as process \(leader), and process \(pid) is not part of it", request)
    }
    // The welcome comes first; then the consequences of its arrival, and the waiting messages.
    let place = Self.placeOfWelcome(to: app.id, in: step.intents)
    connections[client]?.role = .app(app.id)
    links.change(app.id) { $0.client = client }
    step.want(.opened(app.id))
    step.want(.connected(app.id, pid: pid))
    step.want(.welcome(app.id, client, request, place: place))
  }

  /// The place for the welcome of an app that connects now: messages of an earlier event of the batch would go over the
  /// new connection as well, and the welcome must come first.
  private static func placeOfWelcome(to id: AppID, in intents: [Intent]) -> Int {
    let first = intents.firstIndex { intent in
      switch intent {
      case .flush(let other), .tell(let other, _): other == id
      case .start, .freeze, .thaw, .end, .kill, .answer, .warnUnstored, .watch, .listen, .effect,
        .forgetEnding:
        false
      }
    }
    return first ?? intents.count
  }

  /// Welcomes an app that has connected.
  mutating func welcome(
    _ id: AppID, _ client: ClientID, _ request: String?, place: Int, _ deliveries: AppDeliveries?,
    _ process: ProcessState?, _ engine: LocationEngine, _ step: inout Step
  ) {
    let launch = process?.launch.reason
    let isTold = process?.knowsItsLaunch == true
    if let welcome = step.welcome(id, deliveries, process, engine) {
      let welcome = Intent.answer(client, welcome, id: request)
      step.intents.insert(welcome, at: min(place, step.intents.count))
      // A process that connects for the first time gets this callback of its launch; a launch into the background has
      // one only in some eras.
      if !isTold, let state = engine.state(of: id), state.runsCode,
        !AppCallback.isSilent(launchInto: state, for: launch, in: step.settings.rules.era)
      {
        step.intents.insert(
          .tell(id, .state(state)), at: min(place + 1, step.intents.count))
      }
    }
    // Its welcome states the reason of its launch; an app that only lost its connection is told of every call.
    tellCalls(of: id, but: isTold ? nil : launch, engine, &step)
    step.intend(.flush(id))
    step.want(.toldLaunch(id))
  }

  /// Repeats the welcome of an app that says hello again.
  func welcome(
    again id: AppID, _ client: ClientID, _ request: String?, _ deliveries: AppDeliveries?,
    _ process: ProcessState?, _ engine: LocationEngine, _ step: inout Step
  ) {
    if let welcome = step.welcome(id, deliveries, process, engine) {
      step.answer(client, welcome, request)
    }
  }

  // MARK: Messages besides deliveries

  /// Sends an app that runs a message, after the commit.
  mutating func send(
    message: ServerMessage, to id: AppID, isSuspended: Bool, into effects: inout [ServiceEffect]
  ) {
    guard let client = client(of: id) else { return }
    if message.isOfAuthorization {
      links.change(id) { $0.owesAuthorization = isSuspended }
    } else if message.isOfAccuracy {
      links.change(id) { $0.owesAccuracy = isSuspended }
    }
    if !isSuspended { effects.append(.send(message, to: client)) }
  }

  /// The app runs again after a suspension: it hears what it missed.
  mutating func resumed(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    tellCalls(of: id, engine, &step)
    guard let app = step.apps[id], let link = links[id] else { return }
    if link.owesAuthorization { step.intend(.tell(id, .authorization(app.toldAuthorization))) }
    if link.owesAccuracy {
      step.intend(.tell(id, .accuracy(app.manifest.declaration.accuracy)))
    }
  }

  /// The app is not running any more: its calls are over.
  mutating func gone(_ id: AppID) { links.change(id) { $0.calls = [] } }

  /// Calls an app. A process that has yet to connect hears of it after that; its welcome states the reason of its
  /// launch.
  mutating func call(
    _ id: AppID, for reason: WakeReason, within seconds: Double?, _ step: inout Step
  ) {
    guard client(of: id) == nil else {
      return step.intend(.tell(id, .wake(reason, seconds: seconds)))
    }
    keep(.wake(reason), within: seconds, for: id, at: step.now.at)
  }

  private mutating func keep(_ message: ServerMessage, for id: AppID, at now: EngineInstant) {
    guard let (call, seconds) = message.call else { return }
    keep(call, within: seconds, for: id, at: now)
  }

  private mutating func keep(
    _ what: AppLink.Call.What, within seconds: Double?, for id: AppID, at now: EngineInstant
  ) {
    let until = seconds.map { now.advanced(bySeconds: $0) }
    links.change(id) { link in
      link.calls.removeAll { $0.what == what }
      link.calls.append(.init(what: what, until: until))
      if link.calls.count > AppLink.Call.limit { link.calls.removeFirst() }
    }
  }

  /// Sends an app that can hear them the calls that it missed, except for the one in its welcome.
  private mutating func tellCalls(
    of id: AppID, but told: WakeReason? = nil, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let link = links[id], link.client != nil, !link.calls.isEmpty,
      engine.state(of: id)?.runsCode == true
    else { return }
    links.change(id) { $0.calls = [] }
    for call in link.calls {
      let seconds = call.until.map { max(0, EngineInstant.seconds(from: step.now.at, to: $0)) }
      switch call.what {
      case .wake(let reason) where reason == told: break
      case .wake(let reason): step.intend(.tell(id, .wake(reason, seconds: seconds)))
      case .tasksExpire(let tasks):
        step.intend(.tell(id, .tasksExpire(tasks, seconds: seconds ?? 0)))
      case .notification(let notification):
        step.intend(.tell(id, .notification(notification)))
      }
    }
  }

  // MARK: gpsd's protocol

  /// A client begins to watch, changes its forms, or ends the watch: then it wants neither.
  mutating func watch(
    _ client: ClientID, reports: Bool, sentences: Bool, _ request: String?, _ line: GPSDLine,
    _ engine: LocationEngine, _ step: inout Step
  ) {
    let reply: ServerMessage =
      sentences ? .watchSentences(json: reports) : .watch(isOn: reports)
    switch connections[client]?.role {
    case .listener(let id):
      var isFirst = false
      if reports || sentences {
        isFirst = ports.watch(
          client, id, reports: reports, sentences: sentences, at: step.now.utc)
      } else {
        ports.unwatch(client, id, &step)
      }
      step.answer(client, .devices(devices(for: client, line)), request)
      step.answer(client, reply, request)
      if isFirst { ports.launch(id, engine, &step) }
    case .app(let id):
      links.change(id) { $0.watches = reports }
      step.answer(client, .watch(isOn: reports), request)
    case .user:
      step.refuse(
        client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};", request)
    case nil: break
    }
  }
}
