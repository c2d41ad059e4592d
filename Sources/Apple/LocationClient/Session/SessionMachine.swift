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
// A single request has one answer: the next position that is not from before it (cached, or held here), or the first
// failure that its consumer is told, whatever its cause. It also ends when no consumer wants it any more. The daemon
// knows only one, so after a stop that ends it, the request is sent again for the consumers that still wait.
//
// Positions that were kept back come as deliveries of their own, and the end of the deferral behind them: they are
// gathered until then, and handed over as one notice with one ticket. They are not gathered where no end will come: the
// deferral ended with an earlier connection.
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
struct SessionMachine: Sendable, Equatable {
  /// The limit of deliveries that wait for a consumer to request them: fewer than the 64 that the daemon sends without
  /// an acknowledgement, so that unrequested ones never hold the others up.
  static let heldLimit = 32
  /// The limit of finished deliveries behind one that no consumer has requested: it alone holds their acknowledgement
  /// back, so it is given up then. A consumer that joins right after the launch still gets it.
  static let behindLimit = 8
  /// The limit of numbers that are remembered with their content: more than the daemon sends ahead (64, and 600 that were
  /// kept back), so that every repetition is recognized.
  static let memoryLimit = 1_024
  /// The limit of gathered positions: more than the daemon keeps back.
  static let gatheredLimit = 1_024
  /// The limit of deferrals under way; a daemon that answers has one.
  private static let deferralLimit = 64

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

  private(set) var consumers: [Consumer] = []
  private(set) var isGreeted = false
  private(set) var authorization: Authorization?
  /// The accuracy that the app is allowed; full until the daemon reports another.
  private(set) var accuracy = LocationAccuracy.full
  private(set) var state: AppState?
  private(set) var toldState = ToldState.nothing
  private(set) var launchReason: WakeReason?
  /// The newest position that was delivered.
  private(set) var latest: (fix: Fix, received: UTCInstant)? {
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
  private var latestHeading: Heading?

  private var latestFix: Fix?
  private var latestReceived = UTCInstant(microseconds: 0)
  private var said = Wishes()
  private var begun = Begun()
  /// Whether the daemon is to be told that an earlier process's request for motion ends.
  private var owesMotionStop = false
  private var asked: Authorization?
  private var hasAskedStandard = false
  /// Whether this process has requested a single position.
  private var hasAskedOnce = false
  private var hasAskedSignificant = false
  /// Whether this process has requested significant changes or stopped them.
  private var hasDecidedSignificant = false
  /// Whether they are monitored although no consumer here requests them.
  private var isOrphaned = false
  private(set) var hasComplained = false
  private(set) var accepted: UInt64?
  private var finished: UInt64 = 0
  /// The highest number of this count that is finished, with all before it.
  private var closed: UInt64 = 0
  private var memory: [Arrival] = []
  /// Deliveries that no consumer has requested yet.
  private var held: [Arrival] = []
  private var open: [Open] = []
  private var lastTicket: UInt64 = 0
  /// Whether the daemon waits for the report that the work of a wake is done.
  private var owesDone = false
  var regions = Regions()
  var background = AppBackground()
  /// Whether this process has requested visits or stopped them.
  private var hasDecidedVisits = false
  /// Whether they are monitored although no consumer here requests them.
  private var keepsVisits = false
  private(set) var circumstances = Circumstances()
  /// The managers that have requested a deferral and have not heard of its end: one entry per request, oldest first.
  private var deferrals: [Int] = []
  /// Positions that were kept back, until the end of their deferral comes.
  private var gathered: [Arrival] = []

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
    case .finished(let ticket): finishTicket(ticket, into: &actions)
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
    case .message(let message): hear(message: message, into: &actions)
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

  private mutating func hear(message: ServerMessage, into actions: inout [Action]) {
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
      // A single request fails by itself.
      tellAll(
        .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.wantsUpdates },
        into: &actions)
    case .requestFailed(let reason): requestFailed(reason, into: &actions)
    case .error(let code, let text): fail(CLError(code.clientCode, text), into: &actions)
    case .region(let notice): hear(notice: notice, into: &actions)
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
    fail(.forbidden, where: { $0.wishes.wantsLocation }, into: &actions)
  }

  /// Tells consumers of a failure, which answers their single requests.
  private mutating func fail(
    _ error: CLError, where condition: (Consumer) -> Bool = { _ in true },
    into actions: inout [Action]
  ) {
    for index in consumers.indices where condition(consumers[index]) {
      actions.append(.hand(.failure(error), to: consumers[index].id))
      consumers[index].wishes.once = false
    }
    sayWishes(into: &actions)
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
    fail(
      CLError(.locationUnknown, reason), where: { $0.wishes.wantsLocation }, into: &actions)
  }

  // MARK: Deliveries

  mutating func arrived(_ arrival: Arrival, into actions: inout [Action]) {
    // Numbers begin with 1.
    guard arrival.number > 0 else { return }
    if let accepted, arrival.number <= accepted {
      if memory.contains(where: { $0.isOne(with: arrival) }) {
        if arrival.number <= finished, isGreeted {
          actions.append(.send(.acknowledge(finished)))
        }
        return
      }
      startCountingAnew(at: arrival.number)
    }
    accepted = arrival.number
    memory.append(arrival)
    if memory.count > Self.memoryLimit { memory.removeFirst() }
    if case .location(let delivery) = arrival.news { latest = (delivery.fix, arrival.received) }
    if arrival.isDeferred, !deferrals.isEmpty, gathered.count < Self.gatheredLimit {
      return gathered.append(arrival)
    }
    handGathered(into: &actions)
    if isAskedFor(arrival.news) || isAnswer(arrival.news) {
      hand(arrival, into: &actions)
    } else {
      held.append(arrival)
      giveUpOldest(into: &actions)
    }
  }

  /// Whether a consumer here has asked for such news, now or before.
  private func isAskedFor(_ news: Arrival.News) -> Bool {
    switch news {
    case .location(let delivery):
      delivery.service == .significant ? hasAskedSignificant : hasAskedStandard
    case .region(let notice): consumers.contains { $0.places.hears(notice.identifier) }
    case .visit: consumers.contains { $0.places == .app }
    }
  }

  /// Whether this may be a position for a single request of this process.
  private func isAnswer(_ news: Arrival.News) -> Bool {
    guard case .location(let delivery) = news else { return false }
    return hasAskedOnce && delivery.isNew
  }

  private mutating func startCountingAnew(at number: UInt64) {
    memory.removeAll()
    held.removeAll()
    gathered.removeAll()
    finished = number - 1
    closed = number - 1
    for index in open.indices { open[index].numbers = nil }
  }

  private mutating func giveUpOldest(into actions: inout [Action]) {
    guard let oldest = held.first, !isAskedFor(oldest.news),
      held.count > Self.heldLimit || heldBack(by: oldest.number) >= Self.behindLimit
    else { return }
    held.removeFirst()
    closeDelivery(oldest.number, into: &actions)
    tellAll(.lost(count: 1), into: &actions)
  }

  /// The number of finished deliveries that cannot be acknowledged because of this held one; 0 if consumers work on an
  /// older one.
  private func heldBack(by number: UInt64) -> Int {
    let worked = open.compactMap(\.numbers)
    guard worked.allSatisfy({ $0.lowerBound > number }) else { return 0 }
    let behind = memory.count { $0.number > number }
    let working = worked.reduce(0) { $0 + $1.count } + gathered.count
    return behind - working - held.count { $0.number > number }
  }

  private mutating func releaseHeld(into actions: inout [Action]) {
    // Each is held until it is handed over: a later number that is finished must not acknowledge it.
    for arrival in held where isAskedFor(arrival.news) {
      held.removeAll { $0.number == arrival.number }
      hand(arrival, isHeld: true, into: &actions)
    }
  }

  /// `isHeld`: it came before a consumer asked for it, so it answers no single request.
  private mutating func hand(
    _ arrival: Arrival, isHeld: Bool = false, into actions: inout [Action]
  ) {
    lastTicket += 1
    let count =
      switch arrival.news {
      case .location(let delivery):
        hand(
          delivery, received: arrival.received, answers: !isHeld && delivery.isNew, into: &actions)
      case .region(let notice): hand(notice, ticket: lastTicket, into: &actions)
      case .visit(let visit):
        tellAll(
          .visit(visit, ticket: lastTicket), where: { $0.places == .app }, into: &actions)
      }
    if case .location = arrival.news {
    } else if count > 0, state == .background {
      owesDone = true
    }
    guard count > 0 else {
      closeDelivery(arrival.number, into: &actions)
      return sayDone(into: &actions)
    }
    open.append(
      Open(ticket: lastTicket, numbers: arrival.number...arrival.number, remaining: count))
  }

  /// Hands over the positions that were kept back, as one.
  private mutating func handGathered(into actions: inout [Action]) {
    let all = gathered
    gathered = []
    guard let first = all.first, let last = all.last else { return }
    lastTicket += 1
    var count = 0
    for index in consumers.indices {
      let taken = all.compactMap { arrival -> Located? in
        guard case .location(let delivery) = arrival.news,
          consumers[index].takes(
            delivery, answers: false, pastMerged: said.standard?.distanceFilter)
        else { return nil }
        return Located(fix: delivery.fix, received: arrival.received)
      }
      guard !taken.isEmpty else { continue }
      count += 1
      actions.append(.hand(.locations(taken, ticket: lastTicket), to: consumers[index].id))
    }
    guard count > 0 else {
      closeDelivery(last.number, into: &actions)
      return sayDone(into: &actions)
    }
    open.append(Open(ticket: lastTicket, numbers: first.number...last.number, remaining: count))
  }

  /// Returns the number of consumers that received it. `answers`: it ends single requests.
  private mutating func hand(
    _ delivery: Delivery, received: UTCInstant, answers: Bool, into actions: inout [Action]
  ) -> Int {
    var count = 0
    let merged = said.standard?.distanceFilter
    for index in consumers.indices
    where consumers[index].takes(delivery, answers: answers, pastMerged: merged) {
      if consumers[index].isPaused && delivery.service != .significant {
        consumers[index].isPaused = false
        actions.append(.hand(.resumed, to: consumers[index].id))
      }
      count += 1
      actions.append(
        .hand(
          .location(delivery.fix, received: received, ticket: lastTicket),
          to: consumers[index].id))
    }
    if delivery.service == .significant, state == .background { owesDone = true }
    if answers {
      for index in consumers.indices { consumers[index].wishes.once = false }
      said.once = false
    }
    return count
  }

  /// Returns the number of consumers that are told.
  @discardableResult
  func tellAll(
    _ notice: Notice, where condition: (Consumer) -> Bool = { _ in true },
    into actions: inout [Action]
  ) -> Int {
    let told = consumers.filter(condition)
    for consumer in told { actions.append(.hand(notice, to: consumer.id)) }
    return told.count
  }

  /// Reports to the waiting consumers that the request of one position failed, and ends their wait.
  private mutating func requestFailed(_ reason: String, into actions: inout [Action]) {
    tellAll(
      .failure(CLError(.locationUnknown, reason)), where: { $0.wishes.once }, into: &actions)
    for index in consumers.indices { consumers[index].wishes.once = false }
    said.once = false
    sayDone(into: &actions)
  }

  /// Requests the standard service again for the consumers that only this value resumes.
  private mutating func endPauses() {
    guard consumers.contains(where: \.awaitsMotion) else { return }
    said.standard = nil
    for index in consumers.indices where consumers[index].awaitsMotion {
      consumers[index].isPaused = false
    }
  }

  private mutating func moved(into actions: inout [Action]) {
    endPauses()
    sayWishes(into: &actions)
    let count = consumers.count { $0.wishes.motion }
    guard count > 0 else { return }
    lastTicket += 1
    if state == .background { owesDone = true }
    tellAll(.motion(ticket: lastTicket), where: { $0.wishes.motion }, into: &actions)
    open.append(Open(ticket: lastTicket, numbers: nil, remaining: count))
  }

  private mutating func finishTicket(_ ticket: UInt64, into actions: inout [Action]) {
    guard let index = open.firstIndex(where: { $0.ticket == ticket }) else { return }
    open[index].remaining -= 1
    guard open[index].remaining == 0 else { return }
    let numbers = open.remove(at: index).numbers
    if let numbers { closeDelivery(numbers.upperBound, into: &actions) }
    sayDone(into: &actions)
  }

  /// Closes a delivery that no consumer needs any more: acknowledges it if all before it are finished too.
  private mutating func closeDelivery(_ number: UInt64, into actions: inout [Action]) {
    let waiting =
      open.compactMap(\.numbers?.lowerBound) + held.map(\.number)
      + [gathered.first?.number].compactMap(\.self)
    closed = max(closed, number)
    let reached = waiting.min().map { min($0 - 1, closed) } ?? closed
    if reached > finished {
      finished = reached
      if isGreeted { actions.append(.send(.acknowledge(reached))) }
    }
    giveUpOldest(into: &actions)
  }

  /// Whether all managers leave the end of the work to this value. Without a manager there is nobody who asks for an
  /// end before the budget's, if there is anybody but the object that stands for the app.
  private var endsWorkForManagers: Bool {
    let managers = consumers.compactMap(\.endsWorkItself)
    guard managers.isEmpty else { return !managers.contains(true) }
    return consumers.allSatisfy { $0.id == background.listener }
  }

  private mutating func sayDone(into actions: inout [Action]) {
    guard owesDone, open.isEmpty, isGreeted else { return }
    guard endsWorkForManagers, !consumers.contains(where: \.wishes.keepsWorking) else { return }
    owesDone = false
    actions.append(.send(.done))
  }

  // MARK: Wishes

  private mutating func wants(
    _ id: Int, _ wishes: Wishes, restarts: Bool, into actions: inout [Action]
  ) {
    guard let index = consumers.firstIndex(where: { $0.id == id }) else { return }
    let before = consumers[index].wishes
    consumers[index].wishes = wishes
    if wishes.standard != nil { hasAskedStandard = true }
    if wishes.once { hasAskedOnce = true }
    if wishes.significant {
      hasAskedSignificant = true
      hasDecidedSignificant = true
      isOrphaned = false
    }
    let begins = wishes.standard != nil && before.standard == nil
    if begins { consumers[index].last = nil }
    if begins, said.standard != nil, let latest {
      // The daemon hands its last position only to the first consumer that asks.
      consumers[index].last = latest.fix
      actions.append(
        .hand(.location(latest.fix, received: latest.received, ticket: nil), to: id))
    }
    if wishes.heading != nil && before.heading == nil { beginHeadings(index, into: &actions) }
    let asksForMore = wishes.wantsLocation && (restarts || wishes != before)
    if asksForMore, authorization == .denied || authorization == .restricted {
      actions.append(.hand(.failure(.forbidden), to: id))
      // Denied, it would fail again.
      consumers[index].wishes.once = false
    }
    // The daemon pauses the updates of the whole app: a beginning ends the pause, although the merged wish is the same.
    let isPaused = consumers.contains { $0.isPaused && $0.wishes.standard != nil && $0.id != id }
    if restarts || begins && isPaused { said.standard = nil }
    if wishes.once && !before.once { said.once = false }
    if wishes.visits {
      hasDecidedVisits = true
      keepsVisits = false
    }
    sayWishes(into: &actions)
    releaseHeld(into: &actions)
  }

  /// Sends the differences between the wishes and the requests of this connection. `isAnew`: a welcome that is not the
  /// first, after which stops are sent too, since some may have been lost with the connection.
  mutating func sayWishes(isAnew: Bool = false, into actions: inout [Action]) {
    guard isGreeted else { return }
    var wanted = Wishes.merged(consumers.map(\.wishes))
    wanted.significant = wanted.significant || isOrphaned
    wanted.visits = wanted.visits || keepsVisits
    let mayResume = state != .background || wanted.standard?.allowsBackgroundUpdates == true
    wanted.motion = wanted.motion || mayResume && consumers.contains { $0.awaitsMotion }
    let endsOnce = said.once && !wanted.once
    let lost = isAnew ? begun : Begun()
    begun.note(wishes: wanted)
    if lost.standard || wanted.standard != said.standard || endsOnce && wanted.standard == nil {
      if let request = wanted.standard {
        actions.append(.send(.start(.init(.standard, request))))
      } else {
        actions.append(.send(.stop(.standard)))
        said.once = false
      }
    }
    if wanted.significant != said.significant {
      actions.append(
        .send(wanted.significant ? .start(.init(.significant)) : .stop(.significant)))
    }
    if wanted.once && !said.once {
      actions.append(.send(.requestLocation(accuracy: wanted.onceAccuracy)))
    }
    if lost.motion || owesMotionStop || wanted.motion != said.motion {
      owesMotionStop = false
      actions.append(.send(.monitorMotion(wanted.motion)))
    }
    if lost.heading || wanted.heading != said.heading {
      actions.append(.send(.heading(wanted.heading ?? HeadingRequest(isOn: false))))
    }
    if wanted.heading == nil { latestHeading = nil }
    if wanted.visits != said.visits { actions.append(.send(.monitorVisits(wanted.visits))) }
    said = wanted
  }

  // MARK: Headings

  /// Passes a heading to the consumers that want it. The daemon applies the narrowest filter of all; wider ones are
  /// applied here.
  private mutating func pointed(_ notice: HeadingNotice, into actions: inout [Action]) {
    var heading = notice.heading
    heading.time = heading.time ?? notice.received
    guard let direction = heading.direction else { return }
    latestHeading = heading
    for index in consumers.indices {
      guard let wish = consumers[index].wishes.heading else { continue }
      if let filter = wish.filter, let told = consumers[index].direction,
        Heading.between(direction, told) < filter
      {
        continue
      }
      consumers[index].direction = direction
      actions.append(.hand(.heading(heading), to: consumers[index].id))
    }
  }

  /// Begins the headings of a consumer: it gets the first one, whatever it received before. The daemon sends that only
  /// to the first consumer that asks; others get the newest one here.
  private mutating func beginHeadings(_ index: Int, into actions: inout [Action]) {
    consumers[index].direction = nil
    guard isGreeted, let latestHeading else { return }
    consumers[index].direction = latestHeading.direction
    actions.append(.hand(.heading(latestHeading), to: consumers[index].id))
  }

  // MARK: Deferrals

  // The daemon knows one deferral of an app, and reports the end of each, in the order of the requests: a new one ends
  // the previous one. So the ends are passed to the requesters in that order. The end of a connection ends the deferrals
  // under way.

  private mutating func deferUpdates(
    _ deferral: Deferral?, by id: Int, into actions: inout [Action]
  ) {
    guard isGreeted, deferrals.count < Self.deferralLimit else {
      guard deferral != nil else { return }
      let error = CLError(
        .deferredFailed, "milepostd is not there; ask again when the next location comes")
      return actions.append(.hand(.deferralEnded(error), to: id))
    }
    if deferral != nil { deferrals.append(id) }
    actions.append(.send(.deferUpdates(DeferralRequest(deferral))))
  }

  private mutating func deferralEnded(_ end: Deferral.End, into actions: inout [Action]) {
    guard !deferrals.isEmpty else { return }
    handGathered(into: &actions)
    actions.append(.hand(.deferralEnded(end.error), to: deferrals.removeFirst()))
  }

  /// Ends all deferrals when the connection ends.
  private mutating func dropDeferrals(_ reason: String, into actions: inout [Action]) {
    handGathered(into: &actions)
    for id in deferrals {
      actions.append(.hand(.deferralEnded(CLError(.deferredFailed, reason)), to: id))
    }
    deferrals = []
  }

  // MARK: Visits

  mutating func stopVisits(into actions: inout [Action]) {
    hasDecidedVisits = true
    keepsVisits = false
    sayWishes(into: &actions)
  }

  /// Adopts the visits that an earlier process requested, as the welcome says.
  mutating func keepVisits(_ areMonitored: Bool) {
    said.visits = areMonitored
    if areMonitored, !hasDecidedVisits { keepsVisits = true }
  }
}

extension Wishes {
  fileprivate var keepsWorking: Bool { standard != nil || once }
}

extension SessionMachine.Consumer {
  /// Whether this consumer takes a delivery; remembers it for the distance filter.
  fileprivate mutating func takes(
    _ delivery: Delivery, answers: Bool, pastMerged merged: Double?
  ) -> Bool {
    if delivery.service == .significant { return wishes.significant }
    let isAnswered = wishes.once && answers
    guard let request = wishes.standard else { return isAnswered }
    if let filter = request.distanceFilter, filter > (merged ?? 0), !isAnswered, let last,
      last.coordinate.distance(to: delivery.fix.coordinate) < filter
    {
      return false
    }
    last = delivery.fix
    return true
  }
}
