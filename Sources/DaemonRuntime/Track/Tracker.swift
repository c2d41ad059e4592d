// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import GPSDSource
import LocationEngine
import LocationModel
package import NIOCore
import RadioPower
package import Replay
import Reports
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
//
// Odd cases
// - What nobody saw connects nothing: a receiver that goes away while it is wanted, or a gpsd that does,
//   ends the segment of the trace file. A receiver that gpsd closed because nobody wanted it does not.
// - A failing file is told once, and tracking goes on. The trace file is tried again with every point,
//   and told again when it works; a recording ends, for it would have a hole.
// - A receiver that falls silent without a word of gpsd's counts as gone away (`ReportSilence`).
// - A failure to reach gpsd is told once per reason, however often it is tried; a trouble with what gpsd
//   says once per kind, and how often at the end.
// - Two receivers at once are one stream of fixes to the engine, in the order in which they come.

/// Follows gpsd in one mode, until it is stopped.
package actor Tracker {
  /// What came of it.
  package enum Output: Sendable {
    case event(ReplayEvent)
    /// A sentence about gpsd, the receiver or a file, for people.
    case remark(String)
    /// One that is of no interest while all is well.
    case detail(String)
    /// Something changed on the screen.
    case state(TrackState)
  }

  private static let app = AppID(1)
  private static let observer = AppID(2)

  private let setup: TrackSetup
  private let inbox = Inbox()
  private let gpsd: GPSDSource
  private let sink: @Sendable (Output) -> Bool
  private var engine: LocationEngine
  private var meter: LiveMeter
  private var recorder: LiveRecorder?
  private var saidRecording = false
  private var trace: LiveTrace?
  /// Points that were lost when the failing of the trace file was told; `nil` while it works.
  private var failingSince: Int?
  private var state: TrackState
  private var news = TrackNews()
  private var silence = ReportSilence()
  private var now: EngineInstant
  private let startBoot: Int64
  private var lastFixAt: EngineInstant?
  private var lastDeliveryAt: EngineInstant?
  private var turn = EngineTurn()
  private var alarm: Alarm
  private var isOver = false

  /// `sink` is called in order and must not block for long; where it answers `false` nobody reads any
  /// more, and the track ends. Throws `ConfigurationTrouble` and `TraceFileError`; then no file is left
  /// behind.
  package init(
    _ setup: TrackSetup, on group: any EventLoopGroup, sink: @escaping @Sendable (Output) -> Bool
  ) throws {
    self.setup = setup
    self.sink = sink
    let inbox = inbox
    gpsd = GPSDSource(setup.configuration.address, on: group) { inbox.offer(.gpsd($0)) }
    alarm = Alarm(on: group.next(), inbox)
    let (rules, policy) = try setup.configuration.decisions()
    engine = LocationEngine(rules: rules, policy: policy)
    meter = try Daemon.meter(setup.configuration)
    let device = try setup.configuration.device()
    startBoot = HostClock.bootClock
    now = .zero
    state = TrackState(
      mode: setup.mode, policy: setup.mode == .significant ? policy.name : nil,
      now: HostClock.utc, link: "not asked yet", battery: device.battery.nominal,
      profile: device.name)
    if let output = setup.output {
      trace = try LiveTrace(path: output.path, format: output.format)
    }
    guard let path = setup.recordingPath else { return }
    do {
      recorder = try LiveRecorder(
        path: path, release: setup.release, setup.configuration, engine, now,
        observes: setup.observes)
    } catch {
      trace?.discard()
      throw error
    }
  }

  /// Tracks until `stop`, or until the stated count or time is reached; answers the last state.
  package func run() async -> TrackState {
    begin()
    show()
    while !isOver {
      setTimer()
      let events = await inbox.take()
      now = max(now, EngineInstant(microseconds: HostClock.bootClock - startBoot))
      for event in events where !isOver { take(event) }
      if let due = engine.nextDeadline, due <= now { tell(.timePassed) }
      noteSilence()
      if let duration = setup.duration, now.seconds >= duration { isOver = true }
      show()
    }
    alarm.set(nil, at: now)
    await gpsd.close()
    do { try trace?.finish() } catch { tell(.remark(words(of: error))) }
    state.unwritten = trace?.lost ?? 0
    if state.unwritten > 0, let path = setup.output?.path {
      let lost = state.unwritten
      tell(.remark("\(path): \(Figures.count(lost, "fix", "fixes")) could not be written"))
    }
    // Says until when nothing happened.
    now = max(now, EngineInstant(microseconds: HostClock.bootClock - startBoot))
    tell(.timePassed)
    recorder?.finish()
    sayRecording()
    for sentence in news.repeated { tell(.remark(sentence)) }
    show()
    return state
  }

  package nonisolated func stop() { inbox.offer(.stop) }

  private func begin() {
    write { try $0.begin() }
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
    case .deadlineCame: alarm.rang()
    case .stop: isOver = true
    case .process, .client, .modem, .reload: break
    }
  }

  private func heard(_ event: GPSDEvent) {
    switch event {
    case .fix(let fix, let device):
      noteReport(of: device)
      meter.sawFix(at: now)
      state.fixes += 1
      state.fix = fix
      state.isSearching = false
      lastFixAt = now
      tell(.fix(fix))
    case .searching(let device):
      noteReport(of: device)
      meter.sawNoFix(at: now)
      state.isSearching = true
    case .line(let line): recorder?.record(line)
    case .link(let link):
      state.link = link.words
      if let output = news.output(of: link) { tell(output) }
      switch link {
      case .connected: meter.knows(true, at: now)
      case .unreachable, .lost:
        silence.ended()
        lose()
      case .watching(true): silence.began(at: now)
      case .watching(false): silence.ended()
      }
    case .device(let device):
      state.link = device.words
      tell(news.output(of: device, isWanted: engine.plan.isOn))
      switch device {
      case .opened: meter.knows(true, at: now)
      case .closed where news.hasReceiver: if news.spokeLast(device) { trace?.endSegment() }
      case .closed, .none:
        // That is what is to be said; a silence follows from it.
        silence.ended()
        lose()
      }
    case .trouble(let trouble):
      if let sentence = news.sentence(of: trouble) { tell(.remark(sentence)) }
    }
    sayRecording()
  }

  private func noteReport(of device: String) {
    news.heard(device)
    guard silence.heard(at: now) else { return }
    state.link = "a receiver reports again"
    tell(.remark(state.link))
  }

  private func noteSilence() {
    guard let seconds = silence.passed(to: now) else { return }
    state.link = "no receiver has reported for \(Figures.span(seconds))"
    tell(.remark(state.link + ": unplugged? (milepost doctor says more)"))
    lose()
  }

  /// Nobody knows any more what the receiver does.
  private func lose() {
    guard engine.plan.isOn else { return }
    meter.knows(false, at: now)
    trace?.endSegment()
  }

  // MARK: Engine

  private func tell(_ input: EngineInput) {
    guard turn.add(input) else { return }
    while let commands = turn.next(&engine, at: now, recording: recorder) {
      for command in commands { perform(command) }
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
    case .verdict(Self.app, let service, let verdict, let fixTime):
      state.verdict = verdict
      note(.verdict(Self.app, service, verdict, fixTime: fixTime))
    case .motion(Self.app): note(.motion(Self.app))
    case .paused(Self.app): note(.paused(Self.app))
    case .receiver(let plan):
      meter.follow(plan, at: now)
      gpsd.watch(plan.isOn)
      if !plan.isOn {
        news.rest()
        silence.ended()
        state.isSearching = false
      }
      note(.receiver(plan))
    case .requestNetworkPosition: tell(.networkPositionFailed)
    case .transition, .launch, .verdict, .motion, .paused, .listen, .ignored: break
    }
  }

  private func deliver(_ delivery: Delivery, to app: AppID) {
    guard app == Self.app else { return write { try $0.write(delivery.fix) } }
    meter.app(.delivery, at: now)
    state.deliveries += 1
    lastDeliveryAt = now
    note(.deliver(app, delivery))
    if !setup.observes { write { try $0.write(delivery.fix) } }
    if setup.mode == .significant { tell(.app(app, .finishedWork)) }
    if let count = setup.count, state.deliveries >= count { isOver = true }
  }

  private func write(_ body: (LiveTrace) throws -> Void) {
    guard let trace, let path = setup.output?.path else { return }
    do {
      try body(trace)
      if trace.isClosed { isOver = true }
      guard let before = failingSince else { return }
      failingSince = nil
      let lost = Figures.count(trace.lost - before, "fix", "fixes")
      tell(.remark("\(path): it can be written again; \(lost) are missing from it"))
      trace.endSegment()
    } catch {
      guard failingSince == nil else { return }
      failingSince = trace.lost - 1
      tell(.remark("\(words(of: error)); tracking goes on, and each fix is tried again"))
    }
  }

  private func sayRecording() {
    guard !saidRecording, let trouble = recorder?.trouble else { return }
    saidRecording = true
    tell(.remark("\(trouble); the recording ends here, tracking goes on"))
  }

  // MARK: Showing

  private func tell(_ output: Output) {
    if !sink(output) { isOver = true }
  }

  private func note(_ kind: ReplayEvent.Kind) {
    tell(.event(ReplayEvent(at: now, time: HostClock.utc, kind: kind)))
  }

  private func show() {
    let report = meter.report(at: now)
    state.now = HostClock.utc
    state.elapsed = now.seconds
    state.metered = report.seconds
    state.appState = engine.state(of: Self.app) ?? .notRunning
    state.plan = engine.plan
    state.receiver = meter.receiverText
    state.isReceiverKnown = meter.isKnown
    state.nextSession = engine.plan.nextSession.map { EngineInstant.seconds(from: now, to: $0) }
    state.fixAge = lastFixAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.deliveryAge = lastDeliveryAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.energy = report.total
    tell(.state(state))
  }

  private func setTimer() {
    var dues = [engine.nextDeadline, silence.deadline].compactMap(\.self)
    if let duration = setup.duration { dues.append(.zero.advanced(bySeconds: duration)) }
    if let refresh = setup.refresh {
      // Stays where it is until it comes, however often this is asked.
      let next = (now.seconds / refresh).rounded(.down) + 1
      dues.append(.zero.advanced(bySeconds: next * refresh))
    }
    alarm.set(dues.min(), at: now)
  }
}
