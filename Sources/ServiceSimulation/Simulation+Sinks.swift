// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import ServiceCore

// Sinks: each takes whole batches, late or not at all.

extension Simulation {
  mutating func perform(_ order: SinkOrder) {
    switch order {
    case .close(let app): busySinks.remove(app)
    case .take(let batch): take(batch)
    case .probe: break
    }
  }

  private mutating func take(_ batch: SinkBatch) {
    let (app, numbers) = (batch.app, batch.deliveries.map(\.delivery.sequence))
    guard let last = numbers.last, let account = ledger.accounts[app.number] else {
      return fail(.forgotten, "app \(app.number) is not known, or its batch is empty")
    }
    if !busySinks.insert(app).inserted {
      fail(.numbers, "app \(app.number): a second batch is on its way")
    }
    if !account.pending.starts(with: numbers) {
      fail(.numbers, "app \(app.number): \(numbers) goes out, and \(account.pending) wait")
    }
    for number in numbers { checkStored(app, number) }
    let isSlow = faults.strike(.slowSink)
    let delay = isSlow ? chance.logBetween(1, 300) : chance.between(0.001, 0.05)
    if faults.strike(.sinkFails) {
      let reason = chance.pick(["the disk is full", "nobody answers"])
      return tell(.sink(.failed(app, upTo: last, reason: reason)), in: delay)
    }
    tell(.sink(.took(app, upTo: last)), in: delay)
  }

  /// What a sink says reaches the service.
  mutating func note(_ event: SinkEvent) {
    switch event {
    case .failed(let app, _, _, _, _, _): busySinks.remove(app)
    case .took(let app, let number, _):
      guard busySinks.remove(app) != nil else { return }
      ledger.acknowledged(app, upTo: number, sent: number)
    case .asks, .tried: break
    }
  }
}
