// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
package import LocationEngine
import LocationModel
package import RadioPower
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
//   live(through: sample):  deadlines up to the sample  →  cell, motion, receiver  →  service  →  its decisions
//
// Seconds in which none of this can happen are passed over (`Run+Seconds`): the truth alone goes on. A receiver that
// tracks all the time for apps that take every fix reports one of a stride, which counts for all of them.
//
// The run decides nothing about the app: it carries out the service's requests to the radios, plays the user, and counts
// the engine's decisions. A gap of the trace stops the meter and leaves deadlines running, the first `gapDeadlines`;
// then the device sleeps, and overdue work comes once, at the gap's end. Acts of the user keep their time. So a gap of
// 56 years costs as much as a night.

/// The service and a radio world over a trace, for one plan.
package struct Run: Sendable {
  package let plan: RunPlan
  let options: ReplayOptions
  /// Its apps; that of the plan is the first.
  let cast: [CastMember]
  /// Whether nobody asks for more than sums (`Run+Seconds`).
  let onlySums: Bool
  private let records: Records
  package internal(set) var counters = Counters()
  var clock = RunClock()
  var host: VirtualHost
  var receiver: DeviceReceiver
  var sensors: DeviceSensors
  var network: DeviceNetwork
  var judges: RunJudges
  var uplink: Uplink
  /// Downloads that the system makes for apps.
  var issues = IssueDownloads()
  /// The user's acts, in order of time.
  var acts: ActQueue<Happening>
  var account: RunAccount
  var recorder: CurveRecorder?
  /// The user's answer to the app's questions; `nil` grants the request.
  private var answer: Authorization?
  private weak var observer: (any RunObserver)?
  private var isAwake = false
  private var isInGap = false
  /// Whether the device moves, as the meter was told; `nil` before, and for a device to which it makes no difference.
  private(set) var moves: Bool?
  /// The number of a stride's fixes that the present one stands for.
  private var weight = 1
  private(set) var hasBegun = false

  /// See `Run+Cast`.
  init(
    _ plan: RunPlan, _ cast: [CastMember], _ acts: [UserAct], isScenario: Bool,
    places: PlaceScores, options: ReplayOptions, records: Records, expecting seconds: Double,
    answer: Authorization? = nil, observer: (any RunObserver)? = nil
  ) {
    self.answer = answer
    self.observer = observer
    self.plan = plan
    self.cast = cast
    self.options = options
    self.records = records
    onlySums =
      records.isEmpty && observer == nil && options.uploads == .none && !options.mixesEnvironments
    self.acts = ActQueue(acts)
    host = Self.host(cast, plan, options, records, at: clock.time)
    receiver = DeviceReceiver(options)
    network = DeviceNetwork(options)
    uplink = Uplink(options)
    sensors = DeviceSensors(options.device)
    judges = RunJudges(plan, places: places, options: options, records: records)
    account = RunAccount(records, of: cast, isOfScenario: isScenario)
    if records.contains(.curves) {
      recorder = CurveRecorder(limit: options.blindDistance, expecting: seconds)
    }
  }

  /// The service that decides.
  package var service: LocationService { host.service }

  package var engine: LocationEngine { host.service.engine }

  /// The app of the plan.
  static let app = AppID(1)

  /// The data for a picture of the run, if requested; complete after the trace's end.
  package var curves: CurveRecord? { recorder?.record(judgedBy: judges.whereabouts) }

  /// Whether the device has a network and is not in a gap.
  var maySend: Bool { network.isThere && !isInGap }

  // MARK: The world's side

  /// Lives through the next sample, with the events of the truth there.
  mutating func live(through sample: WorldSample, _ events: [TruthEvent] = []) {
    if !hasBegun { begin(at: sample.truth) }
    passDeadlines(to: sample.truth.at, near: sample.truth.coordinate)
    clock.pass(to: sample.truth)
    if !acts.isEmpty || clock.now > sample.truth.at {
      acts.see(sample.truth.coordinate, at: clock.now)
      passDeadlines(to: clock.now, near: sample.truth.coordinate)
    }
    if recorder != nil { host.configure { [now = clock.now] in $0.meter.catchUp(to: now) } }
    recorder?.passed(sample.truth, meter: host.service.meter.meter)
    judges.pass(to: sample)
    tellMeter(moves: sample.truth.moves)
    judges.noteMovement(at: sample.truth)
    for event in events { note(event) }
    guard sample.truth.isTick else { return }
    let hint = sensors.hear(sample, at: clock.now)
    let hasFix = judges.judgesReach ? tickCausally(sample, hint) : tick(sample, hint)
    guard hasFix, !sample.losesFix, let fix = sample.fix else { return }
    weight = sample.truth.seconds
    counters.fixesSeen += weight
    host.tellService(of: fix, around: LocalFrame(origin: fix.coordinate), at: clock.time)
    followService()
    weight = 1
  }

  private mutating func begin(at truth: TruthSample) {
    hasBegun = true
    clock.begin(at: truth)
    acts.begin(at: clock.now, utc: clock.utc)
    host = Self.host(cast, plan, options, records, at: clock.time)
    for member in cast {
      host.addApp(member.manifest, running: member.program, memory: member.memory, at: clock.time)
      if member.isOpened { host.user(.control(member.name, .launch), at: clock.time) }
      followService()
    }
  }

  /// Advances the device by a second; returns whether its receiver has a fix.
  private mutating func tick(_ sample: WorldSample, _ hint: DeviceSensors.Hint) -> Bool {
    tellHint(hint)
    if options.mixesEnvironments { receiver.enter(sample.environment, at: clock.now) }
    let (hasFix, isAcquired) = receiver.tick(hasSky: sample.hasSky, at: clock.now)
    meterReceiver()
    if let heard = receiver.changedSignal(hasSky: sample.hasSky) {
      tellRadioEvent(.signal(isHeard: heard))
    }
    if isAcquired { counters.acquisitions += 1 }
    return hasFix
  }

  /// The same with the causal bound, which looks at the receiver as it was.
  private mutating func tickCausally(_ sample: WorldSample, _ hint: DeviceSensors.Hint) -> Bool {
    let own = receiver.unblocked
    let hasFix = tick(sample, hint)
    let second = sample.second(
      hint, hasOwnFix: hasFix && !sample.losesFix, mixesEnvironments: options.mixesEnvironments)
    judges.tick(second, own: own, at: clock.now)
    return hasFix
  }

  mutating func pass(
    gapFrom start: EngineInstant, to end: EngineInstant, _ events: [TruthEvent]
  ) {
    passDeadlines(to: start, near: nil)
    clock.shift(to: start)
    meter(.metering(false), at: start)
    for event in events { note(event) }
    recorder?.gap()
    judges.endSegment(at: clock.now)
    let startUTC = clock.utc
    isInGap = true
    pass(to: end)
    isInGap = false
    clock.set(startUTC.advanced(bySeconds: EngineInstant.seconds(from: start, to: end)))
    meter(.metering(true), at: end)
    receiver.endGap(at: end, stands: judges.stands, &counters)
    shareRadio()
    judges.lostTrack(at: end)
    meterReceiver()
    noteEvent(.gap(start: startUTC, end: clock.utc, cause: "no data"))
  }

  /// Ends the run at its latest sample; `events` show only at the end.
  mutating func finishRun(after events: [TruthEvent]) {
    for event in events { note(event) }
    judges.finish(at: clock.now)
    host.endPrograms()
    host.configure { [now = clock.now] in $0.meter.finish(at: now) }
    uplink.countUnsent(at: clock.now, &counters)
    counters.periodicCalls = engine.periodic.calls
    counters.periodicWakes = engine.periodic.wakes
    recorder?.finish(meter: host.service.meter.meter)
    if account.isOfScenario { for act in acts.rest { noteEvent(.notPlayed(act)) } }
  }

  /// Returns the events and forgets them.
  package mutating func drainEvents() -> [ReplayEvent] { account.drain() }

  /// Returns the radio activity and forgets it.
  package mutating func drainRadioLog() -> [Activity] {
    var log: [Activity] = []
    host.configure { log = $0.meter.takeLog() }
    return log
  }

  /// Tells the meter that the device moves, or lies still: a phone knows that from its motion coprocessor.
  private mutating func tellMeter(moves: Bool) {
    guard moves != self.moves, options.device.tellsMovement else { return }
    self.moves = moves
    meter(.moving(moves), at: clock.now)
  }

  /// Tells the service of a hint that it listens for.
  private mutating func tellHint(_ hint: DeviceSensors.Hint) {
    if let cell = hint.cell, host.service.engine.triggers.contains(.cells) {
      noteEvent(.radio(.cellWake))
      tellRadioEvent(.cellChanged(CellHint(rawValue: cell.rawValue)))
    }
    if hint.isMotion && host.service.engine.triggers.contains(.motion) {
      tellRadioEvent(.motionFelt(windows: hint.windows))
    }
  }

  // MARK: The service's side

  mutating func tellRadioEvent(_ event: RadioEvent) {
    host.tellService(.radio(event), at: clock.time)
    followService()
  }

  /// Counts the service's decisions, and carries out its requests to the radios.
  mutating func followService() {
    // In place, including those that arrive meanwhile.
    var next = 0
    while true {
      while host.hasDeeds, let deed = host.nextDeed(upTo: next) { follow(deed: deed) }
      guard next < host.service.decisions.commands.count else { break }
      follow(decision: host.service.decisions.commands[next])
      if let observer { observer.saw(host.service.decisions.commands[next], at: clock.utc) }
      next += 1
    }
    host.forgetDecisions()
    var answers: [ClientMessage] = []
    for request in host.takeRequests() {
      switch request {
      case .askNetwork: network.ask(at: clock.now)
      case .askUser(let app, let level): answers.append(.authorize(app, answer ?? level))
      case .send(.error(_, let text), _, _) where account.isOfScenario: noteEvent(.refused(text))
      case .start, .freeze, .thaw, .releaseSocket, .end, .kill, .forget, .sink, .send, .close,
        .tellGeoClue, .watch, .connect, .listen, .notifyUser, .arm, .readSettings, .sendLog,
        .sendHistory, .log:
        break
      }
    }
    // After all questions of this instant: the user's answers lead to more.
    for message in answers {
      host.user(message, at: clock.time)
      followService()
    }
    let isAwake = host.service.isAwake
    if isAwake != self.isAwake { noteEvent(.radio(.soc(isAwake ? .awakeIdle : .suspended))) }
    self.isAwake = isAwake
  }

  private mutating func follow(decision: EngineCommand) {
    if case .receiver(let plan) = decision { return follow(plan: plan) }
    account.addDecision(decision, at: clock)
    switch decision {
    case .transition(let app, let transition): count(transition, of: app)
    case .launch(_, let options):
      counters.launches += 1
      recorder?.woke(options.reason, isLaunch: true)
    case .deliver(let app, let delivery): deliver(delivery, to: app)
    case .verdict(_, let service, let verdict, _):
      counters.verdicts[verdict.outcome.index] += service.isSignificant ? 1 : weight
    case .place(let app, .event(let delivery)) where app == judges.places.app:
      tellPlaceEvent(of: delivery)
    case .motion, .paused, .receiver, .requestNetworkPosition, .listen, .requestFailed, .asksUser,
      .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken, .heading,
      .deferralEnded, .place,
      .ignored:
      break
    }
  }

  private mutating func follow(plan: ReceiverPlan) {
    receiver.follow(
      plan: plan, at: clock.now, isInGap: isInGap, stands: judges.stands, &counters)
    meterReceiver()
  }

  private mutating func count(_ transition: LifecycleTransition, of app: AppID) {
    let callbacks = AppCallback.callbacks(for: transition, in: options.rules.era)
    counters.callbacks += callbacks.count
    if !callbacks.isEmpty { noteEvent(.callbacks(app, callbacks), of: account.name(of: app)) }
    switch transition.reason {
    case .woken(let reason) where transition.from == .suspended:
      counters.wakes += 1
      recorder?.woke(reason, isLaunch: false)
    case .purged: counters.purges += 1
    case .terminated where transition.to == .notRunning: counters.terminations += 1
    case .overran where transition.to == .notRunning: counters.terminations += 1
    case .launched, .launchedByService, .resigned, .activated, .leftForeground,
      .enteredForeground, .exitsOnSuspend, .woken, .relaunched, .finished, .budgetUsedUp,
      .nothingHolds, .holdChanged, .terminated, .forceQuit, .replaced, .rebooted, .overran,
      .exited:
      break
    }
  }

  /// The plan's app is told an event at a place. If these are its only events, they count as its deliveries.
  private mutating func tellPlaceEvent(of delivery: Delivery) {
    guard let event = delivery.event else { return }
    judges.told(event, at: clock.now)
    guard plan.watch != .changes else { return }
    deliver(delivery, to: Self.app, saying: event.news)
  }

  private mutating func deliver(
    _ delivery: Delivery, to app: AppID, saying news: PlaceNews? = nil
  ) {
    let fix = delivery.fix
    let count = delivery.service.isSignificant ? 1 : weight
    counters.deliveries += count
    if !judges.stands { counters.movingDeliveries += count }
    if count > 1 {
      host.configure { [now = clock.now] in $0.meter.record(deliveries: count - 1, at: now) }
    }
    if app == Self.app {
      recorder?.delivered(delivery, times: count)
      let age = fix.time.map { UTCInstant.seconds(from: $0, to: clock.utc) } ?? 0
      let heard = judges.eventClock(clock.now)
      let report = Report(
        place: fix.coordinate, accuracy: fix.horizontalAccuracy,
        taken: heard.advanced(bySeconds: -max(0, age)),
        news: news.map { [Report.News(what: $0, taken: heard)] } ?? [])
      if uplink.isUsed { uplink.note(report: report) } else { learn(report, of: count) }
      judges.deliver(fix, isCached: delivery.isCached, at: clock.now)
    }
    guard uplink.isUsed else { return }
    for _ in 0..<count { uplink.addDelivery(at: clock.now) }
    upload()
  }

  /// The recipient learns the device's place.
  private mutating func learn(_ report: Report, of deliveries: Int) {
    counters.learned += deliveries
    judges.learn(report, at: clock.now)
    recorder?.learned(report.place)
  }

  // MARK: Radios

  /// Sends the transfers that are due.
  mutating func upload() {
    guard maySend else { return }
    let appRuns = host.service.engine.runsCode
    while let transfer = uplink.next(at: clock.now, appRuns: appRuns, &counters) {
      meter(options.upload(transfer.bytes), at: clock.now)
      shareRadio()
      if let report = transfer.report { learn(report, of: transfer.items) }
    }
  }

  /// Makes the receiver wait until the modem is idle, if both share one radio.
  mutating func shareRadio() {
    guard options.sharesRadio else { return }
    let busy = host.service.meter.meter.cellBusySeconds
    if busy > 0 { receiver.block(until: clock.now.advanced(bySeconds: busy)) }
    meterReceiver()
  }

  /// Tells the meter of the receiver, if its state has changed.
  mutating func meterReceiver() {
    guard let state = receiver.change() else { return }
    meter(.gnss(state), at: clock.now)
    noteEvent(.radio(.gnss(state)))
  }

  mutating func noteEvent(_ kind: ReplayEvent.Kind, of app: String? = nil) {
    account.addEvent(kind, of: app, at: clock)
  }
}
