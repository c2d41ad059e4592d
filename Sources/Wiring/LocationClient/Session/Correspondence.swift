// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Geodesy
import LocationModel

// Theory of operation
// ===================
//
// The daemon knows one app with one standard service and one significant one; a process may have several managers and
// sequences, here called consumers. This value stands between them. Inputs carry the requests of consumers and the
// messages of the daemon; actions go to the daemon and to consumers.
//
//               welcome                          disconnected
//   offline ─────────────► greeted (wishes said) ─────────────► offline
//
// Wishes: those of all consumers are merged, the tightest wins, and only differences are sent. A welcome begins a new
// connection, to which everything is sent again, and stops too: the daemon may have kept a service that was stopped
// while there was no connection. A distance filter that is wider than the merged one is applied here.
//
// Deliveries: the daemon gives each a number, and this process gives each a ticket.
//
//   arrives ─► known? ──yes──► finished before: acknowledged again · being worked on: nothing
//                │no
//                ▼
//          handed to n consumers ─► n times finished ─► it and all before it finished: acknowledged
//                │its service was not requested yet
//                ▼
//              held (at most 32, and 8 finished behind it; then given up and reported) ─► handed when asked for
//
// A single request ends with the next position that is not from before it (cached, or held here), with
// `REQUEST_FAILED`, or when no consumer wants it any more. The daemon knows only one, so after a stop that ends it, the request is sent again for the consumers that still wait.
//
// A pause ends with the app's own start, by any consumer. The pause of a sequence, which the app cannot start again
// (`resumes`), ends with a motion, or when the app comes to the foreground. Motions are requested only while such a
// pause lasts, and in the background only if updates may continue there: they wake the app. Regions and visits are
// described in Regions.swift, and background work beside locations in AppBackground.swift.
//
// Odd cases
// - The acknowledgement was lost with the connection: the daemon delivers again; the number is known and the content
//   equal, so it is acknowledged again and not handed out.
// - The daemon lost its memory and counts from 1 again: a number that was passed comes with other content, or was never
//   seen. The count then starts anew; tickets of the old count acknowledge nothing any more.
// - Deliveries of one connection come in order and after its welcome: the daemon guarantees that.
// - Monitoring of significant changes outlives its manager and its process: it is *orphaned* until a manager asks again
//   or one stops it, and arrivals in between are held. A released manager stops nothing.
// - A service was stopped while a delivery was under way: the delivery is unwanted and is acknowledged.
// - A wake lasts for its budget, unless the app ends it earlier. If the managers want that done for them
//   (`endsWorkItself` is false for all), `done` is sent once, when all deliveries of the wake are finished and nothing
//   else is wanted of it (no standard updates, no single request).

/// Stands between one process's consumers and the daemon: merges wishes, tells deliveries apart,
/// and acknowledges each once.
struct Correspondence: Sendable, Equatable {
  /// The limit of deliveries that wait for a consumer to request them: fewer than the 64 that the daemon sends without
  /// an acknowledgement, so that unrequested ones never hold the others up.
  static let heldLimit = 32
  /// The limit of finished deliveries behind one that no consumer has requested: it alone holds their acknowledgement
  /// back, so it is given up then. A consumer that joins right after the launch still gets it.
  static let behindLimit = 8
  /// The limit of numbers that are remembered with their content: more than the daemon sends ahead, so that every
  /// repetition is recognized.
  static let memoryLimit = 256

  enum Input: Sendable, Equatable {
    case joined(Int)
    case left(Int)
    /// `restarts`: the standard service is requested again although the wish is the same.
    case wants(Int, Wishes, restarts: Bool = false)
    /// Also from a process that never requested them: it ends the monitoring of an earlier process.
    case stopsSignificant
    /// The same for motion.
    case stopsMotion
    case endsWorkItself(Int, Bool)
    case asks(Authorization)
    case finished(ticket: UInt64)
    case finishedWork
    case regions(Regions.Input)
    case background(AppBackground.Input)
    case listens(Int, PlaceEar)
    /// `nil` ends the deferral.
    case defers(Int, Deferral?)
    /// A position from before this process, and the time of its receipt.
    case knows(Fix, received: UTCInstant)
    case message(ServerMessage)
    /// The daemon cannot be reached, with the reason; repeated for every failed attempt.
    case disconnected(String)
  }

  enum Action: Sendable, Equatable {
    case send(ClientMessage)
    case hand(Notice, to: Int)
    case handOver(SocketCopy)
    /// A line on standard error for a problem that has no other channel.
    case complain(String)
  }

  var consumers: [Consumer] = []
  var isGreeted = false
  var authorization: Authorization?
  /// The accuracy that the app is allowed; full until the daemon reports another.
  private(set) var accuracy = LocationAccuracy.full
  var state: AppState?
  private(set) var toldState = ToldState.nothing
  var launchReason: WakeReason?
  /// The newest position that was delivered.
  var latest: (fix: Fix, received: UTCInstant)? {
    get { latestFix.map { ($0, latestReceived) } }
    set {
      latestFix = newValue?.fix
      if let newValue { latestReceived = newValue.received }
    }
  }
  /// Deliveries that no consumer has finished with.
  var unfinished: Int { open.count + held.count }
  var openCount: Int { open.count }

  /// The newest heading while headings are on.
  var latestHeading: Heading?

  private var latestFix: Fix?
  private var latestReceived = UTCInstant(microseconds: 0)
  var said = Wishes()
  var begun = Begun()
  /// Whether the daemon is to be told that an earlier process's request for motion ends.
  var owesMotionStop = false
  private var asked: Authorization?
  var hasAskedStandard = false
  /// Whether this process has requested a single position.
  var hasAskedOnce = false
  var hasAskedSignificant = false
  /// Whether this process has requested significant changes or stopped them.
  var hasDecidedSignificant = false
  /// Whether they are monitored although no consumer here requests them.
  var isOrphaned = false
  private(set) var hasComplained = false
  var accepted: UInt64?
  var finished: UInt64 = 0
  /// The highest number of this count that is finished, with all before it.
  var closed: UInt64 = 0
  var memory: [Arrival] = []
  /// Deliveries that no consumer has requested yet.
  var held: [Arrival] = []
  var open: [Open] = []
  var lastTicket: UInt64 = 0
  /// Whether the daemon waits for the report that the work of a wake is done.
  var owesDone = false
  var regions = Regions()
  var background = AppBackground()
  /// Whether this process has requested visits or stopped them.
  var hasDecidedVisits = false
  /// Whether they are monitored although no consumer here requests them.
  var keepsVisits = false
  private(set) var circumstances = Circumstances()
  /// The managers that have requested a deferral and have not heard of its end: one entry per request, oldest first.
  var deferrals: [Int] = []

  mutating func handle(_ input: Input, into actions: inout [Action]) {
    switch input {
    case .joined(let id): join(id, into: &actions)
    case .left(let id): leave(id, into: &actions)
    case .stopsSignificant: stopSignificant(into: &actions)
    case .stopsMotion:
      // If this process has asked, the change of its wish says it.
      owesMotionStop = !begun.motion
      sayWishes(into: &actions)
    case .wants(let id, let wishes, let restarts):
      wants(id, wishes, restarts: restarts, into: &actions)
    case .endsWorkItself(let id, let itself):
      for index in consumers.indices where consumers[index].id == id {
        consumers[index].endsWorkItself = itself
      }
    case .asks(let authorization):
      asked = authorization
      if isGreeted { actions.append(.send(.requestAuthorization(authorization))) }
    case .finished(let ticket): finish(ticket, into: &actions)
    case .finishedWork:
      owesDone = false
      if isGreeted { actions.append(.send(.done)) }
    case .regions(let input): handle(input, into: &actions)
    case .background(let input): handle(input, into: &actions)
    case .listens(let id, let ear):
      for index in consumers.indices where consumers[index].id == id {
        consumers[index].places = ear
      }
      releaseHeld(into: &actions)
    case .defers(let id, let deferral): deferUpdates(deferral, by: id, into: &actions)
    case .knows(let fix, let received): if latest == nil { latest = (fix, received) }
    case .message(let message): hear(message, into: &actions)
    case .disconnected(let reason): disconnected(reason, into: &actions)
    }
  }

  // MARK: Consumers

  private mutating func join(_ id: Int, into actions: inout [Action]) {
    consumers.append(Consumer(id: id))
    if let authorization { actions.append(.hand(.authorization(authorization), to: id)) }
  }

  private mutating func leave(_ id: Int, into actions: inout [Action]) {
    let wasMonitoring = consumers.contains { $0.id == id && $0.wishes.significant }
    let wasVisiting = consumers.contains { $0.id == id && $0.wishes.visits }
    consumers.removeAll { $0.id == id }
    if wasVisiting, !consumers.contains(where: { $0.wishes.visits }) { keepsVisits = true }
    if wasMonitoring, !consumers.contains(where: { $0.wishes.significant }) {
      isOrphaned = true
      hasAskedSignificant = false
    }
    sayWishes(into: &actions)
  }

  private mutating func stopSignificant(into actions: inout [Action]) {
    hasDecidedSignificant = true
    guard !consumers.contains(where: { $0.wishes.significant }) else { return }
    isOrphaned = false
    hasAskedSignificant = true
    sayWishes(into: &actions)
    releaseHeld(into: &actions)
  }

  // MARK: The daemon

  private mutating func hear(_ message: ServerMessage, into actions: inout [Action]) {
    if case .state = message {
    } else if case .welcome = message {
    } else if toldState == .nothing, let state {
      toldState = .assumed(state)
    }
    switch message {
    case .welcome(let welcome): greeted(welcome, into: &actions)
    case .location(let delivery, let received):
      arrived(
        Arrival(number: delivery.sequence, news: .location(delivery), received: received),
        into: &actions)
    case .state(let new):
      state = new
      if new == .active { endPauses() }
      sayWishes(into: &actions)
      guard new != toldState.state else { return }
      toldState = .told(new)
      tellAll(.state(new), into: &actions)
    case .willTerminate(let seconds): tellAll(.willTerminate(seconds: seconds), into: &actions)
    case .authorization(let new): authorized(new, into: &actions)
    case .accuracy(let new): allowed(new, into: &actions)
    case .paused:
      for index in consumers.indices where consumers[index].wishes.standard != nil {
        consumers[index].isPaused = true
        actions.append(.hand(.paused, to: consumers[index].id))
      }
      sayWishes(into: &actions)
    case .motion: moved(into: &actions)
    case .deferralEnded(let end): deferralEnded(end, into: &actions)
    case .heading(let notice): pointed(notice, into: &actions)
    case .lost(let count): tellAll(.lost(count: count), into: &actions)
    case .noFix(let reason):
      tellAll(
        .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.wantsLocation },
        into: &actions)
    case .requestFailed(let reason): requestFailed(reason, into: &actions)
    case .error(let code, let text):
      tellAll(.failure(CLError(code.clientCode, text)), into: &actions)
    case .region(let notice): hear(notice, into: &actions)
    case .visit(let notice):
      arrived(
        Arrival(number: notice.sequence, news: .visit(notice.visit), received: notice.received),
        into: &actions)
    case .regionFailed(let identifier, let reason): refused(identifier, reason, into: &actions)
    case .wake, .tasksExpire, .timeRemaining, .audioStopped, .notification, .notifications:
      hearOfBackground(message, into: &actions)
    case .version, .devices, .watch, .watchSentences, .sentences, .sky, .report, .poll, .ok,
      .warning, .document:
      break
    }
  }

  private mutating func greeted(
    _ welcome: ServerMessage.Welcome, into actions: inout [Action]
  ) {
    isGreeted = true
    hasComplained = false
    let isFirst = accepted == nil
    if isFirst {
      launchReason = welcome.launchReason
      owesDone = welcome.launchReason != nil
    }
    // Deliveries that another process of this app has acknowledged will not come again.
    accepted = max(accepted ?? 0, welcome.acknowledged)
    finished = max(finished, welcome.acknowledged)
    // At a launch the service itself reports the state; a change since then is reported here.
    if !isFirst, toldState.state != welcome.state {
      toldState = .told(welcome.state)
      tellAll(.state(welcome.state), into: &actions)
    }
    state = welcome.state
    if latest == nil, let fix = welcome.location, let time = fix.time { latest = (fix, time) }
    // A manager that hears of the first authorization asks for both.
    if isFirst { accuracy = welcome.accuracy ?? .full }
    allowed(welcome.accuracy ?? .full, into: &actions)
    authorized(welcome.authorization, into: &actions)
    circumstances = Circumstances(welcome)
    said = Wishes()
    said.significant = welcome.monitorsSignificantChanges
    keep(welcome.places, into: &actions)
    if welcome.monitorsSignificantChanges && !hasDecidedSignificant { isOrphaned = true }
    if let asked, welcome.authorization == .notDetermined {
      actions.append(.send(.requestAuthorization(asked)))
    }
    sayWishes(isAnew: !isFirst, into: &actions)
    sayRegions(into: &actions)
    sayBackground(isFirst: isFirst, into: &actions)
  }

  private mutating func authorized(_ new: Authorization, into actions: inout [Action]) {
    guard new != authorization else { return }
    authorization = new
    tellAll(.authorization(new), into: &actions)
    guard new == .denied || new == .restricted else { return }
    tellAll(.failure(.forbidden), where: { $0.wishes.wantsLocation }, into: &actions)
  }

  private mutating func allowed(_ new: LocationAccuracy, into actions: inout [Action]) {
    guard new != accuracy else { return }
    accuracy = new
    tellAll(.accuracy(new), into: &actions)
  }

  private mutating func disconnected(_ reason: String, into actions: inout [Action]) {
    isGreeted = false
    latestHeading = nil
    dropDeferrals(reason, into: &actions)
    guard !hasComplained else { return }
    hasComplained = true
    launch(into: &actions)
    tellAll(
      .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.wantsLocation },
      into: &actions)
  }
}
