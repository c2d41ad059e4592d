// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LocationModel
import SeededRandom
import ServiceContract
import StateStore
import Synchronization
import Testing

/// Step `k` delivers number k and acknowledges k − 3; moment, energy and log say k.
private func step(_ k: Int) -> StoreChange {
  var change = StoreChange()
  if k == 1 { change.addedApps = [StoreBench.app(1)] }
  change.deliveries = [StoreBench.pending(1, UInt64(k))]
  if k > 3 { change.acknowledged = [(AppID(1), UInt64(k - 3))] }
  change.log = [StoreBench.row(1, "\(k)")]
  change.moment = StoredMoment(
    engine: EngineInstant(microseconds: Int64(k)), utc: UTCInstant(microseconds: 0), boot: "b",
    bootClock: 0)
  change.energy = ["gnss": Double(k)]
  return change
}

/// A kill -9 leaves a prefix of what was written to the journal. The database is copied with the
/// journal cut, and the copy is opened as the next daemon would.
@Suite("A kill at any moment")
struct KillTests {
  private let bench = StoreBench()

  /// Opens a copy, expects one whole step in it, and answers which.
  private func wholeStep(in copy: String) throws -> Int {
    let store = try StateStore(path: copy)
    #expect(store.warning == nil)
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
    // The file itself then stays as it is, so that the journal alone tells the moment.
    try store.pragma("wal_autocheckpoint = 0")
    func journalSize() throws -> Int {
      try Data(contentsOf: URL(fileURLWithPath: bench.path + "-wal")).count
    }
    var sizes = [try journalSize()]
    for k in 1...40 {
      try store.commit(step(k))
      sizes.append(try journalSize())
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
      let copy = try bench.copy(journalBytes: .max)
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
