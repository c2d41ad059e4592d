// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import Geodesy
package import LocationEngine
package import LocationModel
package import RadioPower
import RadioWorld
import Scenarios
import Scoring
import ServiceContract
package import ServiceCore

// Theory
// ======
//
// A run is one app's whole life over the trace: the service, as the daemon runs it, on a virtual host, with a simulated
// radio. The world comes as one sample a second (or one stride of a long leg, `Stride`), the same for all runs; between
// two samples the run jumps from deadline to deadline. The receiver alone stands between truth and service: if off, it
// yields nothing.
//
//   take(sample):  deadlines up to the sample  →  cell, motion, receiver  →  service  →  its decisions
//
// Seconds in which none of this can happen are passed over (`Run+Seconds`): the truth alone goes on.
//
// The run decides nothing about the app: it carries out the service's requests to the radios (`requests`), plays the
// user, and counts the engine's decisions. A gap of the trace stops the meter and leaves deadlines running: the
// position was unknown, but time went by. That holds for the first `gapDeadlines` of a gap; then the device sleeps, and
// overdue work comes once, at the gap's end. Acts of the user keep their time in any gap. So a gap of 56 years costs as
// much as a night.
//
// A receiver that tracks all the time for apps that take every fix reports only the same fix each second of a stride:
// it reports one, which counts for all of them.

/// The service and a radio world over a trace, for one plan.
package struct Run: Sendable {
  package let plan: RunPlan
  package internal(set) var counters = Counters()
  /// The events since the last `drainEvents`; kept only if requested.
  package private(set) var events: [ReplayEvent] = []
  var host: VirtualHost

  let options: ReplayOptions
  private let records: Records
  var receiver: SimulatedReceiver
  private var network: NetworkPositions
  /// The user's acts, in order of time.
  private(set) var acts: ActQueue
  /// Its apps; that of the plan is the first.
  let cast: [CastMember]
  /// Whether the account names apps, and reports the acts of user and programs.
  private let isScenario: Bool
  /// Whether nobody asks for more than sums (`Run+Seconds`).
  let onlySums: Bool
  var hasNetwork = true
  /// The user's answer to the app's questions; `nil` grants the request.
  private var answer: Authorization?
  private weak var observer: (any RunObserver)?
  var gnss = Activity.GNSSState.off
  /// The latest report on satellites to the service in this session.
  var signal: Bool?
  private var isAwake = false
  /// Whether the device moves, as the meter was told; `nil` before, and for a device to which it makes no difference.
  private(set) var moves: Bool?
  /// Whether a tracking receiver works harder at this place.
  var isSkyPoor: Bool
  var whereabouts: Whereabouts
  var recorder: CurveRecorder?
  var scorer: Scorer
  /// The quality of the plan app's region and visit events.
  var places: PlaceScores
  var sensors: DeviceSensors
  /// Whether the true device stands.
  var stands = Standstill().stands
  var movement = WiFiIslands.Movement.onTheWay
  /// The causal bound, if computed.
  private(set) var causal: CausalReceiver?
  /// The same with a lead, if one is stated.
  private(set) var punctual: PunctualReceiver?
  private var networkAnswerAt: EngineInstant?
  var uplink: Uplink
  var isInGap = false
  /// Whether the latest session of the receiver began in a gap and is not counted.
  var beganInGap = false
  /// The number of a stride's fixes that the present one stands for.
  private var weight = 1
  /// The latest instant and its UTC.
  var now = EngineInstant.zero
  var utc = UTCInstant(microseconds: 0)
  private(set) var hasBegun = false

  /// See `Run+Cast`.
  init(
    _ plan: RunPlan, _ cast: [CastMember], _ acts: [UserAct], isScenario: Bool,
    options: ReplayOptions, records: Records, expecting seconds: Double,
    answer: Authorization? = nil, observer: (any RunObserver)? = nil
  ) {
    self.answer = answer
    self.observer = observer
    self.plan = plan
    self.cast = cast
    self.isScenario = isScenario
    self.options = options
    self.records = records
    onlySums =
      records.isEmpty && observer == nil && options.uploads == .none && !options.mixesEnvironments
    self.acts = ActQueue(acts)
    host = Self.host(cast, plan, options, records, at: ServiceTime(at: .zero, utc: utc))
    receiver = options.receiver
    network = options.networkPositions
    uplink = Uplink(options)
    isSkyPoor = options.environment == .indoors
    whereabouts = Whereabouts(blindDistance: options.blindDistance)
    if records.contains(.curves) {
      recorder = CurveRecorder(limit: options.blindDistance, expecting: seconds)
    }
    places = PlaceScores(plan, rules: options.scoring)
    sensors = DeviceSensors(options.device)
    let isSignificant = plan.mode == .significant
    let judgesReach = isSignificant && records.contains(.causal)
    causal = judgesReach ? CausalReceiver() : nil
    punctual = judgesReach ? options.scoring.lead.map { PunctualReceiver(lead: $0) } : nil
    scorer = Scorer(
      rules: options.scoring, keepsCrossings: records.contains(.crossings) && isSignificant,
      judgesReach: judgesReach, hears: sensors.hears, vainLook: options.vainLook,
      stale: options.staleStart)
  }

  /// The service that decides.
  package var service: LocationService { host.service }

  package var engine: LocationEngine { host.service.engine }

  /// The app of the plan.
  static let app = AppID(1)

  /// The data for a picture of the run, if requested; complete after the trace's end.
  package var curves: CurveRecord? { recorder?.record }

  /// The greatest number of deadlines handled in one gap [ours: a night of sessions every 300 s is less].
  static let gapDeadlines = 256

  // MARK: The world's side

  /// Takes the next sample, with the events of the truth there.
  mutating func take(_ sample: WorldSample, _ events: [TruthEvent] = []) {
    if !hasBegun { begin(sample) }
    passDeadlines(to: sample.truth.at, near: sample.truth.coordinate)
    now = max(now, sample.truth.at)
    utc = sample.truth.time
    if !acts.isEmpty || now > sample.truth.at {
      acts.see(sample.truth.coordinate, at: now)
      passDeadlines(to: now, near: sample.truth.coordinate)
    }
    recorder?.passed(sample.truth, meter: host.service.meter.meter)
    pass(to: sample)
    noteMovement(sample.truth.moves)
    for event in events { note(event) }
    guard sample.truth.isTick else { return }
    let hint = sensors.hear(sample, at: now)
    let hasFix = causal == nil ? tick(sample, hint) : tickCausally(sample, hint)
    guard hasFix, !sample.losesFix, let fix = sample.fix else { return }
    weight = sample.truth.seconds
    counters.fixesSeen += weight
    host.tell(fix, around: LocalFrame(origin: fix.coordinate), at: time)
    heed()
    weight = 1
  }

  /// Advances the device by a second; returns whether its receiver has a fix.
  private mutating func tick(_ sample: WorldSample, _ hint: DeviceSensors.Hint) -> Bool {
    hear(hint)
    if options.mixesEnvironments { enter(sample.environment) }
    let wasAcquiring = receiver.isAcquiring
    let hasFix = receiver.tick(hasSky: sample.hasSky, at: now)
    noteReceiver()
    tellSignal(sample.hasSky)
    if hasFix, wasAcquiring { counters.acquisitions += 1 }
    return hasFix
  }

  /// The same with the causal bound, which looks at the receiver as it was.
  private mutating func tickCausally(_ sample: WorldSample, _ hint: DeviceSensors.Hint) -> Bool {
    var own = receiver
    own.block(until: nil)
    let hasFix = tick(sample, hint)
    let second = sample.second(
      hint, hasOwnFix: hasFix && !sample.losesFix, mixesEnvironments: options.mixesEnvironments)
    let isQuickest = causal?.tick(second, own: own, at: now) == true
    if isQuickest { scorer.couldBegin() }
    let isPunctual = punctual?.tick(second, own: own, isOpen: scorer.isOpen, at: now)
    if isPunctual ?? isQuickest { scorer.couldDeliver() }
    return hasFix
  }

  mutating func pass(
    gapFrom start: EngineInstant, to end: EngineInstant, _ events: [TruthEvent]
  ) {
    passDeadlines(to: start, near: nil)
    shift(to: start)
    meter(.metering(false), at: start)
    recorder?.gap()
    endSegment(after: events)
    scorer.endSegment()
    let startUTC = utc
    isInGap = true
    pass(to: end)
    isInGap = false
    if beganInGap, receiver.isInUse { beginSession() }
    utc = startUTC.advanced(bySeconds: EngineInstant.seconds(from: start, to: end))
    meter(.metering(true), at: end)
    receiver.lostTrack(at: end)
    shareRadio()
    causal?.lostTrack(at: end)
    punctual?.lostTrack(at: end)
    noteReceiver()
    note(.gap(start: startUTC, end: utc, cause: "no data"))
  }

  /// Ends the run at its latest sample; `events` show only at the end.
  mutating func finish(_ events: [TruthEvent]) {
    endSegment(after: events)
    if let punctual { scorer.note(searches: punctual.searches, seconds: punctual.seconds) }
    scorer.finish()
    host.end()
    host.configure { $0.meter.finish(at: now) }
    uplink.countUnsent(at: now, &counters)
    counters.periodicCalls = engine.periodic.calls
    counters.periodicWakes = engine.periodic.wakes
    recorder?.finish(meter: host.service.meter.meter)
    if isScenario { for act in acts.rest { note(.notPlayed(act)) } }
  }

  /// Lets time pass without a sample, as in a gap.
  package mutating func pass(to instant: EngineInstant) {
    var left = Self.gapDeadlines
    while left > 0, let earliest = nextDeadline, earliest <= instant {
      shift(to: earliest)
      passFirstDeadline(near: nil)
      left -= 1
    }
    // The device sleeps; its user does not.
    while let act = acts.nextDeadline, act <= instant {
      shift(to: act)
      came(.userAct, near: nil)
    }
    shift(to: instant)
    passDeadlines(to: instant, near: nil)
  }

  /// Lets time pass up to an instant of the trace's UTC, and returns its instant on the axis.
  package mutating func pass(toUTC instant: UTCInstant) -> EngineInstant {
    pass(to: now.advanced(bySeconds: UTCInstant.seconds(from: utc, to: instant)))
    return now
  }

  /// Returns the events and forgets them.
  package mutating func drainEvents() -> [ReplayEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Returns the radio activity and forgets it.
  package mutating func drainRadioLog() -> [Activity] {
    var log: [Activity] = []
    host.configure { log = $0.meter.takeLog() }
    return log
  }

  private mutating func begin(_ sample: WorldSample) {
    hasBegun = true
    now = sample.truth.at
    utc = sample.truth.time
    acts.begin(at: now, utc: utc)
    host = Self.host(cast, plan, options, records, at: time)
    for member in cast {
      host.add(member.manifest, running: member.program, memory: member.memory, at: time)
      if member.isOpened { host.user(.control(member.name, .launch), at: time) }
      heed()
    }
  }

  /// Tells the meter that the device moves, or lies still: a phone knows that from its motion coprocessor.
  private mutating func noteMovement(_ moves: Bool) {
    guard moves != self.moves, options.device.tellsMovement else { return }
    self.moves = moves
    meter(.moving(moves), at: now)
  }

  private var time: ServiceTime { ServiceTime(at: now, utc: utc) }

  /// The deadlines, in the order in which they come if several are due.
  private enum Deadline: CaseIterable {
    case networkAnswer, upload, radioFree, userAct
    /// The service's and its programs'.
    case service

    /// Made once, since it is needed in every second.
    static let inOrder = allCases
  }

  @inline(__always)
  private func instant(of deadline: Deadline) -> EngineInstant? {
    switch deadline {
    case .networkAnswer: networkAnswerAt
    case .upload: maySend ? uplink.due(appRuns: host.service.engine.runsCode) : nil
    case .radioFree: receiver.blockedUntil
    case .userAct: acts.nextDeadline
    case .service: host.nextDeadline
    }
  }

  /// Handles a deadline; `place` is the true position, if known.
  private mutating func came(_ deadline: Deadline, near place: Coordinate?) {
    switch deadline {
    case .networkAnswer:
      networkAnswerAt = nil
      guard let place else { return tell(.networkPositionFailed) }
      counters.fixesSeen += 1
      tell(.networkFix(network.position(of: place, moving: movement, time: utc, at: now)))
    case .upload: upload()
    case .radioFree:
      receiver.block(until: nil)
      noteReceiver()
    case .userAct: if let act = acts.pop(at: now) { perform(act.what) }
    case .service:
      host.pass(to: time)
      heed()
    }
  }

  /// The first of all deadlines.
  var nextDeadline: EngineInstant? {
    var earliest: EngineInstant?
    for deadline in Deadline.inOrder { earliest = .earlier(earliest, instant(of: deadline)) }
    return earliest
  }

  /// All deadlines that lie before or at `instant`, in order of time.
  private mutating func passDeadlines(to instant: EngineInstant, near place: Coordinate?) {
    while let earliest = nextDeadline, earliest <= instant {
      shift(to: earliest)
      passFirstDeadline(near: place)
    }
  }

  private mutating func passFirstDeadline(near place: Coordinate?) {
    for deadline in Deadline.inOrder {
      guard let due = instant(of: deadline), due <= now else { continue }
      return came(deadline, near: place)
    }
  }

  private mutating func shift(to instant: EngineInstant) {
    guard instant > now else { return }
    utc = utc.advanced(bySeconds: EngineInstant.seconds(from: now, to: instant))
    now = instant
  }

  private mutating func perform(_ what: Happening) {
    if isScenario { note(.user(what)) }
    if case .network(let isThere) = what { hasNetwork = isThere }
    if what.comesOverNetwork, !hasNetwork { return note(.refused("there is no network")) }
    for message in what.messages(to: stage) {
      host.user(message, at: time)
      heed()
    }
  }

  private mutating func enter(_ environment: Environment) {
    receiver.enter(environment, at: now)
    isSkyPoor = environment == .indoors
  }

  private mutating func hear(_ hint: DeviceSensors.Hint) {
    if let cell = hint.cell, host.service.engine.triggers.contains(.cells) {
      note(.radio(.cellWake))
      tell(.cellChanged(CellHint(rawValue: cell.rawValue)))
    }
    if hint.isMotion && host.service.engine.triggers.contains(.motion) {
      tell(.motionFelt(windows: hint.windows))
    }
  }

  // MARK: The service's side

  /// Reports whether a searching receiver hears satellites, if that has changed.
  private mutating func tellSignal(_ hasSky: Bool) {
    let heard = receiver.hears(hasSky: hasSky)
    guard heard != signal else { return }
    signal = heard
    if let heard { tell(.signal(isHeard: heard)) }
  }

  private mutating func tell(_ event: RadioEvent) {
    host.tell(.radio(event), at: time)
    heed()
  }

  mutating func meter(_ event: Activity.Event, at instant: EngineInstant) {
    host.tell(.radio(.activity(event)), at: ServiceTime(at: instant, utc: utc))
  }

  /// Counts the decisions, and carries out the requests to the radios.
  private mutating func heed() {
    // In place, including those that arrive meanwhile.
    var next = 0
    while true {
      while host.hasDeeds, let deed = host.nextDeed(upTo: next) { heed(deed) }
      guard next < host.service.decisions.count else { break }
      heed(host.service.decisions[next])
      if let observer { observer.saw(host.service.decisions[next], at: utc) }
      next += 1
    }
    host.forgetDecisions()
    var answers: [ClientMessage] = []
    for request in host.takeRequests() {
      switch request {
      case .askNetwork: networkAnswerAt = now.advanced(bySeconds: NetworkPositions.delay)
      case .askUser(let app, let level): answers.append(.authorize(app, answer ?? level))
      case .send(.error(_, let text), _, _) where isScenario: note(.refused(text))
      default: break
      }
    }
    // After all questions of this instant: the user's answers lead to more.
    for message in answers {
      host.user(message, at: time)
      heed()
    }
    let isAwake = host.service.isAwake
    if isAwake != self.isAwake { note(.radio(.soc(isAwake ? .awakeIdle : .suspended))) }
    self.isAwake = isAwake
  }

  private mutating func heed(_ decision: EngineCommand) {
    if case .receiver(let plan) = decision { return follow(plan) }
    if keepsEvents { note(decision) }
    switch decision {
    case .transition(let app, let transition): changed(app, transition)
    case .launch(_, let options): launched(options.reason)
    case .deliver(let app, let delivery):
      delivered(app, delivery)
    case .verdict(_, let service, let verdict, _):
      counters.verdicts[verdict.outcome.index] += service.isSignificant ? 1 : weight
    case .place(let app, .event(let delivery)) where app == places.app: told(delivery)
    case .motion, .paused, .receiver, .requestNetworkPosition, .listen, .requestFailed, .asksUser,
      .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken, .heading,
      .deferralEnded, .place,
      .ignored:
      break
    }
  }

  private mutating func heed(_ deed: ProgramDeed) {
    switch deed.kind {
    case .remark(let text): note(.did(text), of: deed.app)
    case .transfer where !hasNetwork: note(.did("has no network"), of: deed.app)
    case .transfer(let up, let down):
      meter(options.transfer(up: up, down: down), at: now)
      shareRadio()
    }
  }

  private mutating func changed(_ app: AppID, _ transition: LifecycleTransition) {
    let callbacks = AppCallback.callbacks(for: transition, in: options.rules.era)
    counters.callbacks += callbacks.count
    if !callbacks.isEmpty { note(.callbacks(app, callbacks), of: name(of: app)) }
    switch transition.reason {
    case .woken(let reason) where transition.from == .suspended:
      counters.wakes += 1
      recorder?.woke(reason, isLaunch: false)
    case .purged: counters.purges += 1
    case .terminated where transition.to == .notRunning: counters.terminations += 1
    case .overran where transition.to == .notRunning: counters.terminations += 1
    default: break
    }
  }

  mutating func delivered(_ app: AppID, _ delivery: Delivery, saying news: PlaceNews? = nil) {
    let fix = delivery.fix
    let count = delivery.service.isSignificant ? 1 : weight
    counters.deliveries += count
    if !stands { counters.movingDeliveries += count }
    if count > 1 { host.configure { [now] in $0.meter.record(deliveries: count - 1, at: now) } }
    if app == Self.app {
      recorder?.delivered(delivery, times: count)
      let age = fix.time.map { UTCInstant.seconds(from: $0, to: utc) } ?? 0
      let report = Report(
        place: fix.coordinate, measured: now.advanced(bySeconds: -max(0, age)),
        news: news.map { [$0] } ?? [])
      if uplink.isUsed { uplink.note(report) } else { learn(report, of: count) }
      scorer.deliver(ScoredDelivery(fix, isCached: delivery.isCached, at: now))
    }
    guard uplink.isUsed else { return }
    for _ in 0..<count { uplink.add(at: now) }
    upload()
  }

  private mutating func note(_ decision: EngineCommand) {
    let kind = ReplayEvent.Kind(decision, verdicts: records.contains(.verdicts))
    if let kind { note(kind, of: decision.app.flatMap(name)) }
  }

  /// The name of an app in an account; `nil` if there is only one.
  private func name(of app: AppID) -> String? {
    let index = Int(app.number) - 1
    return isScenario && cast.indices.contains(index) ? cast[index].name : nil
  }

  private var keepsEvents: Bool { !records.isDisjoint(with: [.events, .verdicts]) }

  mutating func note(_ kind: ReplayEvent.Kind, of app: String? = nil) {
    guard keepsEvents else { return }
    events.append(ReplayEvent(at: now, time: utc, kind: kind, name: app))
  }
}
