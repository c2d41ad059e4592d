// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import ServiceCore

@Suite("An outbox keeps what is not acknowledged, in order and bounded")
struct OutboxTests {
  private func entry(_ number: UInt64) -> Outbox.Entry {
    let fix = Fix(time: nil, coordinate: Coordinate(clampingLatitude: 52, wrappingLongitude: 5))
    return Outbox.Entry(
      delivery: Delivery(
        sequence: number, service: .significant, fix: fix, isCached: false, moved: nil, since: nil),
      received: UTCInstant(microseconds: 0))
  }

  private func outbox(_ numbers: ClosedRange<UInt64>, limit: Int = 100) -> Outbox {
    var outbox = Outbox(limit: limit)
    for number in numbers { _ = outbox.append(entry: entry(number)) }
    return outbox
  }

  /// Sends all that may be sent; returns the numbers.
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
    let answer1 = send(&outbox)
    #expect(answer1 == [1, 2, 3, 4])
    let answer2 = send(&outbox)
    #expect(answer2 == [])
    let answer3 = outbox.acknowledge(upTo: 3)
    #expect(answer3)
    #expect(outbox.entries.map(\.delivery.sequence) == [4])
    #expect(outbox.acknowledged == 3)
  }

  @Test("A new connection gets what was not acknowledged again, and never what was")
  func again() {
    var outbox = outbox(1...3)
    _ = send(&outbox)
    let answer4 = outbox.acknowledge(upTo: 1)
    #expect(answer4)
    outbox.rewind()
    let answer5 = send(&outbox)
    #expect(answer5 == [2, 3])
    outbox.rewind()
    _ = outbox.append(entry: entry(4))
    let answer6 = send(&outbox)
    #expect(answer6 == [2, 3, 4])
  }

  @Test("Nobody can acknowledge what was never sent, or twice")
  func impossible() {
    var outbox = outbox(1...3)
    let answer7 = outbox.acknowledge(upTo: 1)
    #expect(!answer7)
    _ = outbox.next
    outbox.markSent()
    let answer8 = outbox.acknowledge(upTo: 2)
    #expect(!answer8)
    let answer9 = outbox.acknowledge(upTo: 1)
    #expect(answer9)
    let answer10 = outbox.acknowledge(upTo: 1)
    #expect(!answer10)
    #expect(outbox.entries.count == 2)
  }

  @Test("At most a window is on the way")
  func window() {
    var outbox = outbox(1...100)
    let answer11 = send(&outbox)
    #expect(answer11.count == Outbox.window)
    let answer12 = outbox.acknowledge(upTo: 10)
    #expect(answer12)
    let answer13 = send(&outbox)
    #expect(answer13 == [65, 66, 67, 68, 69, 70, 71, 72, 73, 74])
  }

  @Test("Full: the oldest goes, and its loss is counted until the app has been told")
  func full() {
    var outbox = outbox(1...3, limit: 3)
    _ = send(&outbox)
    let answer14 = outbox.append(entry: entry(4))
    #expect(answer14 == [1])
    let answer15 = outbox.append(entry: entry(5))
    #expect(answer15 == [2])
    #expect(outbox.lost == 2)
    let answer16 = send(&outbox)
    #expect(answer16 == [4, 5])
    outbox.toldLosses()
    #expect(outbox.lost == 0)
    let answer17 = outbox.acknowledge(upTo: 5)
    #expect(answer17)
    #expect(outbox.entries.isEmpty)
  }

  @Test("A limit that is lowered drops the oldest with the next delivery, also those on the way")
  func loweredLimit() {
    var outbox = outbox(1...5)
    #expect(send(&outbox) == [1, 2, 3, 4, 5])
    outbox.limit = 2
    #expect(outbox.entries.count == 5)
    let dropped = outbox.append(entry: entry(6))
    #expect(dropped == [1, 2, 3, 4])
    #expect(outbox.lost == 4)
    #expect(send(&outbox) == [6])
    outbox.rewind()
    #expect(send(&outbox) == [5, 6])
    outbox.limit = 3
    #expect(outbox.append(entry: entry(7)).isEmpty)
  }

  @Test("A handler's run is settled by its number, whatever was sent")
  func runs() {
    var outbox = outbox(1...3)
    let failed = outbox.fail(1)
    #expect(failed?.failures == 1)
    let again = outbox.fail(1)
    #expect(again?.failures == 2)
    let settled = outbox.settleDelivery(1)
    #expect(settled?.failures == 2)
    #expect(outbox.acknowledged == 1)
    let next = outbox.fail(2)
    #expect(next?.failures == 1)
    let gone = outbox.settleDelivery(9)
    #expect(gone == nil, "it was dropped meanwhile")
  }

  @Test("What could not be sent is sent again, and what was before it is not")
  func rewound() {
    var outbox = outbox(1...4)
    _ = send(&outbox)
    outbox.rewind(to: 3)
    #expect(send(&outbox) == [3, 4])
  }
}
