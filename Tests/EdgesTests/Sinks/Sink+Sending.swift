// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Sinks
import Synchronization

extension Sink {
  /// Sends a batch of which only the end matters.
  @discardableResult
  func send(_ deliveries: [PendingDelivery]) async throws(SinkError) -> SinkReceipt {
    try await send(deliveries: deliveries) { _ in }
  }

  /// Sends a batch; returns what was said to have arrived on the way, and whether all did.
  func arrivals(of deliveries: [PendingDelivery]) async -> (numbers: [UInt64], areAll: Bool) {
    let numbers = Numbers()
    do throws(SinkError) {
      _ = try await send(deliveries: deliveries) { number in numbers.append(number) }
      return (numbers.all, true)
    } catch {
      return (numbers.all, false)
    }
  }
}

private final class Numbers: Sendable {
  private let list = Mutex<[UInt64]>([])

  var all: [UInt64] { list.withLock { $0 } }

  func append(_ number: UInt64) { list.withLock { $0.append(number) } }
}
