// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory of operation
// ===================
//
//            listen            opened            hello                owner           modems
//   resting ───────► greeting ────────► greeting ──────► onBus(absent) ─────► looking ───────┐
//      ▲                 ▲  │ failed                        ▲  ▲  NameOwnerChanged           │
//      │                 │  ▼                               │  └────────── any of these      │
//      │               waiting ◄── the bus is lost ── any   │                                ▼
//      │  listen off   1, 2, 4 … 300 s                idle ◄┴─ none fits ──────────── settingUp
//      └── leaving ◄── restores what was set up                                      │      │ refused
//            2 s at most                             following ◄──── done, or told ──┘      ▼
//                                                        └──────────── disabled ────► blocked
//
// A modem reports its cells by `PropertiesChanged` of its `Location` while `Setup` has enabled source 1 and signals. If
// that is already the case, nothing is set up: so a machine on which root did it once needs no permission for us.
// Sources that others enabled stay. Our changes are reverted when there is no listener any more: source 1 is removed if
// it was not there before, and signals are restored. If this process is killed they stay, and the next one finds them
// so.
//
// One modem is followed: the first by path that knows cells. A second one would only double the wakes.
//
// We never start ModemManager (no auto-start): it probes serial ports when it starts, and one of them may be the
// receiver's.
//
// Signals are accepted only from ModemManager's unique name; any program on the bus may send us one.
//
// Nothing here wakes by itself while a modem is followed, absent or refused: timers run only for an expected answer,
// for the next attempt to reach a lost bus, and for leaving. The subscribed signals are those of the location, of a
// modem's state (`StateChanged`, not its properties, which hold the signal's strength), of its registration, of modems
// that come and go, and of ModemManager.
//
// Odd cases:
// - A border: country and network change separately from the cell, and give two events.
// - No network: the dictionary loses its key 1; that is no cell and no event, and the previous cell stays the
//   reference.
// - Trouble, or another modem: the next cell is a first one, even if it is the same, so that the
//   listener learns that cells are reported again.
// - A disabled modem loses its sources; when it is enabled again it is set up again.
// - Another program switches signals off: that is reported, and not changed back until listening begins anew or the
//   modem's state changes.
// - Listening begins again during leaving: the leaving is finished first.
// - ModemManager restarts: the new one does not know the setup, and its state is the one to restore.
//
// Sources: ModemManager's introspection/*.xml and src/mm-iface-modem-location.c, release 1.20; the
// D-Bus specification for `Hello`, `AddMatch`, `GetNameOwner`, `NameOwnerChanged`, `ObjectManager`.

/// Decides when to connect, what to ask, and what to report: all that needs no bus.
struct ModemMachine: Sendable, Equatable {
  /// The time limit of an answer to `Hello`, seconds.
  static let greetingTime = 10.0
  /// The time limit of any other answer, seconds; polkit may show a prompt.
  static let answerTime = 60.0
  /// The time limit of restoring the setup, seconds.
  static let leavingTime = 2.0

  enum Input: Sendable, Equatable {
    case listen(Bool)
    case opened
    /// The bus cannot be reached, or has gone.
    case failed(String)
    case answer(BusAnswer, to: BusCall)
    case signal(BusSignal, from: String)
    case timePassed
  }

  enum Action: Sendable, Equatable {
    case open
    case close
    case send(BusCall)
    case say(ModemEvent)
  }

  enum State: Sendable, Equatable {
    /// There is no listener and no connection.
    case resting
    /// Waits for the next attempt.
    case waiting(until: Double)
    /// Waits for the bus's answer.
    case greeting(until: Double)
    /// On the bus, without ModemManager.
    case absent
    /// The list of modems was requested.
    case looking(until: Double)
    /// ModemManager is there, but no useful modem.
    case idle
    case settingUp(until: Double)
    /// The modem is there and cannot be followed now.
    case blocked
    case following
    /// The setup is being put back.
    case leaving(until: Double)
  }

  /// The modem whose cells are reported.
  struct Followed: Sendable, Equatable {
    var record: ModemRecord
    /// Its setup when it was found.
    let before: LocationSetup
    /// Whether we have requested another setup.
    var isOurs = false

    var setup: LocationSetup { record.location?.setup ?? before }

    /// The setup to restore; `nil` if there is none.
    var restored: LocationSetup? {
      guard isOurs else { return nil }
      var sources = setup.sources
      if before.sources & LocationSetup.cells == 0 { sources &= ~LocationSetup.cells }
      let wanted = LocationSetup(sources: sources, signals: before.signals)
      return wanted == setup ? nil : wanted
    }
  }

  private(set) var state = State.resting
  private(set) var isWanted = false
  private var owner: String?
  private(set) var modem: Followed?
  private var cell: CellIdentity?
  private var trouble: ModemEvent.Trouble?
  /// Before the next attempt to reach the bus.
  private var waits = Backoff(first: 1, longest: 300)
  private var greetedAt: Double?
  /// Whether the modems must be listed again after the expected answer.
  private var looksAgain = false

  /// The next deadline, seconds of the caller's clock.
  var deadline: Double? {
    switch state {
    case .waiting(let until), .greeting(let until), .looking(let until), .settingUp(let until),
      .leaving(let until):
      until
    case .resting, .absent, .idle, .blocked, .following: nil
    }
  }

  mutating func handle(_ input: Input, at now: Double) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .listen(let isOn): listen(isOn, at: now, &actions)
    case .opened:
      guard case .greeting = state else { break }
      actions.append(.send(.hello))
    case .failed(let reason): failed(reason, at: now, &actions)
    case .answer(let answer, let call): answered(answer, to: call, at: now, &actions)
    case .signal(let signal, let sender): heard(signal, from: sender, at: now, &actions)
    case .timePassed: timePassed(at: now, &actions)
    }
    return actions
  }

  // MARK: Listening

  private mutating func listen(_ isOn: Bool, at now: Double, _ actions: inout [Action]) {
    guard isOn != isWanted else { return }
    isWanted = isOn
    if isOn {
      if state == .resting { open(at: now, &actions) }
      return
    }
    cell = nil
    trouble = nil
    switch state {
    case .resting, .leaving: break
    case .following, .settingUp, .blocked, .idle, .looking:
      guard let modem, let restored = modem.restored else { return leave(at: now, &actions) }
      actions.append(.send(.setup(path: modem.record.path, restored)))
      state = .leaving(until: now + Self.leavingTime)
    case .waiting, .greeting, .absent: leave(at: now, &actions)
    }
  }

  /// Ends the connection; begins anew if there is a listener again.
  private mutating func leave(at now: Double, _ actions: inout [Action]) {
    if case .waiting = state {} else { actions.append(.close) }
    forgetModem()
    state = .resting
    waits.succeeded()
    if isWanted { open(at: now, &actions) }
  }

  private mutating func open(at now: Double, _ actions: inout [Action]) {
    state = .greeting(until: now + Self.greetingTime)
    greetedAt = nil
    actions.append(.open)
  }

  private mutating func forgetModem() {
    owner = nil
    modem = nil
    looksAgain = false
  }

  private mutating func failed(_ reason: String, at now: Double, _ actions: inout [Action]) {
    guard state != .resting else { return }
    if case .waiting = state { return }
    actions.append(.close)
    lose("the bus is gone", &actions)
    forgetModem()
    guard isWanted else {
      state = .resting
      return
    }
    // A bus that answers and goes at once does not count: only one that stayed for a while resets the wait.
    if let greetedAt, now - greetedAt >= 60 { waits.succeeded() }
    let wait = waits.failed()
    state = .waiting(until: now + wait)
    if case .noBus = trouble { return }
    complain(.noBus(reason: reason, retryAfter: wait), &actions)
  }

  private mutating func timePassed(at now: Double, _ actions: inout [Action]) {
    guard let deadline, deadline <= now else { return }
    switch state {
    case .waiting: open(at: now, &actions)
    case .greeting: failed("no answer within \(Int(Self.greetingTime)) s", at: now, &actions)
    case .leaving: leave(at: now, &actions)
    case .looking:
      state = .idle
      complain(.refused("it does not answer; restart its service"), &actions)
    case .settingUp:
      state = .blocked
      complain(.refused("it does not answer; restart its service"), &actions)
    case .resting, .absent, .idle, .blocked, .following: break
    }
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: BusAnswer, to call: BusCall, at now: Double, _ actions: inout [Action]
  ) {
    switch state {
    case .leaving:
      // The answer to an earlier setup may still come; it is not the expected one.
      if case .setup(_, let setup) = call, !setup.tellsCells { leave(at: now, &actions) }
      return
    case .resting, .waiting: return
    case .greeting, .absent, .looking, .idle, .settingUp, .blocked, .following: break
    }
    switch (call, answer) {
    case (.hello, .refused(let name, let text)), (.match, .refused(let name, let text)):
      failed("\(name): \(text)", at: now, &actions)
    case (.hello, _):
      guard case .greeting = state else { break }
      greetedAt = now
      actions += Self.matches.map { .send(.match($0)) } + [.send(.owner)]
      state = .absent
    case (.owner, .owner(let name)) where state == .absent:
      owner = name
      look(at: now, &actions)
    case (.owner, .refused) where state == .absent: complain(.noModemManager, &actions)
    case (.modems, .modems(let records)): found(records, at: now, &actions)
    case (.modems, .refused(let name, let text)):
      guard case .looking = state else { break }
      state = .idle
      complain(Self.trouble(name, text, of: "its modems"), &actions)
    case (.setup(let path, let setup), _) where path == modem?.record.path:
      guard case .settingUp = state, setup.tellsCells else { break }
      if case .refused(let name, let text) = answer {
        refused(name, text, &actions)
      } else {
        modem?.record.location?.setup = setup
        followModem()
        actions.append(.send(.location(path: path)))
      }
    case (.location(let path), .location(let text)) where path == modem?.record.path:
      if state == .following { camps(at: text, &actions) }
    case (.match, _), (.owner, _), (.modems, _), (.setup, _), (.location, _): break
    }
  }

  private mutating func refused(_ name: String, _ text: String, _ actions: inout [Action]) {
    guard let record = modem?.record else { return }
    state = .blocked
    let new = Self.trouble(name, text, of: record.title)
    // Permission is checked before anything is done. Otherwise the setup may be partial (signals
    // are switched before sources), and the visible part is reverted later.
    if case .notAllowed = new { modem?.isOurs = false }
    if name.hasSuffix(".WrongState") {
      complain(.notReady(modem: record.title, state: record.state), &actions)
    } else {
      complain(new, &actions)
    }
  }

  private static func trouble(_ name: String, _ text: String, of title: String)
    -> ModemEvent.Trouble
  {
    let isForbidden = [".AccessDenied", ".Unauthorized", ".AuthFailed"].contains {
      name.hasSuffix($0)
    }
    return isForbidden ? .notAllowed(modem: title) : .refused(text.isEmpty ? name : text)
  }

  // MARK: Modems

  private mutating func look(at now: Double, _ actions: inout [Action]) {
    switch state {
    case .looking: looksAgain = true
    case .resting, .waiting, .greeting, .leaving: break
    case .absent, .idle, .settingUp, .blocked, .following:
      state = .looking(until: now + Self.answerTime)
      actions.append(.send(.modems))
    }
  }

  private mutating func found(
    _ records: [ModemRecord], at now: Double, _ actions: inout [Action]
  ) {
    guard case .looking = state else { return }
    state = .idle
    if looksAgain {
      looksAgain = false
      return look(at: now, &actions)
    }
    let known = records.first { $0.path == modem?.record.path && $0.knowsCells }
    guard let record = known ?? records.first(where: \.knowsCells) else {
      lose("the modem is gone", &actions)
      modem = nil
      guard let first = records.first else { return complain(.noModem, &actions) }
      let isWaiting = first.state.rawValue < 3 && first.state.rawValue != 0
      return complain(
        isWaiting
          ? .notReady(modem: first.title, state: first.state) : .noCells(modem: first.title),
        &actions)
    }
    if known == nil {
      lose("the modem is gone", &actions)
      let setup = record.location?.setup ?? LocationSetup(sources: 0, signals: false)
      modem = Followed(record: record, before: setup)
      actions.append(.say(.modem(present: true, words: "\(record.title) is there")))
    } else {
      modem?.record = record
    }
    setUp(at: now, &actions)
    if state == .following { camps(at: record.location?.text, &actions) }
  }

  /// Makes the modem report its cells.
  private mutating func setUp(at now: Double, _ actions: inout [Action]) {
    guard let modem else { return }
    if modem.setup.tellsCells { return followModem() }
    guard modem.record.state.isEnabled else {
      state = .blocked
      return complain(
        .notReady(modem: modem.record.title, state: modem.record.state), &actions)
    }
    let wanted = LocationSetup(
      sources: modem.setup.sources | LocationSetup.cells, signals: true)
    self.modem?.isOurs = true
    state = .settingUp(until: now + Self.answerTime)
    actions.append(.send(.setup(path: modem.record.path, wanted)))
  }

  private mutating func followModem() {
    state = .following
    trouble = nil
  }

  /// Reports that a modem is no longer there.
  private mutating func lose(_ words: String, _ actions: inout [Action]) {
    cell = nil
    guard modem != nil else { return }
    actions.append(.say(.modem(present: false, words: words)))
  }

  private func isFollowed(_ path: String) -> Bool { path == modem?.record.path }

  // MARK: Signals

  private mutating func heard(
    _ signal: BusSignal, from sender: String, at now: Double, _ actions: inout [Action]
  ) {
    switch state {
    case .resting, .waiting, .greeting, .leaving: return
    case .absent, .looking, .idle, .settingUp, .blocked, .following: break
    }
    if case .owner(let name) = signal {
      guard sender == BusName.bus else { return }
      lose("ModemManager is gone", &actions)
      forgetModem()
      owner = name
      state = .absent
      if name == nil { complain(.noModemManager, &actions) } else { look(at: now, &actions) }
      return
    }
    guard sender == owner else { return }
    switch signal {
    case .owner: break
    case .modems: look(at: now, &actions)
    case .location(let path, let change) where isFollowed(path): changed(change, &actions)
    case .state(let path, let new): entered(new, path, at: now, &actions)
    case .registration(let path, let registration) where isFollowed(path):
      guard registration != modem?.record.registration else { break }
      modem?.record.registration = registration
      let title = modem?.record.title ?? ""
      actions.append(.say(.modem(present: true, words: "\(title) is \(registration.words)")))
    case .location, .registration: break
    }
  }

  private mutating func changed(_ change: LocationChange, _ actions: inout [Action]) {
    if let sources = change.sources { modem?.record.location?.setup.sources = sources }
    if let signals = change.signals { modem?.record.location?.setup.signals = signals }
    let tells = modem?.setup.tellsCells == true
    if state == .blocked && tells { followModem() }
    if state == .following && !tells {
      state = .blocked
      complain(.switchedOff(modem: modem?.record.title ?? ""), &actions)
    }
    guard let text = change.text else { return }
    switch state {
    case .following, .settingUp: camps(at: text, &actions)
    case .resting, .waiting, .greeting, .absent, .looking, .idle, .blocked, .leaving: break
    }
  }

  private mutating func entered(
    _ new: ModemState, _ path: String, at now: Double, _ actions: inout [Action]
  ) {
    guard isFollowed(path), let old = modem?.record.state else {
      // A useless modem may be useful now: a SIM card was unlocked.
      if modem == nil { look(at: now, &actions) }
      return
    }
    modem?.record.state = new
    if new.isEnabled && !old.isEnabled && state == .blocked {
      setUp(at: now, &actions)
    } else if !new.isEnabled && old.isEnabled {
      if case .looking = state { return }
      state = .blocked
      complain(.notReady(modem: modem?.record.title ?? "", state: new), &actions)
    }
  }

  private mutating func camps(at text: String?, _ actions: inout [Action]) {
    guard let text else { return }
    guard let new = CellIdentity(locationText: text) else {
      if case .badLocation = trouble { return }
      return complain(.badLocation(String(text.prefix(40))), &actions)
    }
    guard new != cell else { return }
    actions.append(.say(.cell(new, previous: cell)))
    cell = new
  }

  /// Reports a trouble, once until it is over.
  private mutating func complain(_ new: ModemEvent.Trouble, _ actions: inout [Action]) {
    if case .badLocation = new {} else { cell = nil }
    guard isWanted, new != trouble else { return }
    trouble = new
    actions.append(.say(.trouble(new)))
  }
}
