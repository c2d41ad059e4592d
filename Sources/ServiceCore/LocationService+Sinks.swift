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
// - What a sink has taken is acknowledged, and that is stored. A kill in between, or a batch of which a part
//   was taken, brings deliveries again, under the same numbers: at least once, in order.
// - What is not urgent is gathered until the oldest has waited for `max_delay_s`, a batch is full, or the radio
//   is on for another sink (Uplink.swift). A restart is no new beginning (`EngineClock`); where nobody knows for how
//   long it has waited, it goes.
// - What follows from a failure is the fault's (`SinkFault`). One that passes by itself: again after 30 s (1 s
//   where no network is needed), twice as long each time, up to half an hour, and at once when the network comes
//   back; not earlier than the other side asked for. Not let in: every half hour, for as long as nobody mends it.
//   A message that the other side cannot use goes alone, three times, wherever that is with the pauses of a network,
//   and is then set aside with the answer (`milepost apps events` keeps it), so that it holds up nobody for ever.
//   Where three in a row were set aside it is not the messages: an address that answers 400 to all, a device that is
//   not registered. Then it counts as not let in, until one is taken. Nothing else is ever given up.
// - A trial that gets through ends a pause: what was wrong has been mended.
// - The pauses differ by up to a fifth between sinks and attempts, so that a thousand machines do not come
//   back to a server in the same second.
// - The other side may ask for other regions (LocationService+SinkRegions.swift), and for the present position. Until
//   that is found, or cannot be, the sink counts as in front of its user.
// - The outbox has its limit (`outbox_limit`), and what has to go for it is said. A sink that keeps the last
//   delivery only has room for one, and what a newer one replaces is no loss.
// - A service that stops waits for the batch that is on its way, as long as it waits for processes.

/// The state of a sink's work.
enum SinkRun: Sendable, Equatable {
  case idle
  /// The events that wait go then at the latest.
  case gathering(until: EngineInstant)
  /// A batch that ends with this number is on its way.
  case passing(upTo: UInt64)
  /// It took nothing, and is tried again then, or when the network comes back where `isMendedByNetwork`.
  case waiting(until: EngineInstant, isMendedByNetwork: Bool)

  /// The next thing that time alone will change.
  var nextDeadline: EngineInstant? {
    switch self {
    case .gathering(let until), .waiting(let until, _): until
    case .idle, .passing: nil
    }
  }
}

extension LocationService {
  /// Seconds of the first pause: where each attempt costs a radio's tail, and where it costs none.
  private static let firstPause = 30.0
  private static let firstLocalPause = 1.0
  private static let longestPause = 1800.0
  /// Seconds that the other side may ask for; one that asks for more has its clock wrong [ours].
  private static let longestAskedPause = 86_400.0
  /// How often a message that the other side cannot use is tried.
  private static let badMessageTries = 3
  /// How many are set aside in a row at most [ours].
  private static let badMessagesInRow = 3

  /// Passes on what waits, as much as the window holds, unless it may wait.
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

  /// Until when what waits may wait; `nil` where it goes now.
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
    return network.isUp && !(schedule.onMetered == .wait && network.isMetered == true)
  }

  // MARK: Answers of the sink

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
        note(id, "mended", "its sink takes events again, after \(app.preventions) attempts")
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
      failed(id, upTo: number, reason, fault ?? .later(after: nil))
    case .asks(let id, .reportLocation):
      guard apps[id]?.isSink == true else { return }
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

  /// Whatever a sink waited for after a failure is over.
  private mutating func resume(_ id: AppID) {
    guard case .sink(.waiting) = apps[id]?.code else { return }
    _ = apps.with(id) {
      $0.code = .sink(.idle)
      $0.preventions = 0
    }
    noteDeadline(of: id)
    intents.append(.flush(id))
  }

  /// Puts a sink whose other side asked for the present position into the background again, once that was found, or
  /// cannot be.
  mutating func putAway(_ id: AppID) {
    guard engine.state(of: id) == .active, !engine.awaitsLocation(id) else { return }
    tell(.app(id, .life(.enteredBackground)))
  }

  /// A batch is over; `number` is the last that is safe on the other side, where any is.
  private mutating func settle(_ id: AppID, _ traffic: SinkTraffic?, upTo number: UInt64?) {
    let energy = traffic.flatMap { meter($0, of: id) }
    // Without a transfer nothing was on, and has no tail.
    let tail = traffic == nil ? 0 : settings.network?.tailDuration ?? 0
    uplink.ended(id, at: now.at, tail: tail)
    let waited = apps[id]?.outbox.entries.count ?? 0
    if let number { acknowledge(id, upTo: number) }
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

  /// Joules that a transfer of a sink adds; `nil` where nothing is metered, as of one that needs no network.
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

  /// A part of a batch that ends with the number `last` was not taken. It is said once for each reason: an outage may
  /// last for days.
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
      case .later: "its events wait, and are tried again until it does"
      case .refused: "its events wait until somebody mends that, and are tried every half hour"
      case .badMessage: "the event is tried \(Self.badMessageTries) times, and then set aside"
      }
    note(id, "failed", "its sink takes nothing: \(reason); \(prospect)")
    journal(.warning, "\(app.name): its sink takes nothing: \(reason); \(prospect)")
  }

  /// A server that calls one message after another bad has something against all of them.
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

  /// Counts a try of the first delivery of the batch that the other side has not taken; sets it aside after the
  /// last one. One that came later is not to blame, where a newer one has taken the bad one's place.
  private mutating func isSetAside(_ id: AppID, upTo last: UInt64, _ reason: String) -> Bool {
    guard let number = apps[id]?.outbox.entries.first?.delivery.sequence, number <= last,
      let entry = apps.with(id, { $0.outbox.fail(number) }) ?? nil,
      entry.failures >= Self.badMessageTries
    else { return false }
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
    // Who calls a message bad is given time to be mended, wherever it is.
    let isPatient = apps[id]?.manifest.sink?.needsNetwork == true || fault == .badMessage
    let doubled =
      (isPatient ? Self.firstPause : Self.firstLocalPause) * Double(1 << min(attempts - 1, 11))
    let pause = fault == .refused ? Self.longestPause : min(doubled, Self.longestPause)
    // Equal for equal recordings, and another one on each machine: by when this service began.
    var random = SplitMix64(
      seed: SplitMix64.mixed(UInt64(bitPattern: startedAt.utc.microseconds))
        ^ UInt64(id.number) << 32 ^ UInt64(attempts))
    let spread = 0.8 + 0.4 * SplitMix64.uniform(random.next())
    guard case .later(let after?) = fault else { return pause * spread }
    return max(pause * spread, min(after, Self.longestAskedPause))
  }

  // MARK: The connection

  /// Whether there is a network, and one that may be used freely.
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
