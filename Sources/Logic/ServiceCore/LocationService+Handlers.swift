// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import SeededRandom
import ServiceContract
import Settings

// Theory
// ======
//
// A handler's deliveries are worked off one at a time, oldest first:
//
//            delivery waits                 exit 0: acknowledged, the next one
//   idle ──────────────────────► running ───────────────────────────────────────► idle
//    ▲                              │ anything else, or its time is over
//    │     1, 2, 4 … 600 s          ▼            tried for `retriesFor` (7 days)
//    └────────────────────────── waiting ──────────────────────────► given up: kept apart, and said
//
// - The start of a run for a number is stored before it begins, and its ending is stored before its keeper forgets it.
//   So after a kill at any point, a run that ended well is never repeated, and one with an unknown ending is.
// - A run that the service itself could not begin (a full disk) does not count: it is retried.
// - Given-up events can be viewed, sent again and discarded (`milepost apps events`).
// - A run is a task in the sense of the rules (Where-each-rule-stands.md, "Running longer"): it may go on after the
//   wake that began it, for `timeout_s` of its manifest, and is then ended.

extension HandlerRun {
  /// Whether nothing prevents a run.
  var mayBegin: Bool {
    switch self {
    case .idle, .announced: true
    case .waiting, .starting, .running, .ending: false
    }
  }
}

extension LocationService {
  /// The pauses between two attempts, seconds [ours].
  static let retries = Backoff(first: 1, longest: 600)

  enum RunEnding: Equatable {
    case succeeded
    /// The reason of its failure.
    case failed(String)
  }

  /// Runs the command for the oldest delivery, if it does not run already.
  mutating func runHandler(_ app: AppRecord, into effects: inout [ServiceEffect]) {
    guard case .handler(let run) = app.code, run.mayBegin, !phase.isStopping,
      !leaving.contains(app.name), let entry = app.outbox.entries.first
    else { return }
    let number = entry.delivery.sequence
    guard run == .announced(number) else {
      // Its start is stored first; the next round of the batch finds it stored.
      _ = apps.with(app.id) { $0.code = .handler(.announced(number)) }
      write { $0.runs.append(.init(app.id, number)) }
      announcing.insert(app.id)
      intents.append(.flush(app.id))
      return
    }
    // Another look at it in the same round comes before the start is stored.
    guard !announcing.contains(app.id) else { return }
    _ = apps.with(app.id) { $0.code = .handler(.starting(number)) }
    var environment = environment(of: app)
    environment["MILEPOST_SEQUENCE"] = String(number)
    effects.append(
      .start(
        .init(
          app: app.name, command: app.manifest.command, environment: environment,
          directory: app.manifest.directory, input: entry.message.encode(),
          timeLimit: app.manifest.timeout)))
  }

  mutating func ended(_ app: AppRecord, _ ending: RunEnding) {
    // An ending already stored is not reported again: its keeper was told to forget it.
    let number = app.handlerRun
    if case .handler(.ending) = app.code, ending != .succeeded {
      // The service stops: the next one repeats it.
      _ = apps.with(app.id) { $0.code = .handler(.idle) }
      return
    }
    _ = apps.with(app.id) { $0.code = .handler(.idle) }
    guard let number else { return }
    write { $0.runs.append(.init(app.id, 0)) }
    switch ending {
    case .succeeded: succeeded(app.id, number)
    case .failed(let reason): failed(app.id, number, reason)
    }
  }

  private mutating func succeeded(_ id: AppID, _ number: UInt64) {
    if let entry = apps.with(id, { $0.outbox.settle(number) }) ?? nil {
      write { $0.acknowledged.append(DeliveryKey(id, number)) }
      if entry.delivery.service == .significant || entry.failures > 0 {
        note(id, "acknowledged", LogWords.acknowledged(number, failures: entry.failures))
      }
    }
    _ = apps.with(id) { app in
      app.trouble = nil
      // Its log was told of the losses; the next ones are another outage's.
      if app.outbox.entries.isEmpty { app.outbox.toldLosses() }
    }
    goOn(id)
  }

  private mutating func failed(_ id: AppID, _ number: UInt64, _ reason: String) {
    guard let entry = apps.with(id, { $0.outbox.fail(number) }) ?? nil else { return goOn(id) }
    write { $0.failures.append(HandlerFailure(id, number, entry.failures)) }
    _ = apps.with(id) { $0.trouble = reason }
    let pause = Self.retries.wait(after: entry.failures)
    let age = entry.since.map { EngineInstant.seconds(from: $0, to: now.at) } ?? 0
    guard age + pause <= settings.retriesFor else { return giveUp(id, number, reason) }
    let again = now.at.advanced(bySeconds: pause)
    _ = apps.with(id) { $0.code = .handler(.waiting(until: again)) }
    noteDeadline(of: id)
    note(
      id, "failed",
      "event \(number), attempt \(entry.failures): \(reason); again in \(Int(pause)) s")
    if entry.failures == Self.warnsAfter {
      journal(
        .warning,
        "\(apps[id]?.name ?? ""): event \(number) has failed \(entry.failures) times: \(reason)")
    }
  }

  /// Failures of one event after which the journal warns once.
  static let warnsAfter = 5

  mutating func giveUp(_ id: AppID, _ number: UInt64, _ reason: String) {
    guard let entry = apps.with(id, { $0.outbox.settle(number) }) ?? nil else { return goOn(id) }
    let dead = DeadDelivery(
      pending: .init(
        app: id, delivery: entry.delivery, received: entry.received, failures: entry.failures),
      at: now.utc, reason: reason)
    _ = apps.with(id) { app in
      app.dead.append(dead)
      if app.dead.count > StoreChange.deadLimit { app.dead.removeFirst() }
    }
    write {
      $0.dead.append(dead)
      $0.acknowledged.append(DeliveryKey(id, number))
    }
    let text =
      "event \(number) failed \(entry.failures) times and is given up; last: \(reason); "
      + "`milepost apps events \(apps[id]?.name ?? "")` keeps it"
    journal(.error, "\(apps[id]?.name ?? ""): \(text)")
    note(id, "given_up", text)
    goOn(id)
  }

  /// Postpones a run that could not begin, through no fault of the handler: the event waits, and nothing counts.
  mutating func postpone(_ app: AppRecord, until again: EngineInstant) {
    if case .handler(.ending) = app.code {
      _ = apps.with(app.id) { $0.code = .handler(.idle) }
      return
    }
    _ = apps.with(app.id) {
      $0.outbox.rewind()
      $0.code = .handler(.waiting(until: again))
    }
    noteDeadline(of: app.id)
  }

  /// Goes on with the deliveries after a finished one; without any its wake is over.
  mutating func goOn(_ id: AppID) {
    finishWork(of: id)
    intents.append(.flush(id))
  }

  /// Ends the work of an app without waiting deliveries.
  mutating func finishWork(of id: AppID) {
    if apps[id]?.outbox.entries.isEmpty == true { tell(.app(id, .life(.finishedWork))) }
  }

  /// Acknowledges everything up to this number, which is never delivered again.
  mutating func acknowledge(_ id: AppID, upTo number: UInt64) {
    guard apps.with(id, { $0.outbox.acknowledge(upTo: number) }) == true else { return }
    write { $0.acknowledged.append(DeliveryKey(id, number)) }
  }

  // MARK: Events that were given up

  /// Sends given-up deliveries again (`number`, or with `nil` all), under new numbers behind the waiting ones;
  /// returns their count.
  mutating func resend(_ id: AppID, _ number: UInt64?) -> Int {
    let chosen = takeDead(id, number)
    for dead in chosen {
      guard let next = engine.takeSequence(of: id) else { continue }
      let old = dead.pending.delivery
      let delivery = Delivery(
        sequence: next, service: old.service, fix: old.fix, isCached: old.isCached,
        moved: old.moved, since: old.since, event: old.event, occasion: old.occasion)
      let entry = Outbox.Entry(
        delivery: delivery, received: dead.pending.received, since: now.at)
      add(entry, to: id)
      note(id, "resent", "event \(old.sequence) is sent again as event \(next)")
    }
    if !chosen.isEmpty {
      needsCheckpoint(now: true)
      intents.append(.flush(id))
    }
    return chosen.count
  }

  /// Discards given-up deliveries; returns their count.
  mutating func discard(_ id: AppID, _ number: UInt64?) -> Int {
    let chosen = takeDead(id, number)
    if !chosen.isEmpty {
      note(id, "discarded", "\(chosen.count) events that were given up are forgotten")
    }
    return chosen.count
  }

  private mutating func takeDead(_ id: AppID, _ number: UInt64?) -> [DeadDelivery] {
    func isChosen(_ dead: DeadDelivery) -> Bool {
      number == nil || dead.pending.delivery.sequence == number
    }
    let chosen = apps[id]?.dead.filter(isChosen) ?? []
    _ = apps.with(id) { app in app.dead.removeAll(where: isChosen) }
    write { change in change.revived += chosen.map { .init(id, $0.pending.delivery.sequence) } }
    return chosen
  }
}
