// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationEngine
import LocationModel
import ServiceContract
import StateStore
import Testing

@Suite("What the daemon keeps")
struct StateStoreTests {
  private let bench = StoreBench()

  @Test("A fresh database is empty, and its directory and files are the user's own")
  func fresh() throws {
    let store = try bench.open()
    #expect(store.warning == nil)
    #expect(try store.load() == StoredState())
    #expect(try bench.mode(bench.directory.path) == 0o700)
    for suffix in ["", "-wal", "-shm", ".lock"] {
      #expect(try bench.mode(bench.path + suffix) == 0o600, "state.db\(suffix)")
    }
  }

  @Test("What was committed is there after the next start, value by value")
  func roundTrip() throws {
    var engine = LocationEngine(rules: EngineRules(), policy: .ios)
    var commands: [EngineCommand] = []
    engine.handle(.app(AppID(7), .registered(AppDeclaration())), at: .zero, into: &commands)
    var change = StoreChange()
    change.addedApps = [StoreBench.app(7), StoreBench.app(4_294_967_295, name: "Ä \"quoted\" 😀")]
    change.deliveries = [StoreBench.pending(7, 1), StoreBench.pending(7, 2, failures: 3)]
    change.engine = engine.snapshot
    change.moment = StoredMoment(
      engine: EngineInstant(microseconds: 12), utc: UTCInstant(microseconds: -5), boot: "b",
      bootClock: .max)
    change.energy = ["gnss": 12.5, "cellular": 0.1]
    change.log = [StoreBench.row(nil, "started")]
    do { try bench.open().commit(change) }
    let store = try bench.open()
    let stored = try store.load()
    var apps = change.addedApps
    apps[0].lastSequence = 2
    #expect(stored.apps == apps)
    #expect(stored.pending == change.deliveries)
    #expect(stored.engine == change.engine)
    #expect(stored.moment == change.moment)
    #expect(stored.energy == change.energy)
    #expect(try store.log(of: nil, count: 5) == change.log)
    #expect(store.warning == nil)
  }

  @Test("An acknowledgement clears all up to its number; the numbers themselves are kept")
  func acknowledgement() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1), StoreBench.app(2)]
    change.deliveries =
      (1...5).map { StoreBench.pending(1, $0) } + [StoreBench.pending(2, 1)]
    try store.commit(change)
    var next = StoreChange()
    next.acknowledged = [DeliveryKey(AppID(1), 3)]
    next.failures = [HandlerFailure(AppID(1), 4, 2)]
    next.dropped = [DeliveryKey(AppID(1), 5)]
    next.authorizations = [NewAuthorization(AppID(2), .denied)]
    try store.commit(next)
    // A late acknowledgement, and one of the largest number.
    var late = StoreChange()
    late.acknowledged = [DeliveryKey(AppID(1), 2), DeliveryKey(AppID(2), .max)]
    try store.commit(late)
    let stored = try store.load()
    #expect(stored.pending == [StoreBench.pending(1, 4, failures: 2)])
    #expect(stored.apps.map(\.lastSequence) == [5, 1])
    #expect(stored.apps.map(\.acknowledged) == [3, UInt64(Int64.max)])
    #expect(stored.apps.map(\.authorization) == [.always, .denied])
  }

  @Test("A removed app takes its deliveries and its log along, and leaves those of others")
  func removal() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1), StoreBench.app(2)]
    change.deliveries = [StoreBench.pending(1, 1), StoreBench.pending(2, 1)]
    change.log = [StoreBench.row(1, "a"), StoreBench.row(2, "b")]
    try store.commit(change)
    var removal = StoreChange()
    removal.removedApps = [AppID(1)]
    try store.commit(removal)
    let stored = try store.load()
    #expect(stored.apps.map(\.id) == [AppID(2)])
    #expect(stored.pending == [StoreBench.pending(2, 1)])
    #expect(try store.log(of: AppID(1), count: 10).isEmpty)
    // The second row of an instant is kept a microsecond later (`LogTimes`).
    #expect(try store.log(of: AppID(2), count: 10) == [StoreBench.row(2, "b", at: 6)])
  }

  @Test("The time of an app's last delivery is that of its log's newest line about one")
  func lastLogged() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1), StoreBench.app(2, name: "other")]
    change.log = [
      StoreBench.row(nil, "the service's", at: 40), StoreBench.row(1, "first", at: 10),
      StoreBench.row(1, "last", at: 20),
      LogRow(app: AppID(1), at: UTCInstant(microseconds: 30), kind: "ended", text: ""),
    ]
    try store.commit(change)
    #expect(try store.load().apps.map(\.lastLogged?.microseconds) == [20, nil])
  }

  @Test("Each log keeps its newest 1,000 rows, also when more come at once")
  func logIsBounded() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.log = [StoreBench.row(2, "kept")] + (1...1_500).map { StoreBench.row(1, "\($0)") }
    try store.commit(change)
    change.log = (1_501...1_510).map { StoreBench.row(1, "\($0)") }
    try store.commit(change)
    let rows = try store.log(of: AppID(1), count: 5_000)
    #expect(rows.map(\.text) == (511...1_510).map { "\($0)" })
    #expect(try store.log(of: AppID(1), count: 2).map(\.text) == ["1509", "1510"])
    #expect(try store.log(of: AppID(2), count: 10).map(\.text) == ["kept"])
    #expect(try store.log(of: AppID(1), count: -1).isEmpty)
  }

  @Test("A text in the log is cut, energy that is no number is left out")
  func oddValues() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.log = [StoreBench.row(nil, String(repeating: "ä", count: 5_000))]
    change.energy = ["a": .nan, "b": .infinity, "c": 1]
    change.deliveries = [StoreBench.pending(1, 1)]
    try store.commit(change)
    #expect(try store.log(of: nil, count: 1).first?.text.count == 2_000)
    #expect(try store.load().energy == ["c": 1])
  }

  @Test("Infinities and not-a-number survive in a delivery")
  func nonConforming() throws {
    let fix = StoreBench.pending(1, 1).delivery.fix
    let odd = Delivery(
      sequence: .max, service: .standard, fix: fix, isCached: true, moved: .nan,
      since: -.infinity)
    let back = try SnapshotForm.delivery(SnapshotForm.encoded(odd))
    #expect(back.moved?.isNaN == true)
    #expect(back.since == -.infinity)
    #expect(back.sequence == .max)
  }
}
