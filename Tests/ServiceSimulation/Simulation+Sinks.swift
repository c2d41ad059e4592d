// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import ServiceCore

// Sinks: each takes batches, late, in part or not at all.

/// A batch on its way into a sink.
struct SimulatedBatch: Sendable {
  let number: Int
  let deliveries: [UInt64]
}

extension Simulation {
  mutating func perform(_ order: SinkOrder) {
    switch order {
    case .close(let app): busySinks[app] = nil
    case .take(let batch): take(batch)
    case .recall(let app): recall(app)
    case .probe, .regions: break
    }
  }

  private mutating func take(_ batch: SinkBatch) {
    let (app, numbers) = (batch.app, batch.deliveries.map(\.delivery.sequence))
    guard let last = numbers.last, let account = ledger.accounts[app.number] else {
      return fail(.forgotten, "app \(app.number) is not known, or its batch is empty")
    }
    if busySinks[app] != nil {
      fail(.numbers, "app \(app.number): a second batch is on its way")
    }
    if !account.pending.starts(with: numbers) {
      fail(.numbers, "app \(app.number): \(numbers) goes out, and \(account.pending) wait")
    }
    for number in numbers { checkStored(app, number) }
    checkAllowed(batch)
    for row in batch.deliveries { checkSeen(row.delivery.fix, by: name(of: app)) }
    let isSlow = faults.strike(.slowSink)
    let delay = isSlow ? chance.logBetween(1, 300) : chance.between(0.001, 0.05)
    defer {
      // It says on the way how far it is.
      if chance.happens(0.5) {
        add(
          .sink(.passed(app, upTo: chance.pick(numbers), of: last), app, batch: batches),
          in: delay * chance.between(0, 1))
      }
    }
    if faults.strike(.sinkFails) {
      return end(numbers, of: app, by: failure(of: app, numbers), in: delay)
    }
    end(numbers, of: app, by: .took(app, upTo: last), in: delay)
  }

  private mutating func end(
    _ numbers: [UInt64], of app: AppID, by event: SinkEvent, in delay: Double
  ) {
    batches += 1
    busySinks[app] = SimulatedBatch(number: batches, deliveries: numbers)
    add(.sink(event, app, batch: batches), in: delay)
  }

  /// What has not left comes back. The sink may have sent all of it before it hears of it.
  private mutating func recall(_ app: AppID) {
    guard let numbers = busySinks[app]?.deliveries, chance.happens(0.8) else { return }
    let passed = chance.happens(0.5) ? chance.pick(numbers) : nil
    end(
      numbers, of: app,
      by: .failed(
        app, upTo: numbers.last ?? 0, reason: "recalled", fault: .recalled, passed: passed),
      in: chance.between(0.001, 1))
  }

  /// A failure of each kind, after a part of the batch got through.
  private mutating func failure(of app: AppID, _ numbers: [UInt64]) -> SinkEvent {
    let fault: SinkFault? = chance.pick([
      nil, .later(after: nil), .later(after: chance.between(1, 1000)), .refused, .badMessage,
    ])
    let passed = chance.happens(0.3) ? chance.pick(numbers) : nil
    // The last one may have got through without its answer.
    return .failed(
      app, upTo: numbers.last ?? 0, reason: chance.pick(["HTTP 503", "nobody answers"]),
      fault: fault, passed: passed,
      traffic: chance.happens(0.5) ? SinkTraffic(up: 900, down: 200) : nil)
  }

  /// Passes a sink's event to the service.
  mutating func note(_ event: SinkEvent) {
    switch event {
    case .failed(let app, _, _, _, let passed, _):
      guard busySinks.removeValue(forKey: app) != nil, let passed else { return }
      ledger.acknowledged(app, upTo: passed, sent: passed)
    case .took(let app, let number, _, _):
      guard busySinks.removeValue(forKey: app) != nil else { return }
      ledger.acknowledged(app, upTo: number, sent: number)
    case .passed(let app, let number, _):
      if busySinks[app] != nil { ledger.acknowledged(app, upTo: number, sent: number) }
    case .asks, .tried: break
    }
  }
}
