// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// What the service knows of the world around it, and what that changes for the engine, the meter and people:
//
//   gpsd ────► GPSDLine, ReceiverFacts ──► fixes to the engine, reports to the meter, why no fix comes
//   modem ───► CellWatch ────────────────► the policy's senses
//   machine ─► battery, power, memory ───► events of the device, the price of lateness
//           └► MachineHints ─────────────► the policy's senses: accelerometer, ignition, Wi-Fi
//   radio (simulated) ───────────────────► the engine and the meter, as it is
//
// It knows no app. A trouble is reported once in full and then counted: a receiver that stutters must not fill the
// journal; `status` goes on counting. So is a receiver that falls silent while it is wanted (ReportSilence.swift), which
// gpsd does not tell of; and that it reports again.
//
// Memory [ours]: a twentieth of a machine's should be free for use. The missing part is needed at once, so suspended
// apps go, the largest first, then those in the background; sinks, handlers and ports for gpsd clients have no process
// of theirs that could go. If nothing is missing and programs wait for memory all the same, one suspended app goes for
// each such report, and none that runs.
//
// External power (the price of lateness; its meaning for looks is in LatenessTerms.swift):
//
//   external_power = yes, no     as stated
//   automatic                    as last reported; before the first report as reported to the service before
//                                this one; a machine without reports counts as on a battery, for looks that are
//                                too rare are noticed sooner than a battery that empties too soon

/// The world as the service sees it.
struct World: Sendable {
  private(set) var line: GPSDLine
  private(set) var receiver: ReceiverFacts
  private var rest = ReceiverRest()
  private var silence = ReportSilence(least: World.silentAfter)
  /// The last report before the silence that was told; `nil` while the receivers report.
  private var missingSince: EngineInstant?
  private var cells: CellWatch
  private(set) var hints: MachineHints
  private var battery = BatterySaver()
  private(set) var energyByMode = EnergyByMode()
  /// Whether the machine was on external power at its last report, including to the service before this one.
  private var isOnExternalPower: Bool
  /// Faults of gpsd's data, and their counts; bounded by the number of kinds.
  private var troubles: [String: Int] = [:]
  /// The messages that found the host's inbox full.
  private var lost: [RefusableEvent: Int] = [:]
  /// Joules by component of all services before this one.
  let energyBefore: [String: Double]
  /// The unwatched time before this start; `nil` at a first start.
  let gap: EngineClock.Gap?

  init(_ beginning: ServiceBeginning, _ engine: LocationEngine, at time: ServiceTime) {
    line = GPSDLine(at: time.utc)
    receiver = ReceiverFacts(at: time.utc)
    cells = CellWatch(isTold: engine.senses.contains(.cells))
    hints = MachineHints(engine, isWanted: beginning.settings.wantsMotion)
    isOnExternalPower = engine.rules.lateness.isOnExternalPower
    energyBefore = beginning.stored.energy
    gap = beginning.clock.gap
  }

  // MARK: gpsd

  mutating func receive(
    gpsdEvent event: GPSDEvent, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    switch event {
    case .fix(let fix, let device):
      receiver.receive(fixOf: device, at: step.now)
      heard(device, &step)
      meter.sawFix(at: step.now.at)
      hints.saw(fix.coordinate)
      step.tellEngine(.fix(fix))
      step.want(.judged(fix))
    case .searching(let device):
      heard(device, &step)
      meter.sawNoFix(at: step.now.at)
    case .signal(let isHeard): if engine.isInSession { step.tellEngine(.signal(isHeard: isHeard)) }
    // Without a request it changes nothing, and it comes ten times a second.
    case .heading(let heading, _): if engine.asksHeading { step.tellEngine(.heading(heading)) }
    case .declination(let degrees): step.tellEngine(.declination(degrees))
    case .sky(let sky, _): receiver.receive(sky: sky, at: step.now.at)
    // Only recorded.
    case .line: break
    case .link(let link): receive(link: link, engine, &meter, &step)
    case .device(let device): receive(device: device, engine, &meter, &step)
    case .trouble(let trouble):
      troubles[trouble.kind, default: 0] += 1
      if troubles[trouble.kind] == 1 { step.journal(.warning, trouble.words) }
    }
  }

  // MARK: The receiver's silence

  /// Seconds without a report after which the journal says so [ours]: longer than a receiver takes to wake.
  static let silentAfter = 60.0

  private mutating func heard(_ device: String, _ step: inout Step) {
    line.reported(device, at: step.now.at)
    if silence.isListening { _ = silence.heard(at: step.now.at) }
    guard let since = missingSince else { return }
    missingSince = nil
    let span = Figures.span(EngineInstant.seconds(from: since, to: step.now.at))
    tellOfReceiver(.notice, "a receiver reports again, after \(span)", &step)
  }

  /// The instant at which a silence is told; `nil` if none is to be.
  var silenceDeadline: EngineInstant? { missingSince == nil ? silence.deadline : nil }

  /// Tells of a silence, if it is one by now.
  mutating func judgeSilence(_ step: inout Step) {
    guard missingSince == nil, let seconds = silence.passed(to: step.now.at) else { return }
    missingSince = step.now.at.advanced(bySeconds: -seconds)
    let open = line.devices.map(\.path)
    let what = open.isEmpty ? "gpsd has none open" : "gpsd has \(Figures.list(open)) open"
    tellOfReceiver(
      .warning,
      "no receiver has reported for \(Figures.span(seconds)): \(what); milepost doctor says why",
      &step)
  }

  private func tellOfReceiver(_ level: LogLevel, _ text: String, _ step: inout Step) {
    step.record(nil, "receiver", text)
    step.journal(level, text)
  }

  /// The engine has judged the newest position of gpsd.
  mutating func judged(_ fix: Fix, _ engine: LocationEngine, _ step: inout Step) {
    if engine.lastKnown == fix { step.ledger.remember(position: fix, at: step.now) }
    receiver.show(engine.hiddenIn == nil ? fix : nil)
  }

  private mutating func receive(
    link: GPSDEvent.Link, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    // Reported once: `status` shows that attempts go on.
    let level = line.receive(link: link, at: step.now.utc)
    followSilence(isWanted: engine.plan.isOn, at: step.now.at)
    switch link {
    case .connected:
      meter.knows(true, at: step.now.at)
      step.journal(level, link.words)
    case .unreachable, .lost:
      if engine.plan.isOn { meter.knows(false, at: step.now.at) }
      step.journal(level, link.words)
      step.want(.tellUpdating(.noFix(link.words)))
    case .watching: step.journal(level, link.words)
    }
  }

  /// Only of a receiver that is wanted and watched a report is missed.
  private mutating func followSilence(isWanted: Bool, at now: EngineInstant) {
    guard isWanted, line.isWatching else { return silence.ended() }
    silence.began(at: now)
  }

  private mutating func receive(
    device: GPSDEvent.Device, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    let level: LogLevel
    switch device {
    case .none:
      level = line.closedAll()
      step.want(.tellUpdating(.noFix(device.words)))
    case .opened(let path, let driver): level = line.opened(path, driver: driver)
    case .closed(let path): level = line.closed(path)
    case .identified(let path, let identity):
      let words = ReceiverRest.words(device, identity, step.settings.receiverSleep)
      return step.journal(line.identified(path, identity), words)
    case .released:
      meter.released(at: step.now.at)
      return step.journal(.debug, device.words)
    case .asleep(_, let family):
      meter.released(.asleep(until: rest.end(of: family)), at: step.now.at)
      return step.journal(.debug, device.words)
    }
    // A missing receiver is unknown, not off: its power is not metered.
    if engine.plan.isOn, line.isConnected {
      meter.knows(!line.devices.isEmpty, at: step.now.at)
    }
    step.journal(level, device.words)
  }

  /// Takes the number of events that found the host's inbox full.
  mutating func lost(_ kind: RefusableEvent, _ count: Int, _ step: inout Step) {
    if lost[kind] == nil { step.journal(.warning, kind.words(count) + "; status counts on") }
    lost[kind, default: 0] += count
  }

  /// The number of events that were lost.
  var lostEvents: Int { lost.values.reduce(0, +) }

  /// gpsd is elsewhere now: the old one's state says nothing about it.
  mutating func gpsdMoved(_ step: inout Step) {
    line.moved(at: step.now.utc)
    let (host, port) = (step.settings.gpsdHost, step.settings.gpsdPort)
    step.intend(.effect(.connect(host: host, port: port, device: step.settings.gpsdDevice)))
    step.intend(.watch)
  }

  /// Tells an app that starts a service if gpsd is needed and cannot be reached.
  func sayUnreachable(_ client: ClientID, _ engine: LocationEngine, _ step: inout Step) {
    if engine.plan.isOn, line.isUnreachable { step.answer(client, .noFix(line.words)) }
  }

  /// A position from the network is wanted.
  func askNetwork(_ meter: inout ServiceMeter, _ step: inout Step) {
    // Without a source of network positions on this machine the policy goes on without.
    guard step.settings.hearsReceiver else { return step.tellEngine(.networkPositionFailed) }
    meter.locate(at: step.now.at)
    step.intend(.effect(.askNetwork))
  }

  /// The receiver's sky, if it may go with a report.
  func sky(at now: EngineInstant) -> Sky? {
    receiver.sky(within: GPSDListenerApp.skyAge, at: now)
  }

  /// The reason why no fixes come though the receiver is wanted; `nil` if they do, or it is off.
  func drought(of device: String?, at now: EngineInstant) -> String? {
    receiver.drought(on: line, of: device, at: now)
  }

  // MARK: Energy by mode

  /// Settles the energy, if the mode has changed.
  mutating func followMode(
    _ engine: LocationEngine, _ meter: ServiceMeter, at now: EngineInstant
  ) {
    guard let mode = engine.leadingService, mode != energyByMode.leader else { return }
    settleEnergy(meter, at: now)
    energyByMode.lead(mode)
  }

  /// Reads a copy of the meter: its sums must not depend on the times of queries.
  mutating func settleEnergy(_ meter: ServiceMeter, at now: EngineInstant) {
    var meter = meter
    energyByMode.settle(upTo: meter.report(at: now).total)
  }

  /// Joules by component since the first service, with those of the present meter.
  func energy(adding report: EnergyReport) -> [String: Double] {
    var energy = energyBefore
    for row in report.components { energy[row.component, default: 0] += row.energy.nominal }
    return energy
  }

  // MARK: The receiver's plan

  /// For how long the receiver may sleep from now on; `nil` leaves it awake.
  mutating func receiverSleep(_ engine: LocationEngine, _ step: Step) -> RestSpan? {
    rest.begin(
      engine.plan, step.settings.receiverSleep, hears: !engine.senses.isEmpty, at: step.now.at)
  }

  /// Takes a change of the receiver's plan, or the restored plan.
  mutating func follow(plan: ReceiverPlan, _ meter: inout ServiceMeter, _ step: inout Step) {
    meter.follow(plan: plan, at: step.now.at)
    if plan.isOn { hints.looked() }
    if !plan.isOn { line.rest() }
    followSilence(isWanted: plan.isOn, at: step.now.at)
    receiver.follow(isOn: plan.isOn, at: step.now)
    step.ledger.needCheckpoint()
    step.intend(.watch)
  }

  /// Listens to these sources of hints.
  mutating func listen(
    to triggers: Triggers, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    step.ledger.needCheckpoint()
    meter.arm(triggers, at: step.now.at)
    step.intend(.listen)
  }

  /// The service serves: the watch follows the restored plan, which may be on.
  mutating func serve(
    _ engine: LocationEngine, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    step.phase = .serving
    follow(plan: engine.plan, &meter, &step)
    listen(to: engine.triggers, &meter, &step)
  }

  /// Follows a step of the host's clock: starting times are given by its new reading.
  mutating func follow(clockStep step: ClockStep) {
    line.follow(clockStep: step)
    receiver.follow(clockStep: step)
  }

  /// Forgets the last position if it is concerned.
  mutating func forget(where isConcerned: (Fix, _ received: UTCInstant) -> Bool) {
    if let fix = receiver.fix, let heard = receiver.heard, isConcerned(fix, heard.received) {
      receiver.show(nil)
    }
  }

  // MARK: The machine

  mutating func receive(
    machineEvent: MachineEvent, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    switch machineEvent {
    case .memoryIsShort(let memory):
      guard let megabytes = MemoryNeed.megabytes(memory, engine) else { return }
      say(.memoryNeeded(megabytes: megabytes), engine, &step)
    case .battery(let reading):
      guard let limit = step.settings.lowPowerBelow,
        let isOn = battery.receive(reading: reading, below: limit, isOn: engine.device.isLowPower)
      else { return }
      say(.lowPower(isOn), engine, &step)
    case .externalPower(let isExternal):
      let wasOn = isOnExternalPower
      isOnExternalPower = isExternal ?? false
      followLateness(engine, &step)
      guard step.settings.powerIsIgnition, isOnExternalPower != wasOn else { return }
      hints.came(.ignition(isOn: isOnExternalPower), &meter, &step)
    case .motionSensor(let sensor):
      guard let words = hints.found(sensor, on: step.settings.device) else { return }
      step.journal(.notice, words)
      followSenses(&step)
    case .motionFelt:
      if engine.triggers.contains(.motion) { hints.came(.motion, &meter, &step) }
    case .socketIsReady(let name): step.want(.socketIsReady(name))
    case .network(let reading): step.want(.network(reading))
    case .wifi(let name): hints.read(wifi: name, &meter, &step)
    case .trouble(let words): step.journal(.info, words)
    }
  }

  /// Takes an event of the device, from any source.
  mutating func receive(deviceEvent: DeviceEvent, _ engine: LocationEngine, _ step: inout Step) {
    step.ledger.needCheckpoint()
    step.tellEngine(.device(deviceEvent))
    switch deviceEvent {
    case .rebooted(isLocked: false): step.startWhatRuns()
    case .unlocked where engine.device.isLocked: step.startWhatRuns()
    case .rebooted, .unlocked, .lowPower, .backgroundRefresh, .networkChanged, .memoryNeeded, .call:
      break
    }
  }

  private mutating func say(
    _ event: DeviceEvent, _ engine: LocationEngine, _ step: inout Step
  ) {
    step.note(nil, "device", event.words)
    receive(deviceEvent: event, engine, &step)
  }

  // MARK: Lateness

  /// By the configuration, and the machine's report.
  func lateness(_ settings: ServiceSettings) -> LatenessTerms {
    var terms = settings.rules.lateness
    terms.isOnExternalPower = settings.externalPower ?? isOnExternalPower
    return terms
  }

  /// Continues the engine with the present price of lateness, if it has changed.
  mutating func followLateness(_ engine: LocationEngine, _ step: inout Step) {
    guard engine.rules.lateness != lateness(step.settings) else { return }
    step.ledger.needCheckpoint()
    step.want(.reconfigure(saysWorth: true))
  }

  // MARK: The modem

  mutating func receive(modemEvent event: ModemEvent, _ step: inout Step) {
    switch event {
    case .cell(let cell, let previous):
      if cells.sawCell() {
        step.journal(
          .notice, "a modem tells its cells: their changes are taken for hints of a move")
        followSenses(&step)
      }
      guard previous != nil else { return }
      hints.note(.cell, at: step.now.at)
      step.want(.cellChanged(CellHint(rawValue: cell.number)))
    case .modem(present: true, let words):
      // It is found again whenever listening begins.
      step.journal(cells.isNew("modem") ? .info : .debug, words)
    case .modem(present: false, let words):
      step.journal(.notice, words)
      lostCells(hasBus: true, &step)
    case .trouble(let trouble): receive(trouble: trouble, &step)
    }
  }

  /// The cell of a modem, or of a simulated one, has changed.
  func changed(
    to cell: CellHint, _ engine: LocationEngine, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    meter.record(.cellWake, at: step.now.at)
    if engine.triggers.contains(.cells) { step.tellEngine(.cellChanged(cell)) }
  }

  private mutating func receive(trouble: ModemEvent.Trouble, _ step: inout Step) {
    var hasBus = true
    let isOrdinary: Bool
    switch trouble {
    case .noBus:
      hasBus = false
      isOrdinary = true
    case .noModemManager, .noModem: isOrdinary = true
    case .noCells, .notReady, .notAllowed, .switchedOff, .refused, .badLocation: isOrdinary = false
    }
    // A missing modem needs no warning, and a modem that stutters must not fill the journal.
    if cells.isNew(trouble.kind) {
      step.journal(isOrdinary ? .info : .warning, "cells: \(trouble.words)")
    }
    if case .badLocation = trouble { return }
    lostCells(hasBus: hasBus, &step)
  }

  private mutating func lostCells(hasBus: Bool, _ step: inout Step) {
    guard cells.lost(hasBus: hasBus) else { return step.intend(.listen) }
    step.journal(.notice, "no changes of cell come now: the policy goes on by the clock")
    if cells.isGivenUp {
      step.journal(
        .warning,
        "the modem went \(CellWatch.lossLimit) times; it is not asked again until a restart")
    }
    followSenses(&step)
  }

  /// Makes the policy rely on the present hints.
  private func followSenses(_ step: inout Step) {
    step.ledger.needCheckpoint()
    step.want(.reconfigure(saysWorth: false))
    step.intend(.listen)
  }

  /// The policy by the present knowledge of cells and motion.
  func policy(_ settings: ServiceSettings) -> SignificantPolicy {
    let policy = settings.wantsModem && cells.isTold ? settings.policyWithCells : settings.policy
    return hints.sensing.map { policy.feeling($0) } ?? policy
  }

  /// Whether to listen to the modem.
  func listens(_ engine: LocationEngine) -> Bool {
    cells.listens(engineWants: engine.triggers.contains(.cells))
  }
}
