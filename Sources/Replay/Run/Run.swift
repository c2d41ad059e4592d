// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
package import LocationEngine
package import LocationModel
package import RadioPower
import RadioWorld
import Scoring

// Theory
// ======
//
// A run is one app's life over the trace: engine, receiver, script and meter in virtual time. The world
// comes as one sample a second, the same for all runs; between two samples the run jumps from deadline
// to deadline. The receiver alone stands between truth and engine: off, it yields nothing.
//
//   take(sample):  deadlines up to the sample  →  cell, motion, receiver  →  engine  →  commands
//
// Commands may make the script act (an app that is woken works, then says so); its inputs are taken
// after the commands that caused them, at the same instant. A gap of the trace stops the meter and
// leaves deadlines running: nobody knows where the device was, but time went by.

/// Engine, meter and radio world over a trace, for one plan.
package struct Run: Sendable {
  package let plan: RunPlan
  package private(set) var counters = Counters()
  /// What happened since the last `drainEvents`; kept only where asked for.
  package private(set) var events: [ReplayEvent] = []
  package private(set) var engine: LocationEngine

  private let options: ReplayOptions
  private let records: Records
  private var receiver: Receiver
  private var network: NetworkPositions
  /// The app of the plan, and those that live beside it on the same device.
  private var scripts: [AppScript]
  private(set) var desk: RadioDesk
  private(set) var blindness: Blindness
  private var recorder: CurveRecorder?
  private(set) var scorer: Scorer
  private var ears: Ears
  private var standstill = Standstill()
  /// The causal bound, where it is reckoned.
  private var honest: HonestReceiver?
  private var networkAnswerAt: EngineInstant?
  private var outbox: Outbox
  private var isInGap = false
  private var commands: [EngineCommand] = []
  private var waiting: [EngineInput] = []
  /// The latest instant and its UTC.
  private var now = EngineInstant.zero
  private var utc = UTCInstant(microseconds: 0)
  private var hasBegun = false
  /// Metered seconds.
  package private(set) var judged = 0.0

  /// What is kept beside the totals.
  package struct Records: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let events = Records(rawValue: 1)
    /// Events with a verdict for every fix.
    package static let verdicts = Records(rawValue: 2)
    package static let radioLog = Records(rawValue: 4)
    /// Curves, places, wakes and daily totals, bounded.
    package static let curves = Records(rawValue: 8)
    /// The causal bound of each crossing; for significant change only.
    package static let causal = Records(rawValue: 16)
  }

  /// `seconds` is how long the trace is about: a first guess at the step of the curves. Apps `beside`
  /// that of the plan share its device: receiver, processor and radios are counted once, and what is
  /// said of knowing the way is about the plan's app alone. A `driver` plays the plan's app.
  package init(
    _ plan: RunPlan, beside others: [RunPlan] = [], options: ReplayOptions, records: Records = [],
    expecting seconds: Double = 0, driver: (any AppDriver)? = nil
  ) {
    self.plan = plan
    self.options = options
    self.records = records
    engine = LocationEngine(
      rules: options.rules,
      policy: ([plan] + others).lazy.compactMap(\.policy).first ?? .ios(IOSPolicy()))
    receiver = options.receiver
    network = options.networkPositions
    outbox = Outbox(options.uploads, openFor: options.uploadTail)
    scripts = zip(1..., [plan] + others).map { number, plan in
      AppScript(
        plan, as: AppID(number), timing: options.scenario, driver: number == 1 ? driver : nil)
    }
    desk = RadioDesk(options: options, keepsLog: records.contains(.radioLog))
    blindness = Blindness(limit: options.blindDistance)
    if records.contains(.curves) {
      recorder = CurveRecorder(limit: options.blindDistance, expecting: seconds)
    }
    ears = Ears(options.device)
    let judgesReach = records.contains(.causal) && plan.service == .significant
    honest = judgesReach ? HonestReceiver() : nil
    scorer = Scorer(rules: options.scoring, judgesReach: judgesReach, hears: ears.hears)
  }

  /// What a picture of the run needs, where that was asked for; complete after the trace's end.
  package var curves: CurveRecord? { recorder?.record }

  // MARK: The world's side

  mutating func take(_ sample: WorldSample) {
    if !hasBegun { begin(sample) }
    advance(to: sample.truth.at, sample)
    utc = sample.truth.time
    judged += sample.truth.elapsed
    blindness.passed(sample.truth)
    recorder?.passed(sample.truth, meter: desk.meter)
    standstill.pass(to: sample.truth.point)
    scorer.pass(to: sample.truth.point, hasSky: sample.fix != nil || !sample.truth.isTick)
    if standstill.stands { scorer.stands() }
    guard sample.truth.isTick else { return }
    let hint = ears.hear(sample, at: now)
    let own = receiver
    hear(hint)
    if options.mixesEnvironments { enter(sample.environment) }
    let wasAcquiring = receiver.isAcquiring
    let hasFix = receiver.tick(hasSky: sample.fix != nil, at: now)
    noteReceiver()
    let second = second(sample, hint, hasFix)
    if honest?.tick(second, own: own, at: now) == true { scorer.couldDeliver() }
    if hasFix, let fix = sample.fix {
      if wasAcquiring { counters.acquisitions += 1 }
      guard !sample.losesFix else { return }
      counters.fixesSeen += 1
      tell(.fix(fix))
    }
  }

  mutating func pass(gapFrom start: EngineInstant, to end: EngineInstant) {
    advance(to: start, nil)
    desk.record(.metering(false), at: start)
    recorder?.gap()
    scorer.endSegment()
    let startUTC = utc
    isInGap = true
    advance(to: end, nil)
    isInGap = false
    utc = startUTC.advanced(bySeconds: EngineInstant.seconds(from: start, to: end))
    desk.record(.metering(true), at: end)
    receiver.lostTrack(at: end)
    honest?.lostTrack(at: end)
    noteReceiver()
    note(.gap(start: startUTC, end: utc, cause: "no data"))
  }

  /// Ends the run at its latest sample.
  mutating func finish() {
    scorer.finish()
    desk.finish(at: now)
    recorder?.finish(meter: desk.meter)
  }

  /// Lets time pass without a sample, as a question about an instant needs it.
  package mutating func pass(to instant: EngineInstant) { advance(to: instant, nil) }

  /// Lets time pass up to an instant of the trace's UTC, and answers where that lies on the axis.
  package mutating func pass(toUTC instant: UTCInstant) -> EngineInstant {
    advance(to: now.advanced(bySeconds: UTCInstant.seconds(from: utc, to: instant)), nil)
    return now
  }

  /// Hands the events out and forgets them.
  package mutating func drainEvents() -> [ReplayEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Hands the radio activity out and forgets it.
  package mutating func drainRadioLog() -> [Activity] { desk.drainLog() }

  private mutating func begin(_ sample: WorldSample) {
    hasBegun = true
    now = sample.truth.at
    utc = sample.truth.time
    for index in scripts.indices {
      for input in scripts[index].begin(at: now, utc) { tell(.app(scripts[index].app, input)) }
    }
  }

  /// Deadlines of engine, script, network and uploads that lie before or at `instant`, in order of time.
  private mutating func advance(to instant: EngineInstant, _ sample: WorldSample?) {
    while true {
      var due = engine.nextDeadline
      for other in [networkAnswerAt, uploadDue] {
        if let other { due = due.map { min($0, other) } ?? other }
      }
      for index in scripts.indices {
        if let other = scripts[index].nextDeadline { due = due.map { min($0, other) } ?? other }
      }
      guard let due, due <= instant else { break }
      pass(to: max(due, now), input: sample)
    }
    shift(to: instant)
  }

  private mutating func shift(to instant: EngineInstant) {
    guard instant > now else { return }
    utc = utc.advanced(bySeconds: EngineInstant.seconds(from: now, to: instant))
    now = instant
  }

  private mutating func pass(to due: EngineInstant, input sample: WorldSample?) {
    shift(to: due)
    if let answer = networkAnswerAt, answer <= now {
      networkAnswerAt = nil
      guard let sample else { return tell(.networkPositionFailed) }
      counters.fixesSeen += 1
      return tell(
        .networkFix(network.position(of: sample.truth.coordinate, time: utc, at: now)))
    }
    if let due = uploadDue, due <= now { return upload() }
    for index in scripts.indices {
      if let input = scripts[index].due(at: now, utc) {
        return tell(.app(scripts[index].app, input))
      }
    }
    tell(.timePassed)
  }

  private mutating func enter(_ environment: Environment) {
    receiver.enter(environment, at: now)
    desk.isSkyPoor = environment == .indoors
  }

  private mutating func hear(_ hint: Ears.Hint) {
    if let cell = hint.cell, engine.triggers.contains(.cells) {
      desk.record(.cellWake, at: now)
      note(.radio(.cellWake))
      tell(.cellChanged(CellHint(rawValue: cell.rawValue)))
    }
    if hint.isMotion && engine.triggers.contains(.motion) { tell(.motionBegan) }
  }

  /// What this second brings to the causal bound.
  private func second(
    _ sample: WorldSample, _ hint: Ears.Hint, _ hasFix: Bool
  ) -> HonestReceiver.Second {
    HonestReceiver.Second(
      hasSky: sample.fix != nil, losesFix: sample.losesFix, stands: standstill.stands,
      isHinted: hint.isCell || hint.isMotion, hasOwnFix: hasFix && !sample.losesFix,
      environment: options.mixesEnvironments ? sample.environment : nil)
  }

  // MARK: The engine's side

  private mutating func tell(_ input: EngineInput) {
    waiting.append(input)
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      engine.handle(next, at: now, into: &commands)
      for index in commands.indices {
        perform(commands[index])
        hearDriver(commands[index])
      }
      commands.removeAll(keepingCapacity: true)
    }
    let isAwake = isAnyRunning || engine.plan == .session
    if let event = desk.processor(isAwake: isAwake, at: now) { note(.radio(event)) }
  }

  private mutating func hearDriver(_ command: EngineCommand) {
    for input in scripts[0].heard(command, at: now, utc) {
      waiting.append(.app(scripts[0].app, input))
    }
  }

  private var isAnyRunning: Bool {
    scripts.indices.contains { engine.state(of: scripts[$0].app)?.runsCode == true }
  }

  private mutating func perform(_ command: EngineCommand) {
    switch command {
    case .transition(let app, let transition): changed(app, transition)
    case .launch(let app, let options):
      counters.launches += 1
      recorder?.roused(options.reason, isLaunch: true)
      desk.record(.launch, at: now)
      note(.launch(app, options))
    case .deliver(let app, let delivery): delivered(app, delivery)
    case .verdict(let app, let service, let verdict, let fixTime):
      counters.verdicts[verdict.outcome.index] += 1
      if records.contains(.verdicts) { note(.verdict(app, service, verdict, fixTime: fixTime)) }
    case .motion(let app):
      note(.motion(app))
      for script in scripts where script.app == app {
        if let input = script.moved() { waiting.append(.app(app, input)) }
      }
    case .paused(let app): note(.paused(app))
    case .receiver(let plan): follow(plan)
    case .requestNetworkPosition:
      desk.record(.wifiScan, at: now)
      note(.radio(.wifiScan))
      networkAnswerAt = now.advanced(bySeconds: NetworkPositions.delay)
    case .listen(let triggers):
      if options.device.hasMotionSensor { desk.listens(to: triggers, at: now) }
    case .ignored: break
    }
  }

  private mutating func changed(_ app: AppID, _ transition: LifecycleTransition) {
    note(.app(app, transition))
    switch transition.reason {
    case .woken(let reason) where transition.from == .suspended:
      counters.wakes += 1
      recorder?.roused(reason, isLaunch: false)
      desk.record(.wake, at: now)
      roused(app)
    case .relaunched: roused(app)
    case .purged: counters.purges += 1
    default: break
    }
  }

  private mutating func roused(_ app: AppID) {
    for index in scripts.indices where scripts[index].app == app {
      scripts[index].wasRoused(at: now)
    }
  }

  private mutating func delivered(_ app: AppID, _ delivery: Delivery) {
    counters.deliveries += 1
    if !standstill.stands { counters.movingDeliveries += 1 }
    desk.record(.delivery, at: now)
    if app == scripts[0].app {
      blindness.learned(delivery.fix.coordinate)
      recorder?.delivered(delivery)
      scorer.deliver(ScoredDelivery(delivery, at: now))
    }
    note(.deliver(app, delivery))
    if outbox.add(at: now) { upload() }
    counters.pendingDeliveries = outbox.count
  }

  /// When the app must send what waits, if it runs and anybody knows.
  private var uploadDue: EngineInstant? {
    guard let due = outbox.due, !isInGap, isAnyRunning else { return nil }
    return due
  }

  /// Sends all that waits.
  private mutating func upload() {
    let (items, waited) = outbox.send(at: now)
    guard items > 0 else { return }
    counters.uploads += 1
    counters.uploadedDeliveries += items
    counters.longestUploadDelay = max(counters.longestUploadDelay, waited)
    counters.pendingDeliveries = 0
    desk.record(options.upload(items * options.itemBytes), at: now)
  }

  private mutating func follow(_ plan: ReceiverPlan) {
    if plan.isOn {
      if receiver.phase == .off {
        counters.sessions += 1
        if !standstill.stands { counters.movingSessions += 1 }
      }
      receiver.switchOn(at: now)
    } else {
      if receiver.isInUse && receiver.isAcquiring { counters.failedAcquisitions += 1 }
      receiver.switchOff(at: now)
    }
    noteReceiver()
  }

  private mutating func noteReceiver() {
    if let event = desk.receiver(receiver.phase, at: now) { note(.radio(event)) }
  }

  private mutating func note(_ kind: ReplayEvent.Kind) {
    guard !records.isDisjoint(with: [.events, .verdicts]) else { return }
    events.append(ReplayEvent(at: now, time: utc, kind: kind))
  }
}

extension Receiver {
  fileprivate var isAcquiring: Bool {
    if case .acquiring = phase { true } else { false }
  }
}
