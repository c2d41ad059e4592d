// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
import LocationModel
import RadioPower
import SeededRandom
import ServiceContract
import Settings
import Wording

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
// - Deliveries that a sink has taken are acknowledged, and that is stored. A kill in between, or a batch taken in part,
//   repeats deliveries under the same numbers: at least once, in order.
// - Non-urgent deliveries are gathered until the oldest has waited for `max_delay_s`, a batch is full, or the radio is
//   on for another sink (Uplink.swift). A restart does not reset this (`EngineClock`); if the wait is unknown, they go.
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
// - The other side may ask for other regions (LocationService+SinkRegions.swift), and for the present position. Until
//   that is found, or cannot be, the sink counts as in the foreground.
// - The outbox has its limit (`outbox_limit`), and dropped deliveries are reported. A sink that keeps only the last
//   delivery has room for one, and replacing it is no loss.
// - A service that stops waits for the batch on its way, as long as it waits for processes.

/// The state of a sink's work.
enum SinkRun: Sendable, Equatable {
  case idle
  /// The waiting events go then at the latest.
  case gathering(until: EngineInstant)
  /// A batch that ends with this number is on its way.
  case passing(upTo: UInt64)
  /// It took nothing, and is retried then, or when the network comes back if `isMendedByNetwork`.
  case waiting(until: EngineInstant, isMendedByNetwork: Bool)

  /// The next change by time alone.
  var nextDeadline: EngineInstant? {
    switch self {
    case .gathering(let until), .waiting(let until, _): until
    case .idle, .passing: nil
    }
  }
}

extension LocationService {
  /// The pauses, seconds: if each attempt costs a radio's tail, and if it costs none [ours].
  private static let pauses = Backoff(first: 30, longest: 1_800, shares: 0.8...1.2)
  private static let localPauses = Backoff(first: 1, longest: 1_800, shares: 0.8...1.2)
  /// The longest pause that the other side may ask for, seconds; one that asks for more has its clock wrong [ours].
  private static let longestAskedPause = 86_400.0
  /// The number of tries of a message that the other side cannot use.
  private static let badMessageTries = 3
  /// The greatest number set aside in a row [ours].
  private static let badMessagesInRow = 3

  /// Passes on waiting deliveries, as many as the window holds, unless they may wait.
  mutating func pass(_ id: AppID, into effects: inout [ServiceEffect]) {
    guard let app = apps[id], app.mayPass, !phase.isStopping, let sink = app.manifest.sink,
      let oldest = app.outbox.next
    else { return }
    let schedule = SinkSchedule(sink)
    guard isConnected(for: sink, schedule) else { return }
    if let until = mayWait(app, oldest, schedule) {
      guard app.code != .sink(.gathering(until: until)) else { return }
      _ = apps.with(id) { $0.code = .sink(.gathering(until: until)) }
      return noteDeadline(of: id)
    }
    let batch = takeBatch(of: id, sink, one: oldest.failures > 0)
    effects.append(.sink(.take(batch)))
    noteDeadline(of: id)
    guard sink.needsNetwork else { return }
    uplink.began(id)
    for other in apps.all where other.isGathering { intents.append(.flush(other.id)) }
  }

  private mutating func takeBatch(of id: AppID, _ sink: SinkSettings, one: Bool) -> SinkBatch {
    let regions = regionsTold(toSinkOf: id)
    var batch = SinkBatch(
      app: id, sink: sink, directory: apps[id]?.manifest.directory ?? "/", deliveries: [],
      regions: regions.isEmpty ? nil : regions)
    _ = apps.with(id) { app in
      while let entry = app.outbox.next, !one || batch.deliveries.isEmpty {
        batch.deliveries.append(.init(app: id, delivery: entry.delivery, received: entry.received))
        app.outbox.markSent()
      }
      app.code = .sink(.passing(upTo: batch.deliveries.last?.delivery.sequence ?? 0))
    }
    return batch
  }

  /// The time until which waiting deliveries may wait; `nil` if they go now.
  private func mayWait(
    _ app: AppRecord, _ oldest: Outbox.Entry, _ schedule: SinkSchedule
  ) -> EngineInstant? {
    guard case .gathered(let delay, let rides) = schedule.departure,
      app.outbox.entries.count < Outbox.window, !(rides && uplink.isOpen(at: now.at)),
      let since = oldest.since
    else { return nil }
    let due = since.advanced(bySeconds: delay)
    return due <= now.at ? nil : due
  }

  private func isConnected(for sink: SinkSettings, _ schedule: SinkSchedule) -> Bool {
    guard sink.needsNetwork, let network = uplink.network else { return true }
    return (network.isUp || !sink.needsWayOut)
      && !(schedule.onMetered == .wait && network.isMetered == true)
  }

  // MARK: Answers of the sink

  /// Seconds within which a side that has asked for the present position is not answered again [ours].
  private static let asksAgain = 60.0

  mutating func sink(_ event: SinkEvent) {
    switch event {
    case .took(let id, let number, let traffic, let notes):
      guard let app = apps[id], app.code == .sink(.passing(upTo: number)) else { return }
      settle(id, traffic, upTo: number)
      for words in notes ?? [] where !app.uplinkTally.told.contains(words) {
        count(id) { $0.tell(words) }
        note(id, "sink", words)
        journal(.warning, "\(app.name): \(words)")
      }
      if app.trouble != nil {
        let attempts = app.preventions == 1 ? "1 attempt" : "\(app.preventions) attempts"
        note(id, "mended", "its sink takes events again, after \(attempts)")
      }
      _ = apps.with(id) { app in
        app.code = .sink(.idle)
        app.preventions = 0
        app.trouble = nil
        app.outbox.toldLosses()
      }
      goOn(id)
    case .failed(let id, let number, let reason, let fault, let passed, let traffic):
      guard apps[id]?.code == .sink(.passing(upTo: number)) else { return }
      settle(id, traffic, upTo: passed)
      if fault == .recalled { return cameBack(id) }
      failed(id, upTo: number, reason, fault ?? .later(after: nil))
    case .asks(let id, .reportLocation):
      guard let app = apps[id], app.isSink else { return }
      // A server that asks in each of its answers would be asked for no end of positions.
      let isAgain = app.askedAt.map { EngineInstant.seconds(from: $0, to: now.at) < Self.asksAgain }
      if isAgain == true { return }
      _ = apps.with(id) { $0.askedAt = now.at }
      record(id, "asked", "the other side asks for the present position")
      needsCheckpoint()
      tell(.app(id, .life(.enteredForeground)))
      tell(.app(id, .requestLocation()))
    case .asks(let id, .changeRegions(let changes)): changeRegions(of: id, changes)
    case .tried(let id, let trial, let client, let request):
      answer(client, trial, of: id, request)
      if case .reached = trial { resume(id) }
    }
  }

  /// Recalls the batch on its way, if there is one: something in it may not leave any more.
  mutating func recall(_ id: AppID) {
    if apps[id]?.isPassing == true { intents.append(.effect(.sink(.recall(id)))) }
  }

  private mutating func cameBack(_ id: AppID) {
    _ = apps.with(id) {
      $0.outbox.rewind()
      $0.code = .sink(.idle)
    }
    goOn(id)
  }

  /// Ends a sink's wait after a failure.
  private mutating func resume(_ id: AppID) {
    guard case .sink(.waiting) = apps[id]?.code else { return }
    _ = apps.with(id) { $0.code = .sink(.idle) }
    noteDeadline(of: id)
    intents.append(.flush(id))
  }

  /// Puts a sink whose other side asked for the present position back into the background, once that was
  /// found, or cannot be.
  mutating func putAway(_ id: AppID) {
    guard engine.state(of: id) == .active, !engine.awaitsLocation(id) else { return }
    tell(.app(id, .life(.enteredBackground)))
  }

  /// Ends a batch; `number` is the last that is safe on the other side, if any is.
  private mutating func settle(_ id: AppID, _ traffic: SinkTraffic?, upTo number: UInt64?) {
    let energy = traffic.flatMap { meter($0, of: id) }
    // Without a transfer nothing was on, and has no tail.
    let tail = traffic == nil ? 0 : settings.network?.tailDuration ?? 0
    uplink.ended(id, at: now.at, tail: tail)
    let waited = apps[id]?.outbox.entries.count ?? 0
    // The last ones may have been forgotten meanwhile.
    if let number { acknowledge(id, upTo: min(number, apps[id]?.outbox.sent ?? 0)) }
    guard traffic != nil || number != nil else { return }
    let taken = waited - (apps[id]?.outbox.entries.count ?? 0)
    count(id) { [now] tally in
      if let traffic {
        tally.transfers += 1
        tally.traffic = tally.traffic + traffic
      }
      if let energy { tally.energy = (tally.energy ?? 0) + energy }
      guard number != nil else { return }
      tally.setAsideInRow = 0
      tally.taken += taken
      tally.lastTaken = now.utc
    }
  }

  /// Joules that a transfer of a sink adds; `nil` if nothing is metered, as for one that needs no network.
  private mutating func meter(_ traffic: SinkTraffic, of id: AppID) -> Double? {
    guard apps[id]?.manifest.sink?.needsNetwork == true else { return nil }
    return meter.transfer(up: traffic.up, down: traffic.down, at: now.at)
  }

  /// Changes the sums of a sink's transfers, and has them stored.
  private mutating func count(_ id: AppID, _ change: (inout UplinkTally) -> Void) {
    let tally = apps.with(id) { app in
      change(&app.uplinkTally)
      return app.uplinkTally
    }
    if let tally { write { $0.tallies.append(SinkTally(id, tally)) } }
  }

  /// Handles a batch up to the number `last` that was not taken completely. It is reported once for each reason: an
  /// outage may last for days.
  private mutating func failed(
    _ id: AppID, upTo last: UInt64, _ said: String, _ saidFault: SinkFault
  ) {
    guard let app = apps[id] else { return }
    let (reason, fault) = Self.meaning(of: said, saidFault, app.uplinkTally)
    if fault == .badMessage, isSetAside(id, upTo: last, reason) { return }
    let pause = pause(after: app.preventions + 1, fault, of: id)
    _ = apps.with(id) {
      $0.outbox.rewind()
      $0.code = .sink(
        .waiting(
          until: now.at.advanced(bySeconds: pause), isMendedByNetwork: fault == .later(after: nil)))
      $0.preventions += 1
      $0.trouble = reason
    }
    noteDeadline(of: id)
    guard app.trouble != reason else { return }
    let prospect =
      switch fault {
      case .later, .recalled: "its events wait, and are tried again until it does"
      case .refused: "its events wait until somebody mends that, and are tried every half hour"
      case .badMessage: "the event is tried \(Self.badMessageTries) times, and then set aside"
      }
    note(id, "failed", "its sink takes nothing: \(reason); \(prospect)")
    journal(.warning, "\(app.name): its sink takes nothing: \(reason); \(prospect)")
  }

  /// A server that rejects one message after another rejects all of them.
  private static func meaning(
    of reason: String, _ fault: SinkFault, _ tally: UplinkTally
  ) -> (reason: String, fault: SinkFault) {
    guard fault == .badMessage, tally.setAsideInRow >= badMessagesInRow else {
      return (reason, fault)
    }
    return (
      "\(reason); it has said so of \(tally.setAsideInRow) others in a row, so that something else is wrong",
      .refused
    )
  }

  /// Counts a try of the first delivery of the batch that the other side has not taken; sets it aside after the last
  /// one. A later one is not at fault, if a newer one has taken the bad one's place.
  private mutating func isSetAside(_ id: AppID, upTo last: UInt64, _ reason: String) -> Bool {
    guard let number = apps[id]?.outbox.entries.first?.delivery.sequence, number <= last,
      let entry = apps.with(id, { $0.outbox.fail(number) }) ?? nil
    else { return false }
    write { $0.failures.append(HandlerFailure(id, number, entry.failures)) }
    guard entry.failures >= Self.badMessageTries else { return false }
    _ = apps.with(id) {
      $0.code = .sink(.idle)
      $0.preventions = 0
      $0.trouble = nil
    }
    count(id) { $0.setAsideInRow += 1 }
    giveUp(id, number, reason)
    return true
  }

  /// Seconds until the next attempt.
  private func pause(after attempts: Int, _ fault: SinkFault, of id: AppID) -> Double {
    // A side that rejects a message gets time to be fixed, wherever it is.
    let isPatient = apps[id]?.manifest.sink?.needsNetwork == true || fault == .badMessage
    let pauses = isPatient ? Self.pauses : Self.localPauses
    // Equal for equal recordings, and different on each machine: from the start of this service.
    var random = SplitMix64(
      seed: SplitMix64.mixed(UInt64(bitPattern: startedAt.utc.microseconds))
        ^ UInt64(id.number) << 32 ^ UInt64(attempts))
    let failures = fault == .refused ? .max : attempts
    let pause = pauses.wait(after: failures, luck: SplitMix64.uniform(random.next()))
    guard case .later(let after?) = fault else { return pause }
    return max(pause, min(after, Self.longestAskedPause))
  }

  // MARK: The connection

  /// Takes the state of the network, and whether it is metered.
  mutating func heard(_ network: NetworkReading) {
    let before = uplink.network
    guard network != before else { return }
    uplink.network = network
    if apps.contains(where: { $0.manifest.sink?.needsNetwork == true }) {
      note(nil, "network", network.words)
    }
    guard network.isUp else { return }
    let wasUp = before?.isUp == true
    for app in apps.all where app.isSink {
      if !wasUp, case .sink(.waiting(_, isMendedByNetwork: true)) = app.code {
        _ = apps.with(app.id) { $0.code = .sink(.idle) }
        noteDeadline(of: app.id)
      }
      intents.append(.flush(app.id))
    }
  }
}

extension AppRecord {
  /// Whether a batch may begin.
  fileprivate var mayPass: Bool {
    switch code {
    case .sink(.idle), .sink(.gathering): true
    case .sink, .connected, .handler: false
    }
  }

  fileprivate var isGathering: Bool {
    if case .sink(.gathering) = code { true } else { false }
  }
}
