// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// What each app is to be told of locations: waiting, given up, last.
//
//   engine ── delivery ──► waiting ── acknowledged, or settled by a handler's run ──► gone
//                           │  ▲
//       tried for too long, │  │ sent again, under a new number
//       or no use to it     ▼  │
//                         given up ── discarded ──► gone
//
// - Each delivery is a row in the store until it is gone. What goes without having been taken (a full outbox, a handler
//   that fails for `retriesFor`) is said.
// - A handler's failed delivery is tried again after 1, 2, 4 … 600 s. Its pauses last for `retriesFor` in all, however
//   long it waited behind others before.
// - Reduced accuracy and forgetting reach into both (ReducedDeliveries.swift, ForgottenDeliveries.swift).
// - The log has each significant change, and of the other services' deliveries, which may come every second, the first
//   since the launch: it is bounded, and they would push out the rest.
// - It knows no process, no connection and no sink: they ask for the next ones and say what became of them.

/// The deliveries of one app.
struct AppDeliveries: Sendable {
  fileprivate(set) var outbox: Outbox
  /// The ends of deferrals that wait behind deliveries.
  fileprivate var heldEnds = HeldEnds()
  /// Deliveries given up, oldest first.
  fileprivate(set) var dead: [DeadDelivery] = []
  /// The last delivery. After a restart it is the newest that still waits; without one it is unknown until the next,
  /// since acknowledged ones are not kept.
  fileprivate(set) var last: Outbox.Entry?
  /// Whether a delivery of each service is in the log since the last launch.
  fileprivate var noted = PerService<Bool>()
  fileprivate(set) var judgements = Judgements()

  fileprivate init(_ outbox: Outbox) { self.outbox = outbox }

  fileprivate mutating func notes(_ delivery: Delivery) -> Bool {
    let isKnown = noted[delivery.service] == true
    if !isKnown { noted.set(true, for: delivery.service) }
    return !isKnown || delivery.service.isSignificant
  }
}

/// The deliveries of all apps.
struct Outboxes: Sendable {
  private var rows = AppTable<AppDeliveries>()

  subscript(id: AppID) -> AppDeliveries? { rows[id] }

  // MARK: Apps

  mutating func openApp(_ id: AppID, limit: Int, acknowledged: UInt64 = 0) {
    rows[id] = AppDeliveries(Outbox(limit: limit, acknowledged: acknowledged))
  }

  mutating func closeApp(_ id: AppID) { rows[id] = nil }

  mutating func restore(_ stored: StoredState, _ clock: EngineClock) {
    for pending in stored.pending {
      let entry = Outbox.Entry(
        delivery: pending.delivery, received: pending.received,
        since: clock.instant(ofEarlier: pending.received), failures: pending.failures)
      rows.change(pending.app) { row in
        // A smaller outbox drops the oldest with the next delivery, and not before.
        row.outbox.restore(entry)
        // They come in the order of their numbers: the last one is the newest.
        row.last = entry
      }
    }
    for dead in stored.dead { rows.change(dead.pending.app) { $0.dead.append(dead) } }
  }

  /// A changed limit counts from the next delivery on.
  mutating func followLimits(_ step: Step) {
    rows.changeAll { id, row in
      guard let app = step.apps[id] else { return }
      row.outbox.limit = step.settings.outboxLimit(for: app.manifest)
    }
  }

  // MARK: Deliveries of the engine

  /// Takes a delivery for an app or a sink.
  mutating func receive(
    delivery: Delivery, for id: AppID, _ processes: Processes, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    let entry = Outbox.Entry(delivery: delivery, received: step.now.utc, since: step.now.at)
    let taken = rows.change(id) { row in
      row.last = entry
      return (isNoted: row.notes(delivery), dropped: row.outbox.append(entry: entry))
    }
    guard let taken else { return }
    if !processes.isHeldBack(id) { meter.record(.delivery, at: step.now.at) }
    if taken.isNoted {
      let words = LogWords.text(delivery: delivery)
      step.note(id, LogRow.delivered, words)
      step.remember(.delivery, id, delivery.service.rawValue, words)
    }
    if delivery.service.isSignificant {
      // The anchor belongs to its event: without it a next service would measure from an older one.
      step.ledger.needCheckpoint(now: !delivery.isCached)
    }
    appended(entry, to: id, dropping: taken.dropped, &step)
    step.intend(.flush(id))
    if step.apps.isSink(id) { step.want(.putAway(id)) }
  }

  /// Notes a delivery added to an outbox; dropped ones are reported, and stored.
  private func appended(
    _ entry: Outbox.Entry, to id: AppID, dropping dropped: [UInt64], _ step: inout Step
  ) {
    step.ledger.addRows {
      $0.deliveries.append(.init(app: id, delivery: entry.delivery, received: entry.received))
    }
    guard !dropped.isEmpty else { return }
    step.ledger.addRows { $0.dropped += dropped.map { DeliveryKey(id, $0) } }
    guard let app = step.apps[id], !app.manifest.keepsLast else { return }
    if rows.withRow(of: id, { $0.outbox.lost }) == UInt64(dropped.count) {
      let text = "its outbox is full (\(step.settings.outboxLimit)); the oldest events go"
      step.note(id, "lost", text)
      step.journal(.warning, "\(app.name): \(text)")
    }
  }

  /// Takes the verdict on a fix for a service.
  mutating func judge(
    _ service: Service, of id: AppID, _ verdict: Verdict, fixTime: UTCInstant?
  ) {
    rows.change(id) { $0.judgements.judge(service, verdict, fixTime: fixTime) }
  }

  /// Takes the verdict on a fix for a region.
  mutating func judge(
    region name: String, of id: AppID, _ verdict: Verdict, fixTime: UTCInstant?
  ) {
    rows.change(id) { $0.judgements.judge(region: name, verdict, fixTime: fixTime) }
  }

  mutating func forget(region name: String, of id: AppID) {
    rows.change(id) { $0.judgements.forget(region: name) }
  }

  /// Its app is launched: the log begins anew.
  mutating func launchBegan(of id: AppID) { rows.change(id) { $0.noted = .init() } }

  // MARK: Connected apps

  /// Everything unacknowledged is sent again.
  mutating func rewind(_ id: AppID) { rows.change(id) { $0.outbox.rewind() } }

  mutating func rewind(_ id: AppID, to number: UInt64) {
    rows.change(id) { $0.outbox.rewind(to: number) }
  }

  /// A new connection: nothing has been sent on it.
  mutating func connected(_ id: AppID) {
    rows.change(id) { row in
      row.outbox.rewind()
      row.heldEnds.drop()
    }
  }

  /// Sends waiting deliveries, as far as the app runs code, is authorized, reads, and acknowledges. A delivery decided
  /// before the user withdrew the permission waits until it is given again.
  mutating func flush(
    _ id: AppID, _ clients: Clients, _ processes: inout Processes, _ sinks: inout Sinks,
    _ engine: LocationEngine, _ step: inout Step, into effects: inout [ServiceEffect]
  ) {
    let client = engine.state(of: id)?.runsCode == true ? clients.client(of: id) : nil
    switch step.apps.recipient(id) {
    case .connected:
      if let client { flush(id, to: client, reports: clients.watches(id), into: &effects) }
    case .handler: processes.runHandler(of: id, for: first(of: id), &step, into: &effects)
    case .sink: sinks.pass(id, &self, engine, &step, into: &effects)
    case nil: break
    }
    if let client { flushHeldEnds(of: id, to: client, into: &effects) }
  }

  /// Sends what may be on the way to a connected app; `reports` if it also wants them in gpsd's form.
  private mutating func flush(
    _ id: AppID, to client: ClientID, reports: Bool, into effects: inout [ServiceEffect]
  ) {
    rows.change(id) { row in
      if row.outbox.lost > 0 {
        effects.append(.send(.lost(count: row.outbox.lost), to: client))
        row.outbox.toldLosses()
      }
      while let entry = row.outbox.next {
        effects.append(.send(entry.message, to: client))
        row.outbox.markSent()
        if reports, entry.delivery.event == nil {
          effects.append(.send(.report(entry.delivery.fix, device: "milepost"), to: client))
        }
      }
    }
  }

  /// The end of a deferral is reported behind the updates that were deferred.
  mutating func hold(_ end: Deferral.End, of id: AppID) {
    rows.change(id) { $0.heldEnds.hold(end, behind: $0.outbox) }
  }

  /// Reports the ends of deferrals whose updates are on the way.
  private mutating func flushHeldEnds(
    of id: AppID, to client: ClientID, into effects: inout [ServiceEffect]
  ) {
    rows.change(id) { row in
      while let end = row.heldEnds.next(as: row.outbox) {
        effects.append(.send(.deferralEnded(end), to: client))
      }
    }
  }

  /// Everything up to this number is never delivered again.
  mutating func acknowledge(_ id: AppID, upTo number: UInt64, _ step: inout Step) {
    let crossings = rows.withRow(of: id) { $0.outbox.crossings(upTo: number) } ?? []
    guard rows.change(id, { $0.outbox.acknowledge(upTo: number) }) == true else { return }
    step.ledger.addRows { $0.acknowledged.append(DeliveryKey(id, number)) }
    for crossing in crossings { took(crossing, id, &step) }
  }

  /// Its app has taken the event of a crossing: a later process is told of changes from there.
  private func took(_ crossing: Delivery, _ id: AppID, _ step: inout Step) {
    let isInside: Bool
    switch crossing.event {
    case .entered?: isInside = true
    case .exited?: isInside = false
    case .arrived?, .departed?, nil: return
    }
    // Stored with the acknowledgement: a next service would count the crossing as news.
    step.ledger.needCheckpoint(now: true)
    let region = crossing.event?.region ?? ""
    step.tellEngine(
      .app(
        id, .place(.tookCrossing(region: region, isInside: isInside, crossing.fix.time))))
  }

  /// An app has acknowledged everything up to this number; there may be room for more.
  mutating func acknowledged(_ number: UInt64, of id: AppID, _ step: inout Step) {
    acknowledge(id, upTo: number, &step)
    if rows.withRow(of: id, { $0.outbox.hasNext }) == true { step.intend(.flush(id)) }
  }

  // MARK: Programs that only acknowledge

  /// Whether deliveries of a service would only be acknowledged: nothing waits, and the log, where they belong in it,
  /// has one already.
  func maySpare(_ id: AppID, deliveriesOf service: Service) -> Bool {
    rows.withRow(of: id) { row in
      row.heldEnds.isEmpty && row.noted[service] == true
        && row.outbox.isIdle
    } == true
  }

  // MARK: Handlers and sinks

  /// The oldest waiting delivery.
  func first(of id: AppID) -> Outbox.Entry? {
    rows.withRow(of: id) { $0.outbox.entries.first } ?? nil
  }

  func isEmpty(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.outbox.entries.isEmpty } ?? true }

  func count(_ id: AppID) -> Int { rows.withRow(of: id) { $0.outbox.entries.count } ?? 0 }

  func holds(_ number: UInt64, for id: AppID) -> Bool {
    rows.withRow(of: id) { $0.outbox.holds(number) } == true
  }

  /// The next delivery to send; `nil` if nothing waits or the window is full.
  func next(of id: AppID) -> Outbox.Entry? { rows.withRow(of: id) { $0.outbox.next } ?? nil }

  /// Takes as many as the window holds, or one; they are on the way then.
  mutating func takeBatch(of id: AppID, onlyFirst: Bool) -> [PendingDelivery] {
    var batch: [PendingDelivery] = []
    rows.change(id) { row in
      while let entry = row.outbox.next, !onlyFirst || batch.isEmpty {
        batch.append(.init(app: id, delivery: entry.delivery, received: entry.received))
        row.outbox.markSent()
      }
    }
    return batch
  }

  /// Acknowledges what a sink has taken up to this number; the last ones may have been forgotten meanwhile.
  mutating func acknowledge(_ id: AppID, takenUpTo number: UInt64, _ step: inout Step) {
    acknowledge(id, upTo: min(number, rows.withRow(of: id) { $0.outbox.sent } ?? 0), &step)
  }

  /// Its app's log was told of the losses.
  mutating func toldLosses(of id: AppID) { rows.change(id) { $0.outbox.toldLosses() } }

  /// Counts a failure on the oldest delivery, if it is none behind `last`; returns its number and its failures.
  mutating func failedFirst(
    of id: AppID, upTo last: UInt64, _ step: inout Step
  ) -> (number: UInt64, failures: Int)? {
    guard let number = first(of: id)?.delivery.sequence, number <= last,
      let entry = rows.change(id, { $0.outbox.fail(number) }) ?? nil
    else { return nil }
    step.ledger.addRows { $0.failures.append(HandlerFailure(id, number, entry.failures)) }
    return (number, entry.failures)
  }

  /// A handler's run for this number has succeeded.
  mutating func handled(_ number: UInt64, of id: AppID, _ step: inout Step) {
    if let entry = rows.change(id, { $0.outbox.settleDelivery(number) }) ?? nil {
      step.ledger.addRows { $0.acknowledged.append(DeliveryKey(id, number)) }
      if entry.delivery.service == .significant || entry.failures > 0 {
        step.note(id, "acknowledged", LogWords.acknowledged(number, failures: entry.failures))
      }
    }
    // Its log was told of the losses; the next ones are another outage's.
    rows.change(id) { if $0.outbox.entries.isEmpty { $0.outbox.toldLosses() } }
    goOn(id, &step)
  }

  /// Failures of one event after which the journal warns once.
  private static let warnsAfter = 5
  /// The pauses between two attempts, seconds [ours].
  private static let retries = Backoff(first: 1, longest: 600)

  /// A handler's run for this number has failed: it is tried again, or given up.
  mutating func failed(_ number: UInt64, of id: AppID, _ reason: String, _ step: inout Step) {
    guard let entry = rows.change(id, { $0.outbox.fail(number) }) ?? nil else {
      return goOn(id, &step)
    }
    step.ledger.addRows { $0.failures.append(HandlerFailure(id, number, entry.failures)) }
    let pause = Self.retries.wait(after: entry.failures)
    guard Self.retries.waited(after: entry.failures) <= step.settings.retriesFor else {
      step.want(.handlerFailed(id, reason, again: nil))
      return giveUp(number, of: id, reason, &step)
    }
    step.want(.handlerFailed(id, reason, again: step.now.at.advanced(bySeconds: pause)))
    step.note(
      id, "failed",
      "event \(number), attempt \(entry.failures): \(reason); again in \(Int(pause)) s")
    if entry.failures == Self.warnsAfter {
      step.journal(
        .warning,
        "\(step.apps.name(of: id) ?? ""): event \(number) has failed \(entry.failures) times: \(reason)"
      )
    }
  }

  /// Goes on with the deliveries after a finished one; without any its app's wake is over.
  func goOn(_ id: AppID, _ step: inout Step) {
    finishWork(of: id, &step)
    step.intend(.flush(id))
  }

  /// Ends the work of an app without waiting deliveries.
  func finishWork(of id: AppID, _ step: inout Step) {
    if isEmpty(id) { step.tellEngine(.app(id, .life(.finishedWork))) }
  }

  // MARK: Deliveries that were given up

  mutating func giveUp(_ number: UInt64, of id: AppID, _ reason: String, _ step: inout Step) {
    guard let entry = rows.change(id, { $0.outbox.settleDelivery(number) }) ?? nil else {
      return goOn(id, &step)
    }
    let dead = DeadDelivery(
      pending: .init(
        app: id, delivery: entry.delivery, received: entry.received, failures: entry.failures),
      at: step.now.utc, reason: reason)
    rows.change(id) { row in
      row.dead.append(dead)
      if row.dead.count > StoreChange.deadLimit { row.dead.removeFirst() }
    }
    step.ledger.addRows {
      $0.dead.append(dead)
      $0.acknowledged.append(DeliveryKey(id, number))
    }
    let name = step.apps.name(of: id) ?? ""
    let text =
      "event \(number) failed \(entry.failures) times and is given up; last: \(reason); "
      + "`milepost apps events \(name)` keeps it"
    step.journal(.error, "\(name): \(text)")
    step.note(id, "given_up", text)
    goOn(id, &step)
  }

  /// Sends given-up deliveries again (`number`, or with `nil` all), under new numbers behind the waiting ones;
  /// returns their count.
  mutating func resend(
    _ number: UInt64?, of id: AppID, _ engine: inout LocationEngine, _ step: inout Step
  ) -> Int {
    let chosen = revive(number, of: id, &step)
    for dead in chosen {
      guard let next = engine.takeSequence(of: id) else { continue }
      let old = dead.pending.delivery
      let delivery = Delivery(
        sequence: next, service: old.service, fix: old.fix, isCached: old.isCached,
        moved: old.moved, since: old.since, event: old.event, occasion: old.occasion)
      let entry = Outbox.Entry(
        delivery: delivery, received: dead.pending.received, since: step.now.at)
      let dropped = rows.change(id) { $0.outbox.append(entry: entry) }
      appended(entry, to: id, dropping: dropped ?? [], &step)
      step.note(id, "resent", "event \(old.sequence) is sent again as event \(next)")
    }
    if !chosen.isEmpty {
      step.ledger.needCheckpoint(now: true)
      step.intend(.flush(id))
    }
    return chosen.count
  }

  /// Adds a heartbeat. It is no news: it is not logged, and none is made where a batch is full, so that it takes no place
  /// of anything real.
  mutating func repeatPosition(
    for id: AppID, _ engine: inout LocationEngine, _ step: inout Step
  ) {
    guard count(id) < Outbox.window, let manifest = step.apps[id]?.manifest,
      let delivery = Heartbeat.delivery(for: id, manifest, &engine, step)
    else { return }
    let entry = Outbox.Entry(delivery: delivery, received: step.now.utc, since: step.now.at)
    let dropped = rows.change(id) { $0.outbox.append(entry: entry) }
    appended(entry, to: id, dropping: dropped ?? [], &step)
    step.ledger.needCheckpoint()
    step.intend(.flush(id))
  }

  /// Discards given-up deliveries; returns their count.
  mutating func discard(_ number: UInt64?, of id: AppID, _ step: inout Step) -> Int {
    let chosen = revive(number, of: id, &step)
    if !chosen.isEmpty {
      step.note(id, "discarded", "\(chosen.count) events that were given up are forgotten")
    }
    return chosen.count
  }

  private mutating func revive(
    _ number: UInt64?, of id: AppID, _ step: inout Step
  ) -> [DeadDelivery] {
    func isChosen(_ dead: DeadDelivery) -> Bool {
      number == nil || dead.pending.delivery.sequence == number
    }
    let chosen = rows.withRow(of: id) { $0.dead.filter(isChosen) } ?? []
    rows.change(id) { $0.dead.removeAll(where: isChosen) }
    step.ledger.addRows { change in
      change.revived += chosen.map { .init(id, $0.pending.delivery.sequence) }
    }
    return chosen
  }

  // MARK: Replacing and forgetting

  /// Replaces what waits and what was given up, or takes it out; the last one becomes what it became in the outbox.
  /// Returns the numbers of those that left.
  mutating func replace(
    dead: [DeadDelivery], waiting: [UInt64: Outbox.Entry], of id: AppID
  ) -> [UInt64] {
    let before = rows.withRow(of: id) { $0.dead.map(\.pending.delivery.sequence) } ?? []
    let kept = Set(dead.map(\.pending.delivery.sequence))
    let gone = rows.change(id) { row in
      row.dead = dead
      if let last = row.last { row.last = waiting[last.delivery.sequence] }
      return row.outbox.change { waiting[$0.delivery.sequence] }
    }
    return (gone ?? []) + before.filter { !kept.contains($0) }
  }

  /// Takes out the concerned ones; returns the numbers of those that left the outbox.
  mutating func remove(
    of id: AppID, where isConcerned: (Delivery, UTCInstant) -> Bool
  ) -> [UInt64] {
    rows.change(id) { row in
      row.dead.removeAll { isConcerned($0.pending.delivery, $0.pending.received) }
      if let last = row.last, isConcerned(last.delivery, last.received) { row.last = nil }
      return row.outbox.forget { isConcerned($0.delivery, $0.received) }
    } ?? []
  }

  /// Forgets the last delivery, if it does not wait any more and is concerned.
  mutating func forgetLast(of id: AppID, where isConcerned: (Delivery) -> Bool) {
    rows.change(id) { row in
      guard let last = row.last, !row.outbox.holds(last.delivery.sequence),
        isConcerned(last.delivery)
      else { return }
      row.last = nil
    }
  }
}
