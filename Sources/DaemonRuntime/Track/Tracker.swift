// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import GPSDSource
import LocationEngine
import LocationModel
package import NIOCore
import RadioPower
package import Replay
import TraceFiles

// Theory
// ======
//
// One app, in this process, on a real gpsd: the engine and the meter are those of the service and of the
// replay. The app's life is what the mode stands for:
//
//   standard     launched, updates, stays in the foreground
//   continuous   launched, updates, into the background, where they keep it running
//   significant  launched, monitors, into the background; suspended after 5 s; woken for each event, and
//                done at once
//
// With `observes` a second app asks for continuous updates of everything, so that the receiver never
// rests; its deliveries go to the trace file and nowhere else.

/// Follows gpsd in one mode, until it is stopped.
package actor Tracker {
  /// What came of it.
  package enum Output: Sendable {
    case event(ReplayEvent)
    /// A sentence about gpsd, the receiver or a file, for people.
    case remark(String)
    /// Something changed on the screen.
    case state(TrackState)
  }

  private static let app = AppID(1)
  private static let observer = AppID(2)

  private let setup: TrackSetup
  private let inbox = Inbox()
  private let gpsd: GPSDSource
  private let sink: @Sendable (Output) -> Void
  private var engine: LocationEngine
  private var meter: LiveMeter
  private var recorder: LiveRecorder?
  private var trace: LiveTrace?
  private var state: TrackState
  private var now: EngineInstant
  private let start: EngineInstant
  private let startBoot: Int64
  private var lastFixAt: EngineInstant?
  private var lastDeliveryAt: EngineInstant?
  private var waiting: [EngineInput] = []
  private var commands: [EngineCommand] = []
  private var timer: Task<Void, Never>?
  private var timerAt: EngineInstant?
  private var isOver = false

  /// `sink` is called in order and must not block for long.
  package init(
    _ setup: TrackSetup, on group: any EventLoopGroup, sink: @escaping @Sendable (Output) -> Void
  ) throws {
    self.setup = setup
    self.sink = sink
    let inbox = inbox
    gpsd = GPSDSource(setup.configuration.address, on: group) { inbox.offer(.gpsd($0)) }
    let (rules, policy) = try setup.configuration.decisions()
    engine = LocationEngine(rules: rules, policy: policy)
    meter = try Daemon.meter(setup.configuration)
    let device = try setup.configuration.device()
    startBoot = HostClock.bootClock
    start = .zero
    now = .zero
    state = TrackState(
      mode: setup.mode, policy: setup.mode == .significant ? policy.name : nil,
      startedAt: HostClock.utc, link: "not asked yet", battery: device.battery.nominal,
      profile: device.name)
    if let output = setup.output {
      trace = try LiveTrace(path: output.path, format: output.format)
    }
    if let path = setup.recordingPath {
      recorder = try LiveRecorder(
        path: path, release: setup.release, setup.configuration, engine, now,
        observes: setup.observes)
    }
  }

  /// Tracks until `stop`, or until the stated count or time is reached; answers the last state.
  package func run() async -> TrackState {
    begin()
    while !isOver {
      setTimer()
      let events = await inbox.take()
      now = max(now, EngineInstant(microseconds: HostClock.bootClock - startBoot))
      for event in events where !isOver { take(event) }
      if let due = engine.nextDeadline, due <= now { tell(.timePassed) }
      if let duration = setup.duration, now.seconds >= duration { isOver = true }
      show()
    }
    timer?.cancel()
    await gpsd.close()
    do { try trace?.finish() } catch { sink(.remark(words(of: error))) }
    recorder?.finish()
    show()
    return state
  }

  package nonisolated func stop() { inbox.offer(.stop) }

  private func begin() {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = setup.mode == .continuous
    tell(.app(Self.app, .registered(declaration)))
    tell(.app(Self.app, .launched))
    switch setup.mode {
    case .standard: tell(.app(Self.app, .startUpdating(setup.request)))
    case .continuous:
      tell(.app(Self.app, .startUpdating(setup.request)))
      tell(.app(Self.app, .enteredBackground))
    case .significant:
      tell(.app(Self.app, .startMonitoringSignificantChanges))
      tell(.app(Self.app, .enteredBackground))
    }
    if setup.observes {
      declaration.declaresLocationMode = true
      tell(.app(Self.observer, .registered(declaration)))
      tell(.app(Self.observer, .launched))
      tell(.app(Self.observer, .startUpdating(StandardRequest())))
    }
  }

  private func take(_ event: DaemonEvent) {
    switch event {
    case .gpsd(let event): heard(event)
    case .deadlineCame: timerAt = nil
    case .stop: isOver = true
    case .process, .client, .modem, .reload: break
    }
  }

  private func heard(_ event: GPSDEvent) {
    switch event {
    case .fix(let fix, _):
      meter.sawFix(at: now)
      state.fixes += 1
      state.fix = fix
      lastFixAt = now
      tell(.fix(fix))
    case .searching: meter.sawNoFix(at: now)
    case .line(let line): recorder?.record(line)
    case .link(let link):
      if state.link != link.words { sink(.remark(link.words)) }
      state.link = link.words
      switch link {
      case .connected: meter.knows(true, at: now)
      case .unreachable, .lost: if engine.plan.isOn { meter.knows(false, at: now) }
      case .watching: break
      }
    case .device(let device):
      state.link = device.words
      sink(.remark(device.words))
      if case .closed = device, setup.observes { write { try $0.endSegment() } }
    case .trouble(let trouble): sink(.remark(trouble.words))
    }
  }

  // MARK: Engine

  private func tell(_ input: EngineInput) {
    waiting.append(input)
    guard waiting.count == 1 else { return }
    while let next = waiting.first {
      engine.handle(next, at: now, into: &commands)
      recorder?.record(next, at: now, commands: commands)
      let answer = commands
      commands.removeAll(keepingCapacity: true)
      for command in answer { perform(command) }
      waiting.removeFirst()
    }
    let isAwake = engine.plan == .session || engine.state(of: Self.app)?.runsCode == true
    meter.awake(isAwake, at: now)
  }

  private func perform(_ command: EngineCommand) {
    switch command {
    case .transition(Self.app, let transition):
      if transition.from == .suspended { meter.app(.wake, at: now) }
      note(.app(Self.app, transition))
    case .launch(Self.app, let options):
      meter.app(.launch, at: now)
      note(.launch(Self.app, options))
    case .deliver(let app, let delivery): deliver(delivery, to: app)
    case .verdict(Self.app, _, let verdict, _): state.verdict = verdict
    case .motion(Self.app): note(.motion(Self.app))
    case .paused(Self.app): note(.paused(Self.app))
    case .receiver(let plan):
      meter.follow(plan, at: now)
      gpsd.watch(plan.isOn)
    case .requestNetworkPosition: tell(.networkPositionFailed)
    case .transition, .launch, .verdict, .motion, .paused, .listen, .ignored: break
    }
  }

  private func deliver(_ delivery: Delivery, to app: AppID) {
    guard app == Self.app else { return write { try $0.write(delivery.fix) } }
    meter.app(.delivery, at: now)
    state.deliveries += 1
    state.lastDelivery = delivery
    lastDeliveryAt = now
    note(.deliver(app, delivery))
    if !setup.observes { write { try $0.write(delivery.fix) } }
    if setup.mode == .significant { tell(.app(app, .finishedWork)) }
    if let count = setup.count, state.deliveries >= count { isOver = true }
  }

  private func write(_ body: (LiveTrace) throws -> Void) {
    guard let trace else { return }
    do {
      try body(trace)
    } catch {
      sink(.remark("\(words(of: error)); tracking goes on without the file"))
      self.trace = nil
    }
  }

  // MARK: Showing

  private func note(_ kind: ReplayEvent.Kind) {
    sink(.event(ReplayEvent(at: now, time: HostClock.utc, kind: kind)))
  }

  private func show() {
    state.now = HostClock.utc
    state.appState = engine.state(of: Self.app) ?? .notRunning
    state.plan = engine.plan
    state.receiver = meter.receiverText
    state.nextSession = engine.nextDeadline.map { EngineInstant.seconds(from: now, to: $0) }
    state.fixAge = lastFixAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.deliveryAge = lastDeliveryAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.energy = meter.report(at: now).total
    sink(.state(state))
  }

  private func setTimer() {
    var due = engine.nextDeadline
    if let duration = setup.duration {
      let end = EngineInstant.zero.advanced(bySeconds: duration)
      due = due.map { min($0, end) } ?? end
    }
    guard due != timerAt else { return }
    timer?.cancel()
    timerAt = due
    guard let due else { return }
    let inbox = inbox
    let wait = max(0, EngineInstant.seconds(from: now, to: due))
    timer = Task {
      try? await Task.sleep(for: .seconds(wait), clock: .continuous)
      if !Task.isCancelled { inbox.offer(.deadlineCame) }
    }
  }
}
