// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// A sink is an app whose run is no process. Its deliveries go out in batches, oldest first, one batch at a
// time, of as many as a connected app may have on the way:
//
//            something waits          urgent, due, many, or the radio is on
//   idle ───────────────────► gathering ─────────────────────────────────► passing
//    ▲ ▲                                                                    │   │
//    │ └───────────── all are safe there: acknowledged; the next ones ──────┘   │ the sink says why not
//    │                 its pause is over, or the network is back                ▼
//    └────────────────────────────────────────────────────────────────────── waiting
//
// - Deliveries that a sink has taken are acknowledged as it says so, also within a batch, and that is stored. A kill in
//   between, or an answer that is lost, repeats deliveries under the same numbers: at least once, in order.
// - Non-urgent deliveries are gathered until the oldest has waited for `max_delay_s`, a batch is full, or the radio is
//   on for another sink (DataRadio.swift). A restart does not reset this (`EngineClock`); if the wait is unknown, they go.
// - The consequence of a failure depends on the fault (`SinkFault`). A temporary one: again after 30 s (1 s if no
//   network is needed), twice as long each time, up to half an hour, and at once when the network comes back; not
//   earlier than the other side asked for. Access denied: every half hour, until it is fixed. A message that the other
//   side cannot use goes alone, three times, always with the pauses of a network, and is then set aside with the answer
//   (`milepost apps events` keeps it), so that it does not block the others for ever. If three in a row were set aside
//   the messages are not at fault: an address that answers 400 to all, a device that is not registered. Then it counts
//   as access denied, until one is taken. Nothing else is ever given up.
// - A batch is recalled when its user withdraws something of it (the permission, the exact place, an event): what has not
//   left comes back, and what is left of it goes as the user's word now says.
// - A trial that gets through ends a pause: the fault has been fixed. If the next batch fails all the same, it is one
//   attempt more.
// - The pauses differ by up to a fifth between sinks and attempts, so that a thousand machines do not come back to a
//   server in the same second.
// - The other side may ask for other regions (SinkRegions.swift), and for the present position. Until that is found, or
//   cannot be, the sink counts as in the foreground. At rest it repeats its position (Heartbeat.swift).
// - The outbox has its limit (`outbox_limit`), and dropped deliveries are reported. A sink that keeps only the last
//   delivery has room for one, and replacing it is no loss.
// - A service that stops waits for the batch on its way, as long as it waits for processes.

/// One sink's work.
struct SinkState: Sendable, Equatable {
  fileprivate(set) var run = SinkRun.idle
  /// The number of times in a row that it took nothing.
  fileprivate var attempts = 0
  /// The reason why it takes nothing, from the last attempt; `nil` if unknown.
  fileprivate(set) var trouble: String?
  /// The sums of its transfers.
  fileprivate(set) var tally: UplinkTally
  /// The last time that its other side asked for the present position.
  fileprivate var askedAt: EngineInstant?
  fileprivate(set) var heartbeat: Heartbeat

  fileprivate init(_ tally: UplinkTally, _ heartbeat: Heartbeat) {
    (self.tally, self.heartbeat) = (tally, heartbeat)
  }

  /// The next change by time alone; while a batch is on its way no heartbeat is made.
  fileprivate var nextDeadline: EngineInstant? {
    run.isPassing ? nil : .earlier(run.nextDeadline, heartbeat.next)
  }

  fileprivate func maySendHeartbeat(early now: EngineInstant) -> Bool {
    run == .idle && heartbeat.mayRide(at: now)
  }
}

/// The sinks of all apps, and the connection that they share.
struct Sinks: Sendable {
  private var rows = AppTable<SinkState>()
  private var radio = DataRadio()
  private(set) var deadlines = DeadlineTable()

  subscript(id: AppID) -> SinkState? { rows[id] }

  /// As reported by the machine; `nil` if it reports nothing.
  var network: NetworkReading? { radio.network }

  var isPassing: Bool { rows.all.contains { $0.run.isPassing } }

  /// The last number of the batch on its way; `nil` if there is none.
  func inHand(of id: AppID) -> UInt64? {
    if case .passing(let number) = rows.withRow(of: id, { $0.run }) { number } else { nil }
  }

  /// The number of tries of a message that the other side cannot use.
  private static let badMessageTries = 3
  /// Seconds within which a side that has asked for the present position is not answered again [ours].
  private static let asksAgain = 60.0

  // MARK: Apps

  /// `heard` is the time at which its other side last took something, on the engine's axis; `nil` if unknown.
  mutating func openApp(
    _ id: AppID, _ manifest: AppManifest, _ tally: UplinkTally, heard: EngineInstant?,
    at now: EngineInstant
  ) {
    guard manifest.kind == .sink else { return }
    rows[id] = SinkState(tally, Heartbeat(of: manifest, heard: heard ?? now))
    schedule(id)
  }

  /// Its app is removed: nothing more leaves.
  mutating func endApp(_ id: AppID, _ step: inout Step) {
    guard rows[id] != nil else { return }
    radio.ended(id, at: step.now.at, tail: 0)
    step.intend(.effect(.sink(.close(id))))
  }

  mutating func closeApp(_ id: AppID) {
    rows[id] = nil
    deadlines.set(nil, for: id)
  }

  /// Removes all obstacles to a batch.
  mutating func release(_ id: AppID) {
    if case .waiting = rows[id]?.run { set(.idle, of: id) }
  }

  /// A new manifest may have mended it.
  mutating func mended(_ id: AppID, _ step: Step) {
    guard let manifest = step.apps[id]?.manifest else { return }
    rows.change(id) { row in
      row.trouble = nil
      row.heartbeat = Heartbeat(of: manifest, heard: step.now.at)
    }
    schedule(id)
  }

  private mutating func set(_ run: SinkRun, of id: AppID) {
    rows.change(id) { $0.run = run }
    schedule(id)
  }

  private mutating func recovered(_ id: AppID) {
    rows.change(id) { ($0.attempts, $0.trouble) = (0, nil) }
    set(.idle, of: id)
  }

  private mutating func schedule(_ id: AppID) {
    deadlines.set(rows.withRow(of: id) { $0.nextDeadline } ?? nil, for: id)
  }

  /// The time of a pause, of what was gathered, or of a heartbeat has come.
  mutating func deadlineCame(of id: AppID, _ step: inout Step) {
    guard let row = rows[id] else { return }
    if row.run.nextDeadline.map({ $0 <= step.now.at }) == true {
      set(.idle, of: id)
      step.intend(.flush(id))
    }
    if !row.run.isPassing, row.heartbeat.isDue(at: step.now.at) { sendHeartbeat(of: id, &step) }
    schedule(id)
  }

  /// The next heartbeat is due after this one, whether there is one to send or not.
  private mutating func sendHeartbeat(of id: AppID, _ step: inout Step) {
    rows.change(id) { [now = step.now] in $0.heartbeat.begin(at: now.at) }
    schedule(id)
    step.want(.heartbeat(id))
  }

  // MARK: Batches

  /// Passes on waiting deliveries, as many as the window holds, unless they may wait.
  mutating func pass(
    _ id: AppID, _ outboxes: inout Outboxes, _ engine: LocationEngine, _ step: inout Step,
    into effects: inout [ServiceEffect]
  ) {
    guard let run = rows[id]?.run, run.mayPass, !step.phase.isStopping,
      let manifest = step.apps[id]?.manifest, let sink = manifest.sink,
      let oldest = outboxes.next(of: id)
    else { return }
    let schedule = SinkSchedule(sink)
    guard isConnected(for: sink, schedule) else { return }
    let count = outboxes.count(id)
    if let until = mayWait(oldest, of: count, schedule, at: step.now.at) {
      if run != .gathering(until: until) { set(.gathering(until: until), of: id) }
      return
    }
    let regions = regionsTold(toSinkOf: id, engine, step)
    let batch = SinkBatch(
      app: id, sink: sink, directory: manifest.directory,
      deliveries: outboxes.takeBatch(of: id, onlyFirst: oldest.failures > 0),
      regions: regions.isEmpty ? nil : regions)
    set(.passing(upTo: batch.deliveries.last?.delivery.sequence ?? 0), of: id)
    effects.append(.sink(.take(batch)))
    guard sink.needsNetwork else { return }
    radio.began(id)
    for other in rows.ids {
      if rows[other]?.run.isGathering == true { step.intend(.flush(other)) }
      // What waits there says more.
      if outboxes.isEmpty(other), rows[other]?.maySendHeartbeat(early: step.now.at) == true,
        step.apps[other]?.manifest.sink?.needsNetwork == true
      {
        // In a step of its own: what leaves in this one is stored already.
        rows.change(other) { [now = step.now] in $0.heartbeat.rides(at: now.at) }
        self.schedule(other)
      }
    }
  }

  /// The time until which waiting deliveries may wait; `nil` if they go now.
  private func mayWait(
    _ oldest: Outbox.Entry, of count: Int, _ schedule: SinkSchedule, at now: EngineInstant
  ) -> EngineInstant? {
    guard case .gathered(let delay, let rides) = schedule.departure, count < Outbox.window,
      !(rides && radio.isOpen(at: now)), let since = oldest.since
    else { return nil }
    let due = since.advanced(bySeconds: delay)
    return due <= now ? nil : due
  }

  private func isConnected(for sink: SinkSettings, _ schedule: SinkSchedule) -> Bool {
    guard sink.needsNetwork, let network = radio.network else { return true }
    return (network.isUp || !sink.needsWayOut)
      && !(schedule.onMetered == .wait && network.isMetered == true)
  }

  /// Recalls the batch on its way, if there is one: something in it may not leave any more.
  func recall(_ id: AppID, _ step: inout Step) {
    if rows[id]?.run.isPassing == true { step.intend(.effect(.sink(.recall(id)))) }
  }

  // MARK: Answers of the sink

  mutating func receive(
    event: SinkEvent, _ outboxes: inout Outboxes, _ engine: LocationEngine,
    _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    switch event {
    case .passed(let id, let number, let last):
      guard rows[id]?.run == .passing(upTo: last), number < last else { return }
      let waited = outboxes.count(id)
      outboxes.acknowledge(id, takenUpTo: number, &step)
      let (taken, utc) = (waited - outboxes.count(id), step.now.utc)
      if taken > 0 { count(id, &step) { $0.took(taken, at: utc) } }
    case .took(let id, let number, let traffic, let notes):
      guard let row = rows[id], row.run == .passing(upTo: number) else { return }
      settle(id, traffic, upTo: number, &outboxes, &meter, &step)
      say(notes ?? [], of: id, row.tally, &step)
      if row.trouble != nil {
        let attempts = row.attempts == 1 ? "1 attempt" : "\(row.attempts) attempts"
        step.note(id, "mended", "its sink takes events again, after \(attempts)")
      }
      recovered(id)
      outboxes.toldLosses(of: id)
      outboxes.goOn(id, &step)
    case .failed(let id, let number, let reason, let fault, let passed, let traffic):
      guard rows[id]?.run == .passing(upTo: number) else { return }
      settle(id, traffic, upTo: passed, &outboxes, &meter, &step)
      if fault == .recalled {
        set(.idle, of: id)
        outboxes.rewind(id)
        return outboxes.goOn(id, &step)
      }
      failed(id, upTo: number, reason, fault ?? .later(after: nil), &outboxes, &step)
    case .asks(let id, .reportLocation):
      guard let row = rows[id] else { return }
      // A server that asks in each of its answers would be asked for no end of positions.
      if let askedAt = row.askedAt,
        EngineInstant.seconds(from: askedAt, to: step.now.at) < Self.asksAgain
      {
        return
      }
      rows.change(id) { [now = step.now] in $0.askedAt = now.at }
      step.record(id, "asked", "the other side asks for the present position")
      step.ledger.needCheckpoint()
      step.tellEngine(.app(id, .life(.enteredForeground)))
      step.tellEngine(.app(id, .requestLocation()))
    case .asks(let id, .changeRegions(let changes)): changeRegions(of: id, changes, engine, &step)
    case .tried(let id, let trial, let client, let request):
      answer(client, trial, of: id, request, &step)
      guard case .reached = trial, case .waiting = rows[id]?.run else { return }
      set(.idle, of: id)
      step.intend(.flush(id))
    }
  }

  /// Reports each note of a sink once.
  private mutating func say(
    _ notes: [String], of id: AppID, _ tally: UplinkTally, _ step: inout Step
  ) {
    for words in notes where !tally.told.contains(words) {
      count(id, &step) { $0.noteTold(words) }
      step.note(id, "sink", words)
      step.journal(.warning, "\(step.apps.name(of: id) ?? ""): \(words)")
    }
  }

  /// Ends a batch; `number` is the last that is safe on the other side, if any is.
  private mutating func settle(
    _ id: AppID, _ traffic: SinkTraffic?, upTo number: UInt64?, _ outboxes: inout Outboxes,
    _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    // Nothing is metered for one that needs no network.
    let energy: Double? =
      if let traffic, step.apps[id]?.manifest.sink?.needsNetwork == true {
        meter.transfer(up: traffic.up, down: traffic.down, at: step.now.at)
      } else { nil }
    // Without a transfer nothing was on, and has no tail.
    let tail = traffic == nil ? 0 : step.settings.network?.tailDuration ?? 0
    radio.ended(id, at: step.now.at, tail: tail)
    let waited = outboxes.count(id)
    let heard = number.flatMap { outboxes.decided(upTo: $0, of: id) }
    if let number { outboxes.acknowledge(id, takenUpTo: number, &step) }
    guard traffic != nil || number != nil else { return }
    let (taken, utc) = (waited - outboxes.count(id), step.now.utc)
    count(id, heard: heard, &step) { tally in
      if let traffic {
        tally.transfers += 1
        tally.traffic = tally.traffic + traffic
      }
      if let energy { tally.energy = (tally.energy ?? 0) + energy }
      if number != nil { tally.took(taken, at: utc) }
    }
  }

  /// Changes the sums of a sink's transfers, and has them stored; the other side knows the news up to `heard`.
  private mutating func count(
    _ id: AppID, heard: EngineInstant? = nil, _ step: inout Step,
    _ change: (inout UplinkTally) -> Void
  ) {
    let tally = rows.change(id) { [now = step.now] row in
      let taken = row.tally.lastTaken
      change(&row.tally)
      if row.tally.lastTaken != taken { row.heartbeat.begin(at: heard ?? now.at) }
      return row.tally
    }
    schedule(id)
    if let tally { step.ledger.addRows { $0.tallies.append(SinkTally(id, tally)) } }
  }

  /// Handles a batch up to the number `last` that was not taken completely. It is reported once for each reason: an
  /// outage may last for days.
  private mutating func failed(
    _ id: AppID, upTo last: UInt64, _ said: String, _ saidFault: SinkFault,
    _ outboxes: inout Outboxes, _ step: inout Step
  ) {
    guard let row = rows[id] else { return }
    let (reason, fault) = row.tally.meaning(of: said, saidFault)
    if fault == .badMessage, isSetAside(id, upTo: last, reason, &outboxes, &step) { return }
    let pause = SinkPauses.pause(after: row.attempts + 1, fault, of: id, step)
    outboxes.rewind(id)
    set(
      .waiting(
        until: step.now.at.advanced(bySeconds: pause),
        isMendedByNetwork: fault == .later(after: nil)), of: id)
    rows.change(id) {
      $0.attempts += 1
      $0.trouble = reason
    }
    guard row.trouble != reason else { return }
    let prospect =
      switch fault {
      case .later, .recalled: "its events wait, and are tried again until it does"
      case .refused: "its events wait until somebody mends that, and are tried every half hour"
      case .badMessage: "the event is tried \(Self.badMessageTries) times, and then set aside"
      }
    let words = "its sink takes nothing: \(reason); \(prospect)"
    step.note(id, "failed", words)
    step.journal(.warning, "\(step.apps.name(of: id) ?? ""): \(words)")
  }

  /// Counts a try of the first delivery of the batch that the other side has not taken; sets it aside after the last
  /// one. A later one is not at fault, if a newer one has taken the bad one's place.
  private mutating func isSetAside(
    _ id: AppID, upTo last: UInt64, _ reason: String, _ outboxes: inout Outboxes,
    _ step: inout Step
  ) -> Bool {
    guard let (number, failures) = outboxes.failedFirst(of: id, upTo: last, &step),
      failures >= Self.badMessageTries
    else { return false }
    recovered(id)
    count(id, &step) { $0.setAsideInRow += 1 }
    outboxes.giveUp(number, of: id, reason, &step)
    return true
  }

  // MARK: The connection

  /// Takes the state of the network, and whether it is metered.
  mutating func receive(network: NetworkReading, _ step: inout Step) {
    let before = radio.network
    guard network != before else { return }
    radio.network = network
    if step.apps.all.contains(where: { $0.manifest.sink?.needsNetwork == true }) {
      step.note(nil, "network", network.words)
    }
    guard network.isUp else { return }
    let wasUp = before?.isUp == true
    for id in rows.ids {
      if !wasUp, case .waiting(_, isMendedByNetwork: true) = rows[id]?.run { set(.idle, of: id) }
      step.intend(.flush(id))
    }
  }
}
