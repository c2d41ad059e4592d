// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import GPSDSource
import LocationEngine
import LocationModel
package import NIOCore
import RadioPower
package import Replay
package import Reports
import ServiceContract
import ServiceCore
import TraceFiles

// Theory
// ======
//
// One app, in this process, on a real gpsd. The service is that of the daemon and of the replay, on a virtual host
// whose only program is `TrackedApp`. The mode determines the app's life:
//
//   standard     launched, updates, stays in the foreground
//   continuous   launched, updates, into the background, where they keep it running
//   significant  launched, monitors, into the background; suspended after 5 s; woken for each event, and
//                done at once
//
// With `observes` a second app requests continuous updates of everything, so that the receiver never rests; its
// deliveries go only to the trace file.
//
// Odd cases
// - Unobserved stretches are not connected: the loss of a wanted receiver, or of gpsd, ends the segment of the trace
//   file. A receiver that gpsd closed because it was unwanted does not.
// - A failing file is reported once, and tracking goes on. The trace file is retried with every point, and its recovery
//   reported; a recording ends, for it would have a hole.
// - A receiver that falls silent without a message from gpsd counts as lost (`ReportSilence`).
// - A failure to reach gpsd is reported once per reason, however often it recurs; a trouble with gpsd's data once per
//   kind, with the count at the end.
// - A position within a privacy zone is shown, written and recorded nowhere.
// - Two receivers at once are one stream of fixes to the engine, in the order of arrival.

/// Follows gpsd in one mode, until it is stopped.
package actor Tracker {
  /// The output of the tracker.
  package enum Output: Sendable {
    case event(ReplayEvent)
    /// A sentence about gpsd, the receiver or a file, for people.
    case remark(String)
    /// A sentence that does not matter while all is well.
    case detail(String)
    /// The state on the screen changed.
    case state(TrackState)
  }

  private static let app = AppID(1)
  private static let observer = AppID(2)
  private static let names = ["track", "observer"]

  private let setup: TrackSetup
  private let inbox = Inbox()
  private let loop: any EventLoop
  private let gpsd: GPSDSource
  private let sink: @Sendable (Output) -> Bool
  private var host: VirtualHost
  private var recorder: LiveRecorder?
  private var saidRecording = false
  private var trace: LiveTrace?
  /// The number of lost points when the file's failure was reported; `nil` while it works.
  private var failingSince: Int?
  private var state: TrackState
  private var news = TrackNews()
  private var silence = ReportSilence()
  private var now: EngineInstant
  private let clock = HostClock()
  private let startBoot: Int64
  private var lastFixAt: EngineInstant?
  private var lastDeliveryAt: EngineInstant?
  private var alarm: Alarm
  private var isOver = false
  /// Kinds of events whose loss was reported.
  private var lost: Set<RefusableEvent> = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.executor.asUnownedSerialExecutor()
  }

  /// `sink` is called in order and must not block for long; if it returns `false`, there is no reader any more, and the
  /// track ends. Throws `Complaint`; then no file is left behind.
  package init(
    _ setup: TrackSetup, on group: any EventLoopGroup, sink: @escaping @Sendable (Output) -> Bool
  ) throws {
    self.setup = setup
    self.sink = sink
    let (loop, inbox) = (group.next(), inbox)
    self.loop = loop
    gpsd = GPSDSource(
      setup.configuration.address, on: loop, passesLines: setup.recordingPath != nil
    ) { inbox.offer(.gpsd($0)) }
    alarm = try Alarm(inbox, clock)
    var settings = try setup.configuration.settings(release: setup.release)
    settings.hidesFromAll = true
    let device = try setup.configuration.device()
    startBoot = clock.bootClock
    now = .zero
    let beginning = ServiceBeginning(
      settings: settings,
      host: ServiceHost(
        pid: HostClock.processID, boot: HostClock.bootID, socketPath: "", storePath: "",
        hasStore: false, freezer: "none"),
      clock: EngineClock(
        continuing: nil, boot: HostClock.bootID, bootClock: 0, utc: clock.utc))
    let time = ServiceTime(at: now, utc: clock.utc)
    host = VirtualHost(beginning, at: time, keepsTranscript: setup.recordingPath != nil)
    host.configure { $0.decisions.areKept = true }
    state = TrackState(
      mode: setup.mode, policy: setup.mode == .significant ? settings.policy.name : nil,
      now: clock.utc, link: "not asked yet", battery: device.battery.nominal,
      profile: device.name)
    if let output = setup.output {
      trace = try LiveTrace(path: output.path, format: output.format)
    }
    guard let path = setup.recordingPath else { return }
    do {
      recorder = try LiveRecorder(path: path, beginning: beginning, at: time)
    } catch {
      trace?.discard()
      throw error
    }
  }

  /// Tracks until `stop`, or until the stated count or time is reached; returns the last state.
  package func run() async -> TrackState {
    beginTracking()
    show()
    if !isOver {
      setTimer()
      await inbox.serve(on: loop) { events in self.assumeIsolated { $0.turn(events) } }
    }
    await alarm.close()
    await gpsd.close()
    do { try trace?.finishDocument() } catch { show(output: .remark("\(error)")) }
    state.unwritten = trace?.lost ?? 0
    if state.unwritten > 0, let path = setup.output?.path {
      let lost = state.unwritten
      show(output: .remark("\(path): \(Figures.count(lost, "fix", "fixes")) could not be written"))
    }
    // States the time until which nothing happened.
    now = max(now, EngineInstant(microseconds: clock.bootClock - startBoot))
    host.tellService(.timePassed, at: time)
    heed()
    recorder?.finishRecording()
    sayRecording()
    for sentence in news.repeated { show(output: .remark(sentence)) }
    show()
    return state
  }

  package nonisolated func stop() { inbox.offer(.service(.stop)) }

  /// Takes what came; returns whether the track goes on.
  private func turn(_ events: [DaemonEvent]) -> Bool {
    now = max(now, EngineInstant(microseconds: clock.bootClock - startBoot))
    for event in events where !isOver { takeEvent(event) }
    while let due = host.nextDeadline, due <= now, !isOver {
      host.pass(to: time)
      heed()
    }
    noteSilence()
    if let duration = setup.duration, now.seconds >= duration { isOver = true }
    show()
    if !isOver { setTimer() }
    return !isOver
  }

  private func beginTracking() {
    writeTrace { try $0.beginDocument() }
    addApp(Self.names[0], setup.mode, setup.request)
    if setup.mode != .standard { host.user(.control(Self.names[0], .background), at: time) }
    if setup.observes { addApp(Self.names[1], .continuous, StandardRequest()) }
    heed()
  }

  private func addApp(_ name: String, _ mode: Service, _ request: StandardRequest) {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = mode == .continuous
    host.addApp(
      AppManifest(
        name: name, kind: .connected, command: [name], directory: "/", declaration: declaration,
        service: nil, launch: .manual),
      running: TrackedApp(mode: mode, request: request), at: time)
    host.user(.control(name, .launch), at: time)
  }

  private var time: ServiceTime { ServiceTime(at: now, utc: clock.utc) }

  private func takeEvent(_ event: DaemonEvent) {
    switch event {
    case .gpsd(let event): heard(event)
    case .deadlineCame: alarm.rang()
    case .service(.refused(let kind, let count)):
      if lost.insert(kind).inserted { show(output: .remark(kind.words(count))) }
      host.tellService(.refused(kind, count: count), at: time)
    case .service(.stop): isOver = true
    case .service(.timePassed): host.tellService(.timePassed, at: time)
    case .service: break
    case .process, .client, .modem, .machine, .socket, .reload: break
    }
  }

  private func heard(_ said: GPSDEvent) {
    let event = host.service.withoutHidden(said)
    switch event {
    case .fix(let fix, let device):
      noteReport(of: device)
      state.fixes += 1
      state.fix = event == said ? fix : nil
      state.isSearching = false
      lastFixAt = now
    case .sky, .signal, .heading, .declination: break
    case .searching(let device):
      noteReport(of: device)
      state.isSearching = true
    case .line(let line):
      if setup.configuration.zones.isEmpty { recorder?.record(line) }
      return
    case .link(let link):
      state.link = link.words
      if let output = news.output(of: link) { show(output: output) }
      switch link {
      case .connected: break
      case .unreachable, .lost:
        silence.ended()
        lose()
      case .watching(true): silence.began(at: now)
      case .watching(false): silence.ended()
      }
    case .device(let device):
      state.link = device.words
      show(output: news.output(of: device, isWanted: host.service.engine.plan.isOn))
      switch device {
      case .opened, .identified, .released, .asleep: break
      case .closed where news.hasReceiver: if news.spokeLast(device) { trace?.endSegment() }
      case .closed, .none:
        // That is the message; a silence follows from it.
        silence.ended()
        lose()
      }
    case .trouble(let trouble):
      if let sentence = news.sentence(of: trouble) { show(output: .remark(sentence)) }
    }
    host.tellService(.gpsd(event), at: time)
    heed()
    if state.hiddenIn == nil, host.service.engine.hiddenIn != nil { trace?.endSegment() }
    state.hiddenIn = host.service.engine.hiddenIn
    sayRecording()
  }

  private func noteReport(of device: String) {
    news.heard(device)
    guard silence.heard(at: now) else { return }
    state.link = "a receiver reports again"
    show(output: .remark(state.link))
  }

  private func noteSilence() {
    guard let seconds = silence.passed(to: now) else { return }
    state.link = "no receiver has reported for \(Figures.span(seconds))"
    show(output: .remark(state.link + ": unplugged? (milepost doctor says more)"))
    lose()
  }

  /// Notes that the receiver's state is unknown from now on.
  private func lose() {
    guard host.service.engine.plan.isOn else { return }
    trace?.endSegment()
  }

  // MARK: The service

  /// Performs the service's requests to gpsd, and shows its decisions.
  private func heed() {
    for step in host.takeTranscript() {
      switch step {
      case .input(let input, let time): recorder?.record(input, at: time)
      case .decision(let change, let outcome, let effects):
        recorder?.record(outcome, effects, writing: change)
      }
    }
    for case .watch(let isOn, _) in host.takeRequests() { gpsd.watch(isOn) }
    for decision in host.takeDecisions() { show(decision) }
  }

  private func show(_ decision: EngineCommand) {
    switch decision {
    case .deliver(let app, let delivery): return deliver(delivery, to: app)
    case .verdict(Self.app, _, let verdict, _): state.verdict = verdict
    case .receiver(let plan):
      if !plan.isOn {
        news.rest()
        silence.ended()
        state.isSearching = false
      }
    case .requestNetworkPosition: return
    case .transition, .launch, .verdict, .motion, .paused, .requestFailed, .asksUser, .listen,
      .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken, .heading,
      .deferralEnded, .place,
      .ignored:
      break
    }
    guard decision.app ?? Self.app == Self.app else { return }
    ReplayEvent.Kind(decision, verdicts: true).map(showEvent)
  }

  private func deliver(_ delivery: Delivery, to app: AppID) {
    guard app == Self.app else { return writeTrace { try $0.write(fix: delivery.fix) } }
    state.deliveries += 1
    lastDeliveryAt = now
    showEvent(.decided(.deliver(app, delivery)))
    if !setup.observes { writeTrace { try $0.write(fix: delivery.fix) } }
    if let count = setup.count, state.deliveries >= count { isOver = true }
  }

  private func writeTrace(_ body: (LiveTrace) throws -> Void) {
    guard let trace, let path = setup.output?.path else { return }
    do {
      try body(trace)
      if trace.isClosed { isOver = true }
      guard let before = failingSince else { return }
      failingSince = nil
      let lost = Figures.count(trace.lost - before, "fix", "fixes")
      show(output: .remark("\(path): it can be written again; \(lost) are missing from it"))
      trace.endSegment()
    } catch {
      guard failingSince == nil else { return }
      failingSince = trace.lost - 1
      show(output: .remark("\(error); tracking goes on, and each fix is tried again"))
    }
  }

  private func sayRecording() {
    guard !saidRecording, let trouble = recorder?.trouble else { return }
    saidRecording = true
    show(output: .remark("\(trouble); the recording ends here, tracking goes on"))
  }

  // MARK: Showing

  private func show(output: Output) {
    if !sink(output) { isOver = true }
  }

  private func showEvent(_ kind: ReplayEvent.Kind) {
    show(output: .event(ReplayEvent(at: now, time: clock.utc, kind: kind)))
  }

  private func show() {
    var meter = host.service.meter
    let report = meter.report(at: now)
    state.now = clock.utc
    state.elapsed = now.seconds
    state.metered = report.seconds
    state.appState = host.service.engine.state(of: Self.app) ?? .notRunning
    state.plan = host.service.engine.plan
    state.receiver = meter.receiverText
    state.isReceiverKnown = meter.isKnown
    state.nextSession = host.service.engine.plan.nextSession.map {
      EngineInstant.seconds(from: now, to: $0)
    }
    state.fixAge = lastFixAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.deliveryAge = lastDeliveryAt.map { EngineInstant.seconds(from: $0, to: now) }
    state.energy = report.total
    show(output: .state(state))
  }

  private func setTimer() {
    var dues = [host.nextDeadline, silence.deadline].compactMap(\.self)
    if let duration = setup.duration { dues.append(.zero.advanced(bySeconds: duration)) }
    if let refresh = setup.refresh {
      // The deadline stays until it comes, however often this is called.
      let next = (now.seconds / refresh).rounded(.down) + 1
      dues.append(.zero.advanced(bySeconds: next * refresh))
    }
    alarm.set(dues.min(), at: now)
  }
}
