// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import DaemonRuntime

@Suite("An outbox keeps what is not acknowledged, in order and bounded")
struct OutboxTests {
  private func entry(_ number: UInt64) -> Outbox.Entry {
    let fix = Fix(time: nil, coordinate: Coordinate(latitude: 52, longitude: 5)!)
    return Outbox.Entry(
      delivery: Delivery(
        sequence: number, service: .significant, fix: fix, isCached: false, moved: nil, since: nil),
      received: UTCInstant(microseconds: 0))
  }

  private func outbox(_ numbers: ClosedRange<UInt64>, limit: Int = 100) -> Outbox {
    var outbox = Outbox(limit: limit)
    for number in numbers { _ = outbox.add(entry(number)) }
    return outbox
  }

  /// Sends all that may be sent; answers the numbers.
  private func send(_ outbox: inout Outbox) -> [UInt64] {
    var sent: [UInt64] = []
    while let next = outbox.next {
      sent.append(next.delivery.sequence)
      outbox.markSent()
    }
    return sent
  }

  @Test("Sent in order, once; an acknowledgement covers all before it")
  func order() {
    var outbox = outbox(1...4)
    #expect(send(&outbox) == [1, 2, 3, 4])
    #expect(send(&outbox) == [])
    #expect(outbox.acknowledge(upTo: 3))
    #expect(outbox.entries.map(\.delivery.sequence) == [4])
    #expect(outbox.acknowledged == 3)
  }

  @Test("A new connection gets what was not acknowledged again, and never what was")
  func again() {
    var outbox = outbox(1...3)
    _ = send(&outbox)
    #expect(outbox.acknowledge(upTo: 1))
    outbox.rewind()
    #expect(send(&outbox) == [2, 3])
    outbox.rewind()
    _ = outbox.add(entry(4))
    #expect(send(&outbox) == [2, 3, 4])
  }

  @Test("Nobody can acknowledge what was never sent, or twice")
  func impossible() {
    var outbox = outbox(1...3)
    #expect(!outbox.acknowledge(upTo: 1))
    _ = outbox.next
    outbox.markSent()
    #expect(!outbox.acknowledge(upTo: 2))
    #expect(outbox.acknowledge(upTo: 1))
    #expect(!outbox.acknowledge(upTo: 1))
    #expect(outbox.entries.count == 2)
  }

  @Test("At most a window is on the way")
  func window() {
    var outbox = outbox(1...100)
    #expect(send(&outbox).count == Outbox.window)
    #expect(outbox.acknowledge(upTo: 10))
    #expect(send(&outbox) == [65, 66, 67, 68, 69, 70, 71, 72, 73, 74])
  }

  @Test("Full: the oldest goes, and its loss is counted until the app has been told")
  func full() {
    var outbox = outbox(1...3, limit: 3)
    _ = send(&outbox)
    #expect(outbox.add(entry(4)) == [1])
    #expect(outbox.add(entry(5)) == [2])
    #expect(outbox.lost == 2)
    #expect(send(&outbox) == [4, 5])
    outbox.toldLosses()
    #expect(outbox.lost == 0)
    #expect(outbox.acknowledge(upTo: 5))
    #expect(outbox.entries.isEmpty)
  }

  @Test("A handler's failures belong to the oldest delivery")
  func failures() {
    var outbox = outbox(1...2)
    outbox.markSent()
    #expect(outbox.fail() == 1)
    #expect(outbox.fail() == 2)
    outbox.markSent()
    #expect(outbox.acknowledge(upTo: 1))
    outbox.markSent()
    #expect(outbox.fail() == 1)
  }
}
