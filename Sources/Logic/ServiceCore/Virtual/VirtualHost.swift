// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import Geodesy
package import LocationEngine
package import LocationModel
package import ServiceContract

// Theory
// ======
//
// The shell of a service in virtual time: its processes are values (`VirtualProgram`), started, frozen and ended at
// once; its connections are calls; there is no store, for nothing outlives it. Everything that it cannot do itself
// (watch a receiver, ask a network, arm a sensor, answer a user) is returned as `requests`.
//
//   tell(input) ─► service ─► decision ─► effects ─┬─► programs ─► what they say ─► service …
//                                                  └─► requests
//
// It returns when no side has anything more to say, at the instant of the call.
//
// A program takes no time, and a start is answered at once, with the last position: a program that starts anew at each
// answer would hold the instant for ever, while a real process would only be busy. So a program starts `startLimit`
// times at one instant [ours]; its further messages are heard a second later.

/// A service, and a host for it whose processes are values.
package struct VirtualHost: Sendable {
  package private(set) var service: LocationService
  /// What the service asked of the world since `takeRequests`.
  private var requests: [ServiceEffect] = []
  /// The deeds of programs past the service, until `nextDeed` returns them.
  private var deeds: [ProgramDeed] = []
  /// The next change by time alone, of the service or of a program; `nil` if there is none.
  package private(set) var nextDeadline: EngineInstant?
  /// The effects of the present decision, and what a program does about one of them; empty in between, to
  /// reuse their memory.
  private var effects: [ServiceEffect] = []
  private var acts: [ProgramAct] = []
  private var slots: [Slot] = []
  private var lastNumber: UInt64 = 0
  private var now: ServiceTime
  private let keepsTranscript: Bool
  private var transcript: [Step] = []
  /// Whether sinks reach their other sides over the network.
  package var reachesSinks = true
  /// The bytes of a batch of so many events to a sink's other side, with what the connection needs.
  private let batchBytes: (@Sendable (Int) -> Int)?

  /// The connection of the played user.
  private static let user = ClientID(0)

  private struct Slot: Sendable {
    let app: String
    /// Megabytes; `nil` if unknown.
    let memory: Double?
    /// While it runs.
    var client: ClientID?
    /// Whether its process is frozen.
    private(set) var isFrozen = false
    private(set) var programDeadline: EngineInstant?
    private var program: any VirtualProgram
    /// The time of its last start, and the number of starts at that instant.
    private var startedAt = EngineInstant.zero
    private var starts = 0
    /// The messages that it has sent and that are not heard yet, and the time at which they will be.
    private var held: [ProgramAct] = []
    private(set) var heldUntil: EngineInstant?

    init(app: String, program: any VirtualProgram, memory: Double?) {
      self.app = app
      self.memory = memory
      self.program = program
    }

    var asksHowItStands: Bool { program.asksHowItStands }
    var onlyAcknowledges: Bool { program.onlyAcknowledges }

    var nextDeadline: EngineInstant? {
      isFrozen ? nil : .earlier(programDeadline, heldUntil)
    }

    /// Runs the program, and notes its next deadline.
    mutating func run<Result>(_ body: (inout any VirtualProgram) -> Result) -> Result {
      defer { programDeadline = program.nextDeadline }
      return body(&program)
    }

    mutating func freeze(_ freezes: Bool, at now: ServiceTime) {
      guard client != nil, freezes != isFrozen else { return }
      isFrozen = freezes
      run { freezes ? $0.froze(at: now) : $0.thawed(at: now) }
    }

    mutating func endProcess() {
      client = nil
      isFrozen = false
      _ = takeHeld()
      run { $0.endProcess() }
    }

    /// Keeps its messages for later, if it has started too often at this instant, or has some kept already.
    mutating func holds(_ act: ProgramAct, at now: EngineInstant) -> Bool {
      guard heldUntil != nil || isTooBusy(to: act, at: now) else { return false }
      held.append(act)
      heldUntil = heldUntil ?? now.advanced(bySeconds: 1)
      return true
    }

    mutating func takeHeld() -> [ProgramAct] {
      defer { (held, heldUntil) = ([], nil) }
      return held
    }

    private mutating func isTooBusy(to start: ProgramAct, at now: EngineInstant) -> Bool {
      guard case .say(.app(let message)) = start, message.startsAnswers else { return false }
      if startedAt != now { (startedAt, starts) = (now, 0) }
      starts += 1
      return starts > VirtualHost.startLimit
    }
  }

  private static let startLimit = 16

  /// `keepsTranscript` keeps the steps for `takeTranscript`. Without `batchBytes` what sinks send has no size.
  package init(
    _ beginning: ServiceBeginning, at time: ServiceTime, keepsTranscript: Bool = false,
    batchBytes: (@Sendable (Int) -> Int)? = nil
  ) {
    now = time
    self.batchBytes = batchBytes
    self.keepsTranscript = keepsTranscript
    service = LocationService(beginning, at: time)
    give(.began(adopted: []), at: time)
    give(.client(.connected(Self.user, .socket(pid: 0, group: nil, uid: 0))), at: time)
    settle()
    requests = []
  }

  /// The inputs and decisions since the last time, for a recording.
  package mutating func takeTranscript() -> [Step] {
    defer { transcript.removeAll() }
    return transcript
  }

  /// One line of a transcript.
  package enum Step: Sendable {
    case input(ServiceInput, ServiceTime)
    case decision(StoreChange?, LocationService.CommitOutcome, [ServiceEffect])
  }

  private mutating func give(_ input: ServiceInput, at time: ServiceTime) {
    if keepsTranscript { transcript.append(.input(input, time)) }
    service.handle(input, at: time)
  }

  /// Registers an app, and the program of its process, with its memory in megabytes.
  package mutating func addApp(
    _ manifest: AppManifest, running program: any VirtualProgram, memory: Double? = nil,
    at time: ServiceTime
  ) {
    slots.append(Slot(app: manifest.name, program: program, memory: memory))
    tellService(.manifest(Self.user, .read(manifest, missingProgram: nil), id: nil), at: time)
  }

  /// Gives the service one input, and performs the effects.
  package mutating func tellService(_ input: ServiceInput, at time: ServiceTime) {
    now = time
    give(input, at: time)
    settle()
  }

  /// Gives the service a fix of the simulated receiver, and performs the effects; `frame` is the one around it.
  package mutating func tellService(of fix: Fix, around frame: LocalFrame, at time: ServiceTime) {
    now = time
    if keepsTranscript { transcript.append(.input(.radio(.fix(fix)), time)) }
    service.handle(fix: fix, around: frame, at: time)
    settle()
  }

  /// Passes over fixes of the simulated receiver of which no program need be told, as the service defines it; returns
  /// their number.
  package mutating func passOver(_ fixes: ArraySlice<TrackedFixes.Element>) -> Int {
    service.passOver(fixes)
  }

  /// Whether fixes may be passed over now.
  package mutating func mayPassOver() -> Bool {
    // A transcript has all inputs.
    !keepsTranscript && slots.count == 1 && slots[0].onlyAcknowledges && service.mayPassOver()
  }

  /// Sends a message of the user, as `milepost apps` would.
  package mutating func user(_ message: ClientMessage, at time: ServiceTime) {
    tellService(.client(.message(Self.user, message)), at: time)
  }

  /// Takes the due deadlines: one program's, or the service's.
  package mutating func pass(to time: ServiceTime) {
    now = time
    for index in slots.indices where slots[index].client != nil {
      if let due = slots[index].heldUntil, due <= time.at, !slots[index].isFrozen {
        let acts = slots[index].takeHeld()
        perform(acts: acts, of: index)
        return settle()
      }
      guard let due = slots[index].nextDeadline, due <= time.at else { continue }
      show(standingOf: index)
      let acts = slots[index].run { $0.pass(to: time) }
      perform(acts: acts, of: index)
      return settle()
    }
    tellService(.timePassed, at: time)
  }

  /// Returns the service's requests to the world, and forgets them.
  package mutating func takeRequests() -> [ServiceEffect] {
    guard !requests.isEmpty else { return [] }
    defer { requests.removeAll(keepingCapacity: true) }
    return requests
  }

  /// Whether a program's deed past the service was not returned yet.
  package var hasDeeds: Bool { !deeds.isEmpty }

  /// Returns the oldest deed of a program past the service from before there were more than `decisions` decisions,
  /// and forgets it.
  package mutating func nextDeed(upTo decisions: Int) -> ProgramDeed? {
    guard let deed = deeds.first, deed.decisions <= decisions else { return nil }
    deeds.removeFirst()
    return deed
  }

  /// Returns the engine's decisions, and forgets them.
  package mutating func takeDecisions() -> [EngineCommand] { service.decisions.takeDecisions() }

  /// Like the service's.
  package mutating func forgetDecisions() { service.decisions.forgetDecisions() }

  /// Changes the service's own switches, such as whether it keeps its decisions.
  package mutating func configure(_ body: (inout LocationService) -> Void) { body(&service) }

  /// Ends all programs without notice: the world is over.
  package mutating func endPrograms() {
    for index in slots.indices where slots[index].client != nil {
      slots[index].endProcess()
    }
  }

  // MARK: Effects

  private mutating func settle() {
    while let decision = service.decide() {
      if keepsTranscript {
        let change = decision.change
        service.addEffects(of: decision, after: .noStore, to: &effects)
        transcript.append(.decision(change, .noStore, effects))
      } else {
        service.addEffects(of: decision, after: .noStore, to: &effects)
      }
      effects.reverse()
      while let effect = effects.popLast() { perform(effect: effect) }
    }
    nextDeadline = service.nextDeadline
    for index in slots.indices where slots[index].client != nil {
      // By field: a slot is large.
      guard !slots[index].isFrozen else { continue }
      nextDeadline = .earlier(
        nextDeadline, .earlier(slots[index].programDeadline, slots[index].heldUntil))
    }
  }

  private mutating func perform(effect: ServiceEffect) {
    switch effect {
    case .send(let message, let client, _):
      guard let index = slots.indices.first(where: { slots[$0].client == client }) else {
        if client == Self.user { requests.append(effect) }
        return
      }
      var acts: [ProgramAct] = []
      swap(&acts, &self.acts)
      show(standingOf: index)
      slots[index].run { [now] in $0.hear(message: message, at: now, into: &acts) }
      perform(acts: acts, of: index)
      acts.empty()
      swap(&acts, &self.acts)
    case .start(let start): beginProcess(start)
    case .freeze(let app): freeze(app, true)
    case .thaw(let app): freeze(app, false)
    case .end(let app, _): endProcess(of: app, .signalled(15))
    case .kill(let app): endProcess(of: app, .signalled(9))
    case .close(let client):
      if let index = slots.firstIndex(where: { $0.client == client }) {
        endProcess(of: slots[index].app, nil)
      }
    case .sink(.take(let batch)): handToSink(batch)
    case .forget, .log, .sink(.close), .sink(.recall), .sink(.probe), .sink(.regions): break
    case .watch, .connect, .listen, .tellGeoClue, .askNetwork, .askUser, .notifyUser,
      .releaseSocket, .arm, .readSettings,
      .sendLog, .sendHistory:
      requests.append(effect)
    }
  }

  /// The other side takes all of it at once, if it is reached.
  private mutating func handToSink(_ batch: SinkBatch) {
    guard let last = batch.deliveries.last?.delivery.sequence else { return }
    let needsNetwork = batch.sink.needsNetwork
    guard reachesSinks || !needsNetwork else {
      let reason = "there is no network"
      return give(
        .sink(.failed(batch.app, upTo: last, reason: reason, fault: .later(after: nil))), at: now)
    }
    let positions = batch.deliveries.reduce(0) { $0 + $1.positions.count }
    let bytes = needsNetwork ? batchBytes?(positions) : nil
    if let index = slots.firstIndex(where: { $0.app == service.name(of: batch.app) }) {
      record(deed: .sent(batch.deliveries, bytes: bytes ?? 0), of: index)
    }
    let traffic = bytes.map { SinkTraffic(up: $0, down: 0) }
    give(.sink(.took(batch.app, upTo: last, traffic: traffic)), at: now)
  }

  private mutating func show(standingOf index: Int) {
    guard slots[index].asksHowItStands, let id = service.appID(of: slots[index].app),
      let standing = AppStanding(of: id, service.engine, at: service.now)
    else { return }
    slots[index].run { $0.stands(standing) }
  }

  private mutating func beginProcess(_ start: ProcessStart) {
    guard let index = slots.firstIndex(where: { $0.app == start.app }) else {
      return give(
        .process(.failedToStart(app: start.app, reason: "there is no such program")), at: now)
    }
    lastNumber += 1
    let client = ClientID(lastNumber)
    let pid = Int32(truncatingIfNeeded: lastNumber)
    slots[index].client = client
    give(.process(.started(app: start.app, pid: pid)), at: now)
    if let memory = slots[index].memory {
      give(.process(.usesMemory(app: start.app, megabytes: memory)), at: now)
    }
    let reason = start.environment["MILEPOST_LAUNCH_REASON"].flatMap(WakeReason.init(rawValue:))
    slots[index].run { [now] in $0.beginProcess(reason, at: now) }
    give(.client(.connected(client, .socket(pid: pid, group: pid, uid: 0))), at: now)
    give(.client(.message(client, .hello(.init(app: start.app)))), at: now)
  }

  private mutating func freeze(_ app: String, _ freezes: Bool) {
    if let index = slots.firstIndex(where: { $0.app == app }) {
      slots[index].freeze(freezes, at: now)
    }
    give(.process(freezes ? .frozen(app: app) : .thawed(app: app)), at: now)
  }

  /// `nil` if its process ends without the service having started it.
  private mutating func endProcess(of app: String, _ ending: ProcessEvent.Ending?) {
    guard let index = slots.firstIndex(where: { $0.app == app }), let client = slots[index].client
    else { return }
    slots[index].endProcess()
    give(.client(.disconnected(client)), at: now)
    if let ending { give(.process(.ended(app: app, ending)), at: now) }
  }

  private mutating func perform(acts: [ProgramAct], of index: Int) {
    for act in acts {
      if slots[index].holds(act, at: now.at) { continue }
      switch act {
      case .say(let message):
        guard let client = slots[index].client else { return }
        give(.client(.message(client, message)), at: now)
      case .exit(let status): endProcess(of: slots[index].app, .exited(status: status))
      case .crash: endProcess(of: slots[index].app, .signalled(Self.abort))
      case .transfer(let up, let down): record(deed: .transfer(up: up, down: down), of: index)
      case .issueDownload(let bytes): record(deed: .issueDownload(bytes: bytes), of: index)
      case .remark(let text): record(deed: .remark(text), of: index)
      }
    }
  }

  /// SIGABRT.
  private static let abort: Int32 = 6

  private mutating func record(deed: ProgramDeed.Kind, of index: Int) {
    deeds.append(
      ProgramDeed(app: slots[index].app, kind: deed, decisions: service.decisions.commands.count))
  }
}

extension ClientMessage.App {
  /// Whether the service may answer it with a position at once.
  fileprivate var startsAnswers: Bool {
    switch self {
    case .start, .requestLocation: true
    case .stop, .monitorMotion, .requestAuthorization, .acknowledge, .done, .monitorRegion,
      .stopMonitoringRegion, .requestRegionState, .monitorVisits, .heading, .deferUpdates:
      false
    }
  }
}
