// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import StateStore
import Testing

/// Changes that a full disk keeps waiting.
@Suite("A change that is carried over")
struct CarriedChangeTests {
  private let bench = StoreBench()

  @Test(
    "Once there is room, all that happened meanwhile is written, and nothing that was taken back")
  func carried() throws {
    let store = try bench.open()
    var first = StoreChange()
    first.addedApps = [StoreBench.app(1), StoreBench.app(2, name: "other")]
    first.deliveries = [StoreBench.pending(1, 1), StoreBench.pending(1, 2)]
    try store.commit(first)
    try store.pragma("query_only = 1")

    // 1 and 2 wait in the database; 3 and 4 come, 1 to 3 are acknowledged, app 2 goes, app 3 comes and goes.
    var change = StoreChange()
    change.deliveries = [StoreBench.pending(1, 3), StoreBench.pending(2, 1)]
    change.addedApps = [StoreBench.app(3, name: "short")]
    change.acknowledged = [DeliveryKey(AppID(1), 1)]
    #expect(throws: StoreError.self) { try store.commit(change) }
    var carried = change.carriedOver { app, number in app != AppID(1) || number > 1 }
    var next = StoreChange()
    next.deliveries = [StoreBench.pending(1, 4)]
    next.acknowledged = [DeliveryKey(AppID(1), 3)]
    next.removedApps = [AppID(2), AppID(3)]
    carried.append(later: next)
    #expect(throws: StoreError.self) { try store.commit(carried) }
    carried = carried.carriedOver { app, number in app == AppID(1) && number > 3 }
    #expect(carried.deliveries == [StoreBench.pending(1, 4)])
    #expect(carried.acknowledged.count == 1)

    try store.pragma("query_only = 0")
    try store.commit(carried)
    let stored = try store.load()
    #expect(stored.apps.map(\.name) == ["tracker"])
    #expect(stored.apps.first?.acknowledged == 3)
    #expect(stored.apps.first?.lastSequence == 4)
    #expect(stored.pending == [StoreBench.pending(1, 4)])
  }

  @Test("A drop of a stored delivery is carried over, that of one that was never stored is not")
  func dropped() {
    var change = StoreChange()
    change.deliveries = [StoreBench.pending(1, 8), StoreBench.pending(1, 9)]
    change.dropped = [DeliveryKey(AppID(1), 7), DeliveryKey(AppID(1), 8)]
    let carried = change.carriedOver { $1 == 9 }
    #expect(carried.dropped.map(\.number) == [7])
    #expect(carried.deliveries == [StoreBench.pending(1, 9)])
  }

  //  4 given up and 5 waiting, stored, 6 not ─► all reduced, not written ─► 5 forgotten, 6 dropped, 4 discarded
  @Test("What is reduced before it could be written is written once, and goes if it is forgotten")
  func reduced() throws {
    let store = try bench.open()
    let at = UTCInstant(microseconds: 5)
    var first = StoreChange()
    first.addedApps = [StoreBench.app(1)]
    first.deliveries = [StoreBench.pending(1, 5)]
    first.dead = [DeadDelivery(pending: StoreBench.pending(1, 4), at: at, reason: "why")]
    try store.commit(first)
    try store.pragma("query_only = 1")

    var change = StoreChange()
    change.deliveries = [StoreBench.pending(1, 6)]
    change.addedApps = [StoreBench.app(2, name: "other")]
    #expect(throws: StoreError.self) { try store.commit(change) }
    var carried = change.carriedOver { _, _ in true }
    var reduction = StoreChange()
    reduction.deliveries = [StoreBench.pending(1, 5), StoreBench.pending(1, 6)]
    reduction.deliveries[0].failures = 2
    reduction.deliveries[1].failures = 2
    reduction.dead = first.dead
    reduction.replaced = [4, 5, 6].map { DeliveryKey(AppID(1), $0) }
    carried.append(later: reduction)
    #expect(throws: StoreError.self) { try store.commit(carried) }
    carried = carried.carriedOver { _, _ in true }
    #expect(Set(carried.deliveries.map(\.delivery.sequence)) == [5, 6])
    #expect(carried.deliveries.map(\.failures) == [2, 2])
    #expect(carried.replaced.map(\.number) == [4, 5])

    var last = StoreChange()
    last.forgetDeliveries([DeliveryKey(AppID(1), 5)])
    last.dropped = [DeliveryKey(AppID(1), 6)]
    last.revived = [DeliveryKey(AppID(1), 4)]
    carried.append(later: last)
    #expect(throws: StoreError.self) { try store.commit(carried) }
    carried = carried.carriedOver { _, _ in false }
    try store.pragma("query_only = 0")
    try store.commit(carried)
    let stored = try store.load()
    #expect(stored.pending == [])
    #expect(stored.dead == [])
  }

  //  given up, logged, at 55° ─► not written ─► forgotten ─► written: nothing of it
  @Test("What is forgotten before it was ever written is not written later")
  func forgotten() throws {
    let at = UTCInstant(microseconds: 5)
    var change = StoreChange()
    change.dead = [1, 2].map {
      DeadDelivery(pending: StoreBench.pending(1, $0), at: at, reason: "why")
    }
    change.log = [StoreBench.row(1, "old"), StoreBench.row(nil, "service")]
    var position = HistoryDocument.Entry(at: at, kind: .position)
    (position.latitude, position.longitude) = (55, 12)
    change.history = [position, HistoryDocument.Entry(at: at, kind: .state, app: "tracker")]
    var carried = change.carriedOver { _, _ in true }
    var later = StoreChange()
    later.forgetDeliveries([DeliveryKey(AppID(1), 2)])
    later.forgetLog(LogExpiry(app: AppID(1), before: UTCInstant(microseconds: 6)))
    let place = try #require(Coordinate(latitude: 55.0001, longitude: 12))
    // 0.0001° of latitude are 11 m.
    later.forgetHistory(HistoryExpiry(within: .init(centre: place, radius: 50)))
    carried.append(later: later)
    #expect(carried.dead.map(\.pending.delivery.sequence) == [1])
    #expect(carried.log.map(\.text) == ["service"])
    #expect(carried.history.map(\.kind) == [.state])
  }

  @Test("Of two words on one log the further-reaching one is carried over, whichever came first")
  func furthest() {
    var change = StoreChange()
    change.forgetLog(LogExpiry(app: nil, before: UTCInstant(microseconds: 9)))
    change.forgetHistory(HistoryExpiry())
    var later = StoreChange()
    later.forgetLog(LogExpiry(app: nil, before: UTCInstant(microseconds: 3)))
    later.forgetLog(LogExpiry(app: AppID(1), before: UTCInstant(microseconds: 3)))
    later.forgetHistory(HistoryExpiry(before: UTCInstant(microseconds: 3)))
    change.append(later: later)
    let carried = change.carriedOver { _, _ in true }
    #expect(carried.expiredLogs.map(\.before.microseconds) == [9, 3])
    #expect(carried.expiredHistory == [HistoryExpiry()])
  }

  @Test("The log that waits is bounded for each app, and the newest rows stay")
  func log() {
    var change = StoreChange()
    for number in 1...(StoreChange.logLimit + 5) {
      change.log.append(StoreBench.row(1, "\(number)"))
    }
    change.log.append(StoreBench.row(nil, "daemon"))
    let log = change.carriedOver { _, _ in true }.log
    #expect(log.count == StoreChange.logLimit + 1)
    #expect(log.first?.text == "6")
    #expect(log.last?.text == "daemon")
  }
}
