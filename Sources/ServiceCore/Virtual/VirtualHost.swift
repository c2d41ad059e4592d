// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import Geodesy
package import LocationEngine
package import LocationModel
package import ServiceContract
package import Settings

// Theory
// ======
//
// The shell of a service in virtual time: its processes are values (`VirtualProgram`), started, frozen and
// ended at once; its connections are calls; there is no store, for nothing outlives it. All that it cannot do
// itself (watch a receiver, ask a network, arm a sensor, answer a user) is handed out as `requests`.
//
//   tell(input) ─► service ─► decision ─► effects ─┬─► programs ─► what they say ─► service …
//                                                  └─► requests
//
// It returns when nobody has anything to say any more, at the instant at which it was called.
//
// A program takes no time, and a start is answered at once, with the last position: one that starts anew at
// each answer would hold the instant for ever, where a real process would only be busy. So a program starts
// `startLimit` times at one instant [ours]; what it says from then on is heard a second later.

/// A service, and a host for it whose processes are values.
package struct VirtualHost: Sendable {
  package private(set) var service: LocationService
  /// The service's requests of the world since `takeRequests`.
  private var requests: [ServiceEffect] = []
  /// The deeds of programs past the service, until `nextDeed` hands them out.
  private var deeds: [ProgramDeed] = []
  /// When time alone changes something, of the service or of a program; `nil` where nothing will.
  package private(set) var nextDeadline: EngineInstant?
  /// Those of the decision at hand, and what a program does about one of them; empty in between, for their
  /// memory.
  private var effects: [ServiceEffect] = []
  private var acts: [ProgramAct] = []
  private var slots: [Slot] = []
  private var lastNumber: UInt64 = 0
  private var now: ServiceTime
  private let keepsTranscript: Bool
  private var transcript: [Step] = []

  /// The connection of whoever plays the user.
  private static let user = ClientID(0)

  private struct Slot: Sendable {
    let app: String
    /// Megabytes; `nil` where nobody says.
    let memory: Double?
    /// While it runs.
    var client: ClientID?
    /// Whether its process stands still.
    private(set) var isFrozen = false
    private(set) var programDeadline: EngineInstant?
    private var program: any VirtualProgram
    /// When it started something last, and how often at that instant.
    private var startedAt = EngineInstant.zero
    private var starts = 0
    /// The messages that it has said and that are not heard yet, and when they will be.
    private var held: [ProgramAct] = []
    private(set) var heldUntil: EngineInstant?

    init(app: String, program: any VirtualProgram, memory: Double?) {
      self.app = app
      self.memory = memory
      self.program = program
    }

    var asksHowItStands: Bool { program.asksHowItStands }

    var nextDeadline: EngineInstant? {
      isFrozen ? nil : .earlier(programDeadline, heldUntil)
    }

    /// Has the program do something, and notes when it will do something by itself.
    mutating func run<Result>(_ body: (inout any VirtualProgram) -> Result) -> Result {
      defer { programDeadline = program.nextDeadline }
      return body(&program)
    }

    mutating func freeze(_ freezes: Bool, at now: ServiceTime) {
      guard client != nil, freezes != isFrozen else { return }
      isFrozen = freezes
      run { freezes ? $0.froze(at: now) : $0.thawed(at: now) }
    }

    mutating func end() {
      client = nil
      isFrozen = false
      _ = takeHeld()
      run { $0.end() }
    }

    /// Keeps what it says for later, where it has started too often at this instant, or has something kept
    /// already.
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
      switch start {
      case .say(.start), .say(.requestLocation): break
      default: return false
      }
      if startedAt != now { (startedAt, starts) = (now, 0) }
      starts += 1
      return starts > VirtualHost.startLimit
    }
  }

  private static let startLimit = 16

  /// `keepsTranscript` keeps what `takeTranscript` hands out.
  package init(
    _ beginning: ServiceBeginning, at time: ServiceTime, keepsTranscript: Bool = false
  ) {
    now = time
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

  /// Registers an app, and the program that its process runs, with the megabytes that it holds.
  package mutating func add(
    _ manifest: AppManifest, running program: any VirtualProgram, memory: Double? = nil,
    at time: ServiceTime
  ) {
    slots.append(Slot(app: manifest.name, program: program, memory: memory))
    tell(.manifest(Self.user, .read(manifest, missingProgram: nil), id: nil), at: time)
    // A transcript has all that is said.
    if program.onlyAcknowledges, !keepsTranscript { service.acknowledgesAtOnce(manifest.name) }
  }

  /// Tells the service one thing, and does what follows.
  package mutating func tell(_ input: ServiceInput, at time: ServiceTime) {
    now = time
    give(input, at: time)
    settle()
  }

  /// Tells the service of a fix of the simulated receiver, and does what follows; `frame` is the one around it.
  package mutating func tell(_ fix: Fix, around frame: LocalFrame, at time: ServiceTime) {
    now = time
    if keepsTranscript { transcript.append(.input(.radio(.fix(fix)), time)) }
    service.handle(fix, around: frame, at: time)
    settle()
  }

  /// The user says something, as `milepost apps` would.
  package mutating func user(_ message: ClientMessage, at time: ServiceTime) {
    tell(.client(.message(Self.user, message)), at: time)
  }

  /// Takes what is due: one program's deadline, or the service's.
  package mutating func pass(to time: ServiceTime) {
    now = time
    for index in slots.indices where slots[index].client != nil {
      if let due = slots[index].heldUntil, due <= time.at, !slots[index].isFrozen {
        let acts = slots[index].takeHeld()
        perform(acts, of: index)
        return settle()
      }
      guard let due = slots[index].nextDeadline, due <= time.at else { continue }
      show(standingOf: index)
      let acts = slots[index].run { $0.pass(to: time) }
      perform(acts, of: index)
      return settle()
    }
    tell(.timePassed, at: time)
  }

  /// Hands out what the service asked of the world, and forgets it.
  package mutating func takeRequests() -> [ServiceEffect] {
    guard !requests.isEmpty else { return [] }
    defer { requests.removeAll(keepingCapacity: true) }
    return requests
  }

  /// Whether a program did anything past the service that was not handed out.
  package var hasDeeds: Bool { !deeds.isEmpty }

  /// Hands out the oldest thing that a program did past the service before there were more than so many
  /// decisions, and forgets it.
  package mutating func nextDeed(upTo decisions: Int) -> ProgramDeed? {
    guard let deed = deeds.first, deed.decisions <= decisions else { return nil }
    deeds.removeFirst()
    return deed
  }

  /// Hands out what the engine decided, and forgets it.
  package mutating func takeDecisions() -> [EngineCommand] { service.takeDecisions() }

  /// Hands out what the latest fix came to, where it is in no decision, and forgets it.
  package mutating func takeTold() -> ToldFix? {
    guard case .some = service.told else { return nil }
    defer { service.told = nil }
    return service.told
  }

  /// As the service's.
  package mutating func forgetDecisions() { service.forgetDecisions() }

  /// Changes the service's own switches, such as whether it keeps its decisions.
  package mutating func configure(_ body: (inout LocationService) -> Void) { body(&service) }

  /// Ends all programs without a word: the world is over.
  package mutating func end() {
    for index in slots.indices where slots[index].client != nil {
      slots[index].end()
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
      while let effect = effects.popLast() { perform(effect) }
    }
    nextDeadline = service.nextDeadline
    for index in slots.indices where slots[index].client != nil {
      // By field: a slot is large.
      guard !slots[index].isFrozen else { continue }
      nextDeadline = .earlier(
        nextDeadline, .earlier(slots[index].programDeadline, slots[index].heldUntil))
    }
  }

  private mutating func perform(_ effect: ServiceEffect) {
    switch effect {
    case .send(let message, let client, _):
      guard let index = slots.indices.first(where: { slots[$0].client == client }) else {
        if client == Self.user { requests.append(effect) }
        return
      }
      var acts: [ProgramAct] = []
      swap(&acts, &self.acts)
      show(standingOf: index)
      slots[index].run { [now] in $0.hear(message, at: now, into: &acts) }
      perform(acts, of: index)
      acts.empty()
      swap(&acts, &self.acts)
    case .start(let start): begin(start)
    case .freeze(let app): freeze(app, true)
    case .thaw(let app): freeze(app, false)
    case .end(let app, _): end(app, .signalled(15))
    case .kill(let app): end(app, .signalled(9))
    case .close(let client):
      if let index = slots.firstIndex(where: { $0.client == client }) { end(slots[index].app, nil) }
    case .sink(.take(let batch)):
      guard let last = batch.deliveries.last?.delivery.sequence else { return }
      give(.sink(.took(batch.app, upTo: last)), at: now)
    case .forget, .log, .sink(.close), .sink(.probe), .sink(.regions): break
    case .watch, .connect, .listen, .tellGeoClue, .askNetwork, .askUser, .notifyUser,
      .releaseSocket, .arm, .readSettings,
      .sendLog, .sendHistory:
      requests.append(effect)
    }
  }

  private mutating func show(standingOf index: Int) {
    guard slots[index].asksHowItStands, let id = service.apps.id(of: slots[index].app),
      let standing = service.standing(of: id)
    else { return }
    slots[index].run { $0.stands(standing) }
  }

  private mutating func begin(_ start: ProcessStart) {
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
    slots[index].run { [now] in $0.begin(reason, at: now) }
    give(.client(.connected(client, .socket(pid: pid, group: pid, uid: 0))), at: now)
    give(.client(.message(client, .hello(.init(app: start.app)))), at: now)
  }

  private mutating func freeze(_ app: String, _ freezes: Bool) {
    if let index = slots.firstIndex(where: { $0.app == app }) {
      slots[index].freeze(freezes, at: now)
    }
    give(.process(freezes ? .frozen(app: app) : .thawed(app: app)), at: now)
  }

  /// `nil` where its process ends without the service having started it.
  private mutating func end(_ app: String, _ ending: ProcessEvent.Ending?) {
    guard let index = slots.firstIndex(where: { $0.app == app }), let client = slots[index].client
    else { return }
    slots[index].end()
    give(.client(.disconnected(client)), at: now)
    if let ending { give(.process(.ended(app: app, ending)), at: now) }
  }

  private mutating func perform(_ acts: [ProgramAct], of index: Int) {
    for act in acts {
      if slots[index].holds(act, at: now.at) { continue }
      switch act {
      case .say(let message):
        guard let client = slots[index].client else { return }
        give(.client(.message(client, message)), at: now)
      case .exit(let status): end(slots[index].app, .exited(status: status))
      case .crash: end(slots[index].app, .signalled(Self.abort))
      case .transfer(let up, let down): add(.transfer(up: up, down: down), of: index)
      case .remark(let text): add(.remark(text), of: index)
      }
    }
  }

  /// SIGABRT.
  private static let abort: Int32 = 6

  private mutating func add(_ deed: ProgramDeed.Kind, of index: Int) {
    deeds.append(
      ProgramDeed(app: slots[index].app, kind: deed, decisions: service.decisions.count))
  }
}
