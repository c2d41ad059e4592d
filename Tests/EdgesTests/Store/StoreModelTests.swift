// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceSimulation
import StateStore
import Testing

/// The simulator's store is a value; this makes it equivalent to Milepost's.
@Suite("The model of the store and SQLite hold the same")
struct StoreModelTests {
  /// Random changes of a few apps, with numbers that repeat, run backwards, and refer to missing items.
  private struct Source {
    var random: SplitMix64

    private mutating func app() -> UInt32 { UInt32(1 + random.below(4)) }

    private mutating func number() -> UInt64 { UInt64(1 + random.below(12)) }

    private mutating func pending() -> PendingDelivery {
      StoreBench.pending(
        app(), number(), failures: random.below(3), occasion: happens(10) ? .request : nil)
    }

    private mutating func tally(_ step: Int) -> UplinkTally {
      var tally = UplinkTally(since: EngineInstant(microseconds: Int64(step)))
      (tally.transfers, tally.taken) = (random.below(9), step)
      tally.traffic = SinkTraffic(up: 1 << 40, down: random.below(900))
      tally.energy = happens(50) ? Double(step) / 3 : nil
      tally.lastTaken = happens(50) ? UTCInstant(microseconds: -7) : nil
      tally.setAsideInRow = random.below(3)
      if happens(50) { tally.noteTold("a \"word\"") }
      return tally
    }

    private mutating func happens(_ percent: Int) -> Bool { random.below(100) < percent }

    private mutating func some<Row>(_ percent: Int, _ row: (inout Self) -> Row) -> [Row] {
      guard happens(percent) else { return [] }
      return (0...random.below(3)).map { _ in row(&self) }
    }

    /// 10 km around one of three places, 0.5° of latitude (56 km) apart.
    mutating func circle() -> ForgottenPlaces.Circle {
      .init(
        centre: Coordinate(
          clampingLatitude: 55 + Double(random.below(3)) / 2, wrappingLongitude: 12),
        radius: 10_000)
    }

    private mutating func expire(in change: inout StoreChange, _ step: Int) {
      change.expiredLogs = some(10) { source in
        // Some of the rows of five steps ago, or all but the newest ones.
        LogExpiry(
          app: source.happens(30) ? nil : AppID(source.app()),
          before: UTCInstant(microseconds: Int64(step - 5) * 1_000 + (source.happens(50) ? 1 : 9)))
      }
      change.expiredHistory = some(10) { source in
        HistoryExpiry(
          before: source.happens(50)
            ? UTCInstant(microseconds: Int64(step - 5) * 20_000_000_000) : nil,
          within: source.happens(50) ? source.circle() : nil,
          app: source.happens(30) ? "a" : nil)
      }
    }

    mutating func change(_ step: Int) -> StoreChange {
      var change = StoreChange()
      change.removedApps = some(8) { AppID($0.app()) }
      change.addedApps = some(25) { source in
        var row = StoreBench.app(source.app(), name: "app\(step)")
        row.lastSequence = source.number()
        row.acknowledged = UInt64(source.random.below(3))
        // Only a separate change begins a run.
        row.run = 5
        return row
      }
      change.authorizations = some(20) { source in
        NewAuthorization(AppID(source.app()), source.happens(50) ? .denied : .whenInUse)
      }
      change.deliveries = some(60) { $0.pending() }
      change.acknowledged = some(30) { DeliveryKey(AppID($0.app()), $0.number() / 2) }
      change.failures = some(20) {
        HandlerFailure(AppID($0.app()), $0.number(), $0.random.below(9))
      }
      change.dropped = some(20) { DeliveryKey(AppID($0.app()), $0.number()) }
      change.forgotten = some(15) { .init(AppID($0.app()), $0.number()) }
      expire(in: &change, step)
      change.scrubs = happens(5)
      change.runs = some(20) { .init(AppID($0.app()), UInt64($0.random.below(3))) }
      change.tallies = some(20) { SinkTally(AppID($0.app()), $0.tally(step)) }
      change.crashes = some(20) { source in
        let times = (0..<source.random.below(4)).map { EngineInstant(microseconds: Int64($0)) }
        return AppCrashes(AppID(source.app()), .init(times: times, isHeld: source.happens(30)))
      }
      change.dead = some(20) { source in
        DeadDelivery(
          pending: source.pending(), at: UTCInstant(microseconds: Int64(step)),
          reason: String(repeating: "why", count: source.happens(5) ? 1_000 : 1))
      }
      change.revived = some(20) { .init(AppID($0.app()), $0.number()) }
      change.log = some(50) { source in
        StoreBench.row(
          source.happens(30) ? nil : source.app(),
          source.happens(3) ? String(repeating: "long", count: 600) : "step \(step)",
          at: Int64(step) * 1_000)
      }
      change.history = some(40) { source in
        HistoryDocument.Entry(
          at: UTCInstant(microseconds: Int64(step) * 20_000_000_000),
          kind: source.happens(50) ? .position : .state, app: source.happens(50) ? "a" : nil,
          word: source.happens(50) ? "active" : nil,
          text: source.happens(5) ? String(repeating: "long", count: 600) : nil,
          since: source.happens(10) ? UTCInstant(microseconds: Int64(step)) : nil,
          place: source.happens(50) ? source.circle().centre : nil,
          accuracy: source.happens(50) ? 4.5 : nil, speed: source.happens(50) ? 0.25 : nil)
      }
      if happens(20) {
        change.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
      }
      if happens(30) {
        change.moment = StoredMoment(
          engine: EngineInstant(microseconds: Int64(step)), utc: UTCInstant(microseconds: -3),
          boot: "b\(step)", bootClock: 7)
      }
      if happens(30) {
        change.energy = ["gnss": Double(step) / 3, "soc": happens(20) ? .infinity : 1]
      }
      return change
    }
  }

  private func expectEqual(_ store: StateStore, _ model: StoreModel, loads: Bool) throws {
    // Before `load`, which moves the recent changes into the database.
    for app in [nil, AppID(1), AppID(2), AppID(3), AppID(4)] as [AppID?] {
      #expect(try store.log(of: app, count: 5) == model.log(of: app, count: 5))
    }
    // From the beginning, some may be too old; within a week of the latest, none.
    for (day, count) in [(0, 3), (0, 10_000), (3, 10_000), (10, 10_000)] as [(Int64, Int)] {
      let range = HistoryRange(
        from: UTCInstant(microseconds: day * 86_400_000_000),
        to: UTCInstant(microseconds: 40 * 86_400_000_000), count: count)
      #expect(try store.history(in: range) == model.history(in: range))
    }
    if loads { #expect(try store.load() == model.load()) }
  }

  @Test("After changes, commits that fail, and kills", arguments: 1...12 as ClosedRange<UInt64>)
  func random(_ seed: UInt64) throws {
    let bench = StoreBench()
    var source = Source(random: SplitMix64(seed: seed))
    var store: StateStore? = try bench.open()
    var model = StoreModel()
    for step in 1...60 {
      let change = source.change(step)
      let isFull = source.random.below(8) == 0
      if isFull { try store?.pragma("query_only = 1") }
      do {
        try store?.commit(change)
        model.apply(change)
      } catch is StoreError {
        #expect(isFull)
      }
      if isFull { try store?.pragma("query_only = 0") }
      if source.random.below(10) == 0 {
        // The next service opens it again.
        store = nil
        store = try bench.open()
      }
      try expectEqual(try #require(store), model, loads: step == 60 || source.random.below(4) == 0)
    }
  }

  @Test(
    "Of the history the newest week stays, and of a busy week the newest entries, wherever they lie",
    arguments: [0, 2])
  func history(settlesEach: Int) throws {
    let bench = StoreBench()
    let store = try bench.open()
    var model = StoreModel()
    let day: Int64 = 86_400_000_000
    var commits = 0
    func position(_ microseconds: Int64) -> HistoryDocument.Entry {
      .init(at: UTCInstant(microseconds: microseconds), kind: .position, accuracy: 3)
    }
    func keep(_ entries: [HistoryDocument.Entry]) throws {
      var change = StoreChange()
      change.history = entries
      try store.commit(change)
      model.apply(change)
      commits += 1
      if settlesEach > 0, commits % settlesEach == 0 { try store.settleRecent() }
    }
    let all = HistoryRange(
      from: UTCInstant(microseconds: 0), to: UTCInstant(microseconds: 90 * day), count: 100_000)
    func expect(_ times: [Int64]) throws {
      #expect(try store.history(in: all).map(\.at.microseconds) == times)
      #expect(model.history(in: all) == (try store.history(in: all)))
    }
    // A clock that is wrong by two months for a while deletes no older entries.
    let wrong = (0..<99).map { 60 * day + $0 }
    try keep([position(0), position(day)])
    try keep(wrong.map(position))
    try expect([0, day] + wrong)
    try keep([position(8 * day)])
    try expect([day] + wrong + [8 * day])
    // A hundred entries agree that it is the tenth day.
    let right = (0..<100).map { 10 * day + $0 }
    try keep(right.map(position))
    try expect(wrong + [8 * day] + right)
    var change = StoreChange()
    change.forgetHistory(HistoryExpiry())
    try store.commit(change)
    model.apply(change)
    try keep((0..<50_001).map { position(9 * day + Int64($0)) })
    let kept = try store.history(in: all)
    #expect(kept.count == 50_000 && kept.first?.at.microseconds == 9 * day + 1)
    #expect(model.history(in: all) == kept)
    var part = all
    part.count = 2
    #expect(part.document(of: try store.history(in: part)).isCut)
    #expect(part.document(of: try store.history(in: part)).entries == Array(kept.suffix(2)))
    part.to = UTCInstant(microseconds: 9 * day + 3)
    #expect(!part.document(of: try store.history(in: part)).isCut)
  }

  @Test("Who reads the history, once a second as a screen does, writes nothing")
  func reading() throws {
    let bench = StoreBench()
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    try store.commit(change)
    change = StoreChange()
    change.deliveries = [StoreBench.pending(1, 1)]
    change.history = [.init(at: UTCInstant(microseconds: 5), kind: .state, app: "tracker")]
    try store.commit(change)
    let before = try ["", "-recent", "-wal"].map { try bench.bytes(of: $0) }
    let range = HistoryRange(
      from: UTCInstant(microseconds: 0), to: UTCInstant(microseconds: 9), count: 10)
    #expect(try store.history(in: range) == change.history)
    #expect(try ["", "-recent", "-wal"].map { try bench.bytes(of: $0) } == before)
  }

  @Test("The newest given-up events and rows of a log stay, and the same ones")
  func limits() throws {
    let bench = StoreBench()
    let store = try bench.open()
    var model = StoreModel()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    change.dead = (1...UInt64(StoreChange.deadLimit + 3)).map { number in
      DeadDelivery(
        pending: StoreBench.pending(1, number), at: UTCInstant(microseconds: 1), reason: "no")
    }
    change.log = (1...(StoreChange.logLimit + 3)).map { StoreBench.row(1, "\($0)") }
    try store.commit(change)
    model.apply(change)
    let stored = try store.load()
    #expect(stored == model.load())
    #expect(stored.dead.first?.pending.delivery.sequence == 4)
    let all = 2 * StoreChange.logLimit
    #expect(try store.log(of: AppID(1), count: all) == model.log(of: AppID(1), count: all))
  }
}
