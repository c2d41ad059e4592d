// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// A machine reads its own state, its input and this, and adds what it wants:
//
//   machine A ──► consequences ──► LocationService ──► engine, machine B, logs …  each with all its own consequences
//                                                       before the next one
//             └─► intents: for after the commit
//
// Lines and intents of a machine that wants nothing else before them are written at once; behind a wish they wait for
// their turn: the lines of the engine's commands come first.

/// One step of the service: what each machine reads besides its own state and its input, and what it wants.
struct Step: Sendable {
  /// The time of the present input.
  var now: ServiceTime
  /// The beginning of the service, in UTC by the host's present clock, even if it was set since then.
  var startedAt: ServiceTime
  var settings: ServiceSettings
  let host: ServiceHost
  var phase = LocationService.Phase.beginning
  var apps: AppRegistry
  /// Ports for gpsd clients and programs that ask GeoClue: they count as apps too.
  var guests = 0
  var ledger: Ledger
  /// What the store has to commit before.
  var intents: [Intent] = []
  /// In the order in which they are to be performed, from `base` on; before it those that wait.
  private var consequences: [Consequence] = []
  private var base = 0

  init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    now = time
    startedAt = time
    settings = beginning.settings
    apps = AppRegistry(in: beginning.settings.rules.era)
    host = beginning.host
    ledger = Ledger(beginning, at: time)
  }

  // MARK: What is wanted

  mutating func want(_ order: AppOrder) { consequences.append(.apps(order)) }
  mutating func want(_ order: Clients.Order) { consequences.append(.clients(order)) }
  mutating func want(_ order: Processes.Order) { consequences.append(.processes(order)) }
  mutating func want(_ order: Outboxes.Order) { consequences.append(.outboxes(order)) }
  mutating func want(_ order: Sinks.Order) { consequences.append(.sinks(order)) }
  mutating func want(_ order: World.Order) { consequences.append(.world(order)) }
  mutating func want(_ order: ServiceOrder) { consequences.append(.service(order)) }

  mutating func tellEngine(_ input: EngineInput) { consequences.append(.engine(input)) }

  mutating func intend(_ intent: Intent) {
    if isClear { intents.append(intent) } else { consequences.append(.intent(intent)) }
  }

  mutating func answer(_ client: ClientID, _ message: ServerMessage, _ request: String? = nil) {
    intend(.answer(client, message, id: request))
  }

  mutating func refuse(
    _ client: ClientID, _ code: ServerMessage.ErrorCode, _ text: String, _ request: String?
  ) {
    answer(client, .error(code: code, text), request)
  }

  /// Answers a change that must outlive the service: if it does not, that is reported first.
  mutating func answerChange(_ client: ClientID, _ message: ServerMessage, _ request: String?) {
    intend(.warnUnstored(client, id: request))
    answer(client, message, request)
  }

  // MARK: Lines

  /// One line in the app's log, and in the journal.
  mutating func note(_ id: AppID?, _ kind: String, _ text: String) {
    guard isClear else { return consequences.append(.note(id, kind: kind, text)) }
    guard !Self.isPort(id) else { return }
    record(id, kind, text)
    let name = id.flatMap { apps.name(of: $0) }
    journal(.info, "\(name.map { $0 + ": " } ?? "")\(text)")
  }

  /// One line in the app's log only, or with `nil` in that of the service.
  mutating func record(_ id: AppID?, _ kind: String, _ text: String) {
    guard isClear else { return consequences.append(.record(id, kind: kind, text)) }
    let row = LogRow(app: id, at: now.utc, kind: kind, text: text)
    ledger.addRows { $0.log.append(row) }
  }

  mutating func journal(_ level: LogLevel, _ text: String) {
    intend(.effect(.log(level, text)))
  }

  /// Keeps one entry of the history.
  mutating func remember(
    _ kind: History.Entry.Kind, _ id: AppID? = nil, _ word: String? = nil, _ text: String? = nil,
    since: UTCInstant? = nil
  ) {
    guard !Self.isPort(id) else { return }
    let entry = History.Entry(
      at: now.utc, kind: kind, app: id.flatMap { apps.name(of: $0) }, word: word, text: text,
      since: since)
    if isClear { ledger.remember(entry) } else { consequences.append(.remember(entry)) }
  }

  private static func isPort(_ id: AppID?) -> Bool {
    id.map { $0.number >= GPSDListenerApp.firstID } ?? false
  }

  // MARK: Time

  /// Takes the time of an input; the engine's axis never goes back.
  mutating func advance(to time: ServiceTime) {
    now = ServiceTime(at: max(time.at, now.at), utc: time.utc)
  }

  /// Takes the time of an input; returns by how much the host's clock was set before it, if it was.
  mutating func follow(time: ServiceTime) -> ClockStep? {
    let clockStep = host.hasStore ? ClockStep(from: now, to: time) : nil
    advance(to: time)
    guard let clockStep else { return nil }
    startedAt.utc = clockStep.corrected(startedAt.utc)
    ledger.follow(clockStep: clockStep, at: now.at)
    note(nil, "clock", clockStep.words)
    return clockStep
  }

  /// The instant of a time in UTC, by the present clock.
  func instant(of utc: UTCInstant) -> EngineInstant {
    now.at.advanced(bySeconds: max(0, UTCInstant.seconds(from: now.utc, to: utc)))
  }

  /// Tells of the time that nobody watched, of which `last` is the youngest event, and of faults of the database.
  mutating func begin(
    after gap: EngineClock.Gap?, last: UTCInstant?, _ storeWarnings: [String]
  ) {
    if let gap {
      // The stored moment is that of the last checkpoint; an event that still waits may be younger.
      let text = LogWords.text(gap: gap, notBefore: last)
      note(nil, "gap", text)
      let began = gap.hasClockGoneBack ? gap.beganUTC : max(gap.fromUTC, last ?? gap.fromUTC)
      remember(.unwatched, nil, nil, text, since: began)
    }
    for line in storeWarnings { record(nil, "warning", line) }
  }

  /// The service ends: its apps have `seconds` for their own ends. Returns whether it had not been told before.
  mutating func stop(after seconds: Double) -> Bool {
    guard !phase.isStopping else { return false }
    phase = .stopping(until: now.at.advanced(bySeconds: seconds + 2 * Processes.grace))
    journal(.notice, "stopping: apps are told and ended")
    return true
  }

  // MARK: The service's side

  /// Whether nothing is wanted that would have to come first.
  private var isClear: Bool { consequences.count == base }

  /// Performs what is wanted, each with all that it wants before the next one.
  mutating func beginConsequences() -> Int? {
    guard !isClear else { return nil }
    consequences[base...].reverse()
    return base
  }

  /// The next one wanted from `start` on, which begins with nothing wanted; `nil` if there is none.
  mutating func next(from start: Int) -> Consequence? {
    base = start
    guard consequences.count > start, let next = consequences.popLast() else { return nil }
    base = consequences.count
    return next
  }
}
