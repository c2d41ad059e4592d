// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Settings
import Wording

// Theory
// ======
//
// A sink is an app whose run is no process. Its deliveries go out in batches, oldest first, one batch at a
// time, of as many as a connected app may have on the way:
//
//            deliveries wait                all are safe there: acknowledged, the next ones
//   idle ──────────────────────► passing ──────────────────────────────────────────────────► idle
//    ▲                              │ the sink says why not
//    │     1, 2, 4 … 600 s          ▼
//    └────────────────────────── waiting
//
// - What a sink has taken is acknowledged, and that is stored. A kill in between, or a batch of which a part
//   was taken, brings deliveries again, under the same numbers: at least once, in order.
// - Nothing is ever given up: an outage is nobody's fault. The outbox has its limit (`outbox_limit`), and
//   what has to go for it is said.
// - A service that stops waits for the batch that is on its way, as long as it waits for processes.

/// What there is of a sink's work.
enum SinkRun: Sendable, Equatable {
  case idle
  /// A batch that ends with this number is on its way.
  case passing(upTo: UInt64)
  /// It took nothing; it is tried again then.
  case waiting(until: EngineInstant)
}

extension LocationService {
  /// Passes on what waits, as much as the window holds.
  mutating func pass(_ id: AppID, into effects: inout [ServiceEffect]) {
    guard let app = apps[id], app.code == .sink(.idle), !phase.isStopping,
      let sink = app.manifest.sink
    else { return }
    var batch = SinkBatch(
      app: id, sink: sink, directory: app.manifest.directory, deliveries: [])
    _ = apps.with(id) { app in
      while let entry = app.outbox.next {
        batch.deliveries.append(.init(app: id, delivery: entry.delivery, received: entry.received))
        app.outbox.markSent()
      }
      guard let last = batch.deliveries.last else { return }
      app.code = .sink(.passing(upTo: last.delivery.sequence))
    }
    if !batch.deliveries.isEmpty { effects.append(.sink(.take(batch))) }
  }

  mutating func sink(_ event: SinkEvent) {
    switch event {
    case .took(let id, let number, _):
      guard let app = apps[id], app.code == .sink(.passing(upTo: number)) else { return }
      acknowledge(id, upTo: number)
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
    case .failed(let id, let number, let reason, _, _, _):
      guard let app = apps[id], app.code == .sink(.passing(upTo: number)) else { return }
      failed(app, reason)
    case .asks, .tried: break
    }
  }

  /// Said once for each reason: an outage may last for days.
  private mutating func failed(_ app: AppRecord, _ reason: String) {
    let pause = Self.retryPause(after: app.preventions + 1)
    _ = apps.with(app.id) {
      $0.outbox.rewind()
      $0.code = .sink(.waiting(until: now.at.advanced(bySeconds: pause)))
      $0.preventions += 1
      $0.trouble = reason
    }
    noteDeadline(of: app.id)
    guard app.trouble != reason else { return }
    note(
      app.id, "failed",
      "its sink takes nothing: \(reason); its events wait, and are tried again until it does")
    journal(.warning, "\(app.name): its sink takes nothing, and its events wait: \(reason)")
  }
}
