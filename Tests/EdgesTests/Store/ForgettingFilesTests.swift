// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import ServiceContract
import StateStore
import Testing

/// Deleted data is searched for in the bytes of the files.
@Suite("What is forgotten is in no file of the database")
struct ForgettingFilesTests {
  /// The latitude of `StoreBench.pending` in a row.
  private static let latitude = "55.1234567"

  private static func holds(_ text: String, _ bench: StoreBench) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.directory.path)
    return try files.filter { file in
      let data = try Data(contentsOf: bench.directory.appendingPathComponent(file))
      return data.range(of: Data(text.utf8)) != nil
    }.sorted()
  }

  private static func filled(_ store: StateStore) throws {
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    // Some pages' worth, so that whole pages become free.
    change.deliveries = (1...400).map { StoreBench.pending(1, $0) }
    change.log = [StoreBench.row(1, "at the blue door")]
    try store.commit(change)
  }

  private static var forgetting: StoreChange {
    var change = StoreChange()
    change.forgotten = (1...400).map { DeliveryKey(AppID(1), $0) }
    change.expiredLogs = [LogExpiry(app: AppID(1), before: UTCInstant(microseconds: 6))]
    return change
  }

  @Test("By age: neither in rows, nor in free pages, nor in the journal", arguments: [false, true])
  func byAge(isOpenedAgain: Bool) throws {
    let bench = StoreBench()
    var store: StateStore? = try bench.open()
    try Self.filled(try #require(store))
    if isOpenedAgain {
      store = nil
      store = try bench.open()
    }
    #expect(try !Self.holds(Self.latitude, bench).isEmpty)
    #expect(try !Self.holds("at the blue door", bench).isEmpty)
    try store?.commit(Self.forgetting)
    #expect(try Self.holds(Self.latitude, bench) == [])
    #expect(try Self.holds("at the blue door", bench) == [])
    #expect(try store?.load().apps.first?.lastSequence == 400)
  }

  @Test("By its user's word: not even what another program had left in free pages")
  func byWord() throws {
    let bench = StoreBench()
    let store = try bench.open()
    try store.pragma("secure_delete = 0")
    try Self.filled(store)
    var acknowledged = StoreChange()
    acknowledged.acknowledged = [DeliveryKey(AppID(1), 400)]
    acknowledged.expiredLogs = []
    try store.commit(acknowledged)
    try store.pragma("wal_checkpoint(TRUNCATE)")
    #expect(try store.load().pending == [])
    #expect(
      try !Self.holds(Self.latitude, bench).isEmpty, "without that setting no byte is deleted")
    var change = StoreChange()
    change.scrubs = true
    try store.commit(change)
    #expect(try Self.holds(Self.latitude, bench) == [])
  }
}
