// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LocationModel
import ServiceContract
import StateStore
import Synchronization
import Testing

/// Step `k` delivers number k and acknowledges k − 3; moment, energy and log contain k. Changes for the database are
/// written there at once.
private func step(_ k: Int, isForDatabase: Bool = false) -> StoreChange {
  var change = StoreChange()
  if isForDatabase { change.authorizations = [NewAuthorization(AppID(1), .always)] }
  if k == 1 { change.addedApps = [StoreBench.app(1)] }
  change.deliveries = [StoreBench.pending(1, UInt64(k))]
  if k > 3 { change.acknowledged = [DeliveryKey(AppID(1), UInt64(k - 3))] }
  change.log = [StoreBench.row(1, "\(k)")]
  change.moment = StoredMoment(
    engine: EngineInstant(microseconds: Int64(k)), utc: UTCInstant(microseconds: 0), boot: "b",
    bootClock: 0)
  change.energy = ["gnss": Double(k)]
  return change
}

/// A kill -9 leaves a prefix of the bytes appended to the recent file, or to the database's journal. The database is
/// copied with one of them cut, and the copy is opened as the next daemon would.
@Suite("A kill at any moment")
struct KillTests {
  private let bench = StoreBench()

  /// Opens a copy, expects one whole step in it, and returns its number.
  private func wholeStep(in copy: String, isSaid: Bool = false) throws -> Int {
    let store = try StateStore(path: copy)
    #expect((store.warning != nil) == isSaid)
    let stored = try store.load()
    guard let moment = stored.moment else {
      #expect(stored == StoredState())
      return 0
    }
    let k = Int(moment.engine.microseconds)
    #expect(stored.apps.map(\.lastSequence) == [UInt64(k)])
    #expect(stored.apps.map(\.acknowledged) == [UInt64(max(0, k - 3))])
    #expect(stored.pending.map(\.delivery.sequence) == (max(1, k - 2)...k).map { UInt64($0) })
    #expect(stored.energy == ["gnss": Double(k)])
    #expect(try store.log(of: AppID(1), count: 1).map(\.text) == ["\(k)"])
    return k
  }

  @Test("A journal that is cut at any byte holds exactly the steps that were committed before")
  func cutJournal() throws {
    let store = try bench.open()
    // The file itself then stays as it is, so that only the journal shows the moment.
    try store.pragma("wal_autocheckpoint = 0")
    var sizes = [try bench.bytes(of: "-wal").count]
    for k in 1...40 {
      try store.commit(step(k, isForDatabase: true))
      sizes.append(try bench.bytes(of: "-wal").count)
    }
    var generator = SplitMix64(seed: 20_261_121)
    let last = try #require(sizes.last)
    var cuts = (0..<60).map { _ in Int.random(in: sizes[0]...last, using: &generator) }
    cuts += sizes.suffix(6) + sizes.suffix(6).map { $0 - 1 }
    for cut in cuts {
      let expected = sizes.lastIndex { $0 <= cut }
      #expect(try wholeStep(in: bench.copy(journalBytes: cut)) == expected, "cut at \(cut)")
    }
  }

  @Test("What is recent, cut at any byte, holds exactly the steps that were committed before")
  func cutRecent() throws {
    let store = try bench.open()
    try store.commit(step(1))
    var sizes = [0, try bench.bytes(of: "-recent").count]
    for k in 2...8 {
      try store.commit(step(k))
      sizes.append(try bench.bytes(of: "-recent").count)
    }
    let last = try #require(sizes.last)
    #expect(last - sizes[1] < 7 * 160, "each step is some tens of bytes")
    for cut in 0...last {
      let expected = max(1, try #require(sizes.lastIndex { $0 <= cut }))
      #expect(try wholeStep(in: bench.copy(recentBytes: cut)) == expected, "cut at \(cut)")
    }
  }

  @Test(
    "A byte that was never written ends what is recent there, and is said", arguments: [1, 2, 3])
  func damagedRecent(seed: UInt64) throws {
    let store = try bench.open()
    try store.commit(step(1))
    var sizes = [0, try bench.bytes(of: "-recent").count]
    for k in 2...8 {
      try store.commit(step(k))
      sizes.append(try bench.bytes(of: "-recent").count)
    }
    var generator = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let copy = try bench.copy()
      var bytes = try bench.bytes(of: "-recent")
      let place = Int.random(in: sizes[1]..<bytes.count, using: &generator)
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      try bytes.write(to: URL(fileURLWithPath: copy + "-recent"))
      let expected = try #require(sizes.lastIndex { $0 <= place })
      // A last record that promises more bytes than there are looks like one left by a kill.
      if place == sizes[sizes.count - 2] { continue }
      #expect(try wholeStep(in: copy, isSaid: true) == expected, "damaged at \(place)")
    }
  }

  @Test(
    "A kill between the database's transaction and the emptying of the file counts nothing twice")
  func killedBetween() throws {
    let store = try bench.open()
    for k in 1...5 { try store.commit(step(k)) }
    let before = try bench.bytes(of: "-recent")
    try store.commit(step(6, isForDatabase: true))
    #expect(try bench.bytes(of: "-recent").count < before.count)
    let copy = try bench.copy()
    try before.write(to: URL(fileURLWithPath: copy + "-recent"))
    #expect(try wholeStep(in: copy) == 6)
    let again = try StateStore(path: copy)
    #expect(
      try again.log(of: AppID(1), count: 100).map(\.text) == ["1", "2", "3", "4", "5", "6"])
  }

  @Test("A copy made beside a busy writer holds one whole step, none older than the last commit")
  func busyWriter() throws {
    let store = try bench.open()
    try store.pragma("wal_autocheckpoint = 0")
    try store.commit(step(1))
    let hasEnded = DispatchSemaphore(value: 0)
    let flag = Flag()
    Thread.detachNewThread {
      var k = 1
      while !flag.isSet && k < 3_000 {
        k += 1
        do { try store.commit(step(k)) } catch { Issue.record(error) }
      }
      hasEnded.signal()
    }
    defer {
      flag.set()
      hasEnded.wait()
    }
    var last = 0
    var copies = 0
    while last < 30 || copies < 10, copies < 1_000 {
      copies += 1
      let committed = Int(try store.load().moment?.engine.microseconds ?? 0)
      let copy = try bench.copy()
      let found = try wholeStep(in: copy)
      try FileManager.default.removeItem(
        at: URL(fileURLWithPath: copy).deletingLastPathComponent())
      #expect(found >= committed)
      #expect(found >= last)
      last = found
    }
    #expect(last >= 30)
  }
}

/// Set once, by one thread for another.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
