// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LocationEngine
import LocationModel
import ServiceContract
import StateStore
import Testing

/// A disk that is full or read-only, a database that is damaged, foreign, or taken.
@Suite("Trouble with the database")
struct StoreTroubleTests {
  private let bench = StoreBench()

  private func filled() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    change.deliveries = (1...200).map { StoreBench.pending(1, $0) }
    change.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
    try store.commit(change)
  }

  private func kind(_ work: () throws -> Void) -> StoreError.Kind? {
    do { try work() } catch let error as StoreError {
      #expect(error.description.contains(bench.directory.path))
      return error.kind
    } catch { Issue.record(error) }
    return nil
  }

  private func overwrite(_ bytes: Data, at offset: UInt64) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  @Test("A full disk: the commit says so and leaves nothing behind; with room it works again")
  func fullDisk() throws {
    let store = try bench.open()
    var small = StoreChange()
    small.addedApps = [StoreBench.app(1)]
    try store.commit(small)
    let before = try store.load()
    // SQLite takes the present size if a smaller one is requested.
    try store.pragma("max_page_count = 1")
    var change = StoreChange()
    change.addedApps = [StoreBench.app(2)]
    change.deliveries = (1...500).map { StoreBench.pending(1, $0) }
    #expect(kind { try store.commit(change) } == .full)
    #expect(try store.load() == before)
    #expect(kind { try store.commit(change) } == .full)
    try store.pragma("max_page_count = 1000000")
    try store.commit(change)
    #expect(try store.load().pending == change.deliveries)
  }

  @Test(
    "A reader from outside keeps the journal: what is forgotten is written once, said, and scrubbed when he has gone"
  )
  func reader() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    change.log = [StoreBench.row(1, "at the blue door")]
    try store.commit(change)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: bench.path, configuration: configuration)
    try reader.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; SELECT * FROM log")
    }
    var forgetting = StoreChange()
    forgetting.forgetLog(LogExpiry(app: AppID(1), before: UTCInstant(microseconds: 6)))
    forgetting.log = [StoreBench.row(nil, "forgotten")]
    #expect(
      try store.commit(forgetting)
        == "what was forgotten may still be in its files: cannot scrub \(bench.path): another program has "
        + "locked it. End that program, or wait for it")
    #expect(try store.log(of: AppID(1), count: 9).isEmpty)
    #expect(try store.log(of: nil, count: 9).count == 1)
    try reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    var later = StoreChange()
    later.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
    #expect(try store.commit(later) == nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.directory.path) {
      let bytes = try Data(contentsOf: bench.directory.appendingPathComponent(name))
      #expect(bytes.range(of: Data("at the blue door".utf8)) == nil, "\(name)")
    }
  }

  @Test("A read-only disk: the commit says so; it works again once it can be written")
  func readOnlyDisk() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    try store.pragma("query_only = 1")
    #expect(kind { try store.commit(change) } == .readOnly)
    try store.pragma("query_only = 0")
    #expect(try store.load().apps.isEmpty)
    try store.commit(change)
    #expect(try store.load().apps == change.addedApps)
  }

  @Test("Garbage in place of the database is moved aside, each time to a name of its own")
  func garbage() throws {
    try filled()
    for number in 1...3 {
      try Data(repeating: 0x5A, count: 10_000).write(to: URL(fileURLWithPath: bench.path))
      let store = try bench.open()
      let aside = bench.path + ".corrupt-\(number)"
      #expect(store.warning?.contains(aside) == true)
      #expect(store.warning?.contains("register the apps again") == true)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: aside)) == Data(repeating: 0x5A, count: 10_000))
      #expect(try store.load() == StoredState())
      var change = StoreChange()
      change.addedApps = [StoreBench.app(1)]
      try store.commit(change)
    }
    #expect(try bench.open().warning == nil)
  }

  @Test("Damage inside of the database is found at the start", arguments: [4_096, 8_192, 12_288])
  func damage(offset: UInt64) throws {
    try filled()
    try overwrite(Data((0..<3_000).map { UInt8($0 % 251) }), at: offset)
    let store = try bench.open()
    #expect(store.warning?.contains("was corrupt") == true)
    #expect(try store.load() == StoredState())
  }

  @Test("A database that was cut off is found at the start; an empty file is a fresh one")
  func truncated() throws {
    try filled()
    let whole = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: bench.path))
    #expect(try bench.open().warning?.contains(".corrupt-1") == true)
    try Data().write(to: URL(fileURLWithPath: bench.path))
    #expect(try bench.open().warning == nil)
  }

  /// The head has 8 bytes: "Mlpr" and the turn.
  @Test("What is recent and cannot be read is said, but for what a kill leaves")
  func unreadableRecent() throws {
    let store = try bench.open()
    var change = StoreChange()
    change.addedApps = [StoreBench.app(1)]
    try store.commit(change)
    for number in 1...3 as ClosedRange<UInt64> {
      change = StoreChange()
      change.log = [StoreBench.row(1, "row \(number)")]
      try store.commit(change)
    }
    let whole = [UInt8](try bench.bytes(of: "-recent"))
    let record = (whole.count - 8) / 3
    #expect(whole.count == 8 + 3 * record)
    func opened(_ bytes: [UInt8]) throws -> (warning: String?, rows: [String]) {
      let copy = try bench.copy()
      try Data(bytes).write(to: URL(fileURLWithPath: copy + "-recent"))
      let store = try StateStore(path: copy)
      return (
        store.warning?.replacing(copy, with: "STATE"),
        try store.log(of: AppID(1), count: 9).map(\.text)
      )
    }
    func lost(_ bytes: Int, from number: Int) -> String {
      "STATE-recent: the \(bytes) bytes from its record \(number) on are damaged or of a newer release: the "
        + "events, acknowledgements and rows of logs in them are lost"
    }
    var bytes = whole
    bytes[8 + record + 9] ^= 1
    #expect(try opened(bytes) == (lost(2 * record, from: 2), ["row 1"]))
    bytes = whole
    bytes[8] = 0x7F
    #expect(try opened(bytes) == (lost(3 * record, from: 1), []), "its length is damaged")
    // A part of another release: number 99, with its FNV-1a check sum (of one byte: the offset basis, xor 0x63, times
    // the prime).
    let check = (0x811C_9DC5 ^ 0x63) &* 0x0100_0193 as UInt32
    let newer: [UInt8] = [1] + (0..<4).map { UInt8(truncatingIfNeeded: check >> (8 * $0)) } + [99]
    #expect(
      try opened(whole + newer) == (lost(6, from: 4), ["row 1", "row 2", "row 3"]))
    #expect(try opened(whole.dropLast(3)) == (nil, ["row 1", "row 2"]), "as a kill leaves it")
    bytes = whole
    bytes[0] = 0
    let other =
      "STATE-recent is not of this database or not of this release: its \(whole.count) bytes are not "
      + "read, and what they held is lost"
    #expect(try opened(bytes) == (other, []))
    bytes = whole
    bytes[4] &+= 1
    #expect(try opened(bytes) == (other, []), "a database from before was put back")
    #expect(try opened(Array(whole.prefix(5))) == (nil, []), "a kill while it began anew")
    #expect(try store.log(of: AppID(1), count: 9).count == 3, "the copied one goes on")
  }

  @Test("A database of another program is refused, and stays as it is")
  func foreign() throws {
    try FileManager.default.createDirectory(
      at: bench.directory, withIntermediateDirectories: true)
    do {
      let other = try DatabaseQueue(path: bench.path)
      try other.write { try $0.execute(sql: "CREATE TABLE diary (day TEXT)") }
      try other.close()
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let refusal = #expect(throws: StoreError.self) { _ = try bench.open() }
    #expect(refusal?.kind == .foreign)
    #expect(
      refusal?.description
        == "\(bench.path) is a database of another program. Move it away, or name another state "
        + "directory")
    #expect(try Data(contentsOf: URL(fileURLWithPath: bench.path)) == before)
  }

  @Test("A database with the tables of another version is refused")
  func tablesOfAnotherVersion() throws {
    try filled()
    try elsewhere("INSERT INTO grdb_migrations VALUES ('99')")
    let refusal = #expect(throws: StoreError.self) { _ = try bench.open() }
    #expect(refusal?.kind == .otherVersion)
    #expect(
      refusal?.description
        == "\(bench.path) was written by another version of milepostd. Run that one, or move the database away"
    )
  }

  @Test(
    "Crashes that cannot be read count no more, and their app stays",
    arguments: [
      "x'7B7D'", "7", #"'{"times":[{"microseconds":9223372036854775807}],"isHeld":true}'"#,
    ])
  func unreadableCrashes(value: String) throws {
    try filled()
    try elsewhere("UPDATE app SET crashes = CAST(\(value) AS BLOB)")
    let store = try bench.open()
    #expect(try store.load().apps.map(\.crashes) == [nil])
    #expect(
      store.warning == "the crashes of tracker cannot be read; none of them counts any more")
  }

  @Test(
    "An engine of another version, or one that cannot be read, is left out; all else stays",
    arguments: [
      "UPDATE engine SET version = 99", "UPDATE engine SET snapshot = x'7B7D'",
      "UPDATE engine SET snapshot = x''", "UPDATE engine SET snapshot = x'FF00FF'",
    ])
  func engineOfAnotherVersion(sql: String) throws {
    try filled()
    try elsewhere(sql)
    let store = try bench.open()
    let stored = try store.load()
    #expect(stored.engine == nil)
    #expect(stored.apps.map(\.lastSequence) == [200])
    #expect(stored.pending.count == 200)
    #expect(store.warning?.contains("the stored engine") == true)
  }

  @Test("A delivery that cannot be read is left out and said; the others stay")
  func unreadableDelivery() throws {
    try filled()
    try elsewhere("UPDATE pending SET delivery = x'7B7D' WHERE sequence IN (3, 5)")
    try elsewhere("UPDATE app SET authorization = 'perhaps'")
    let store = try bench.open()
    let stored = try store.load()
    #expect(stored.pending.count == 198)
    #expect(stored.apps.map(\.authorization) == [.notDetermined])
    #expect(store.warning?.contains("2 undelivered events") == true)
    #expect(store.warning?.contains("perhaps") == true)
  }

  @Test("A database that others could read is the user's own after the start")
  func wideMode() throws {
    try filled()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: bench.path)
    let store = try bench.open()
    #expect(store.warning == nil)
    #expect(try bench.mode(bench.path) == 0o600)
  }

  @Test("A second daemon is refused for as long as the first one has the database")
  func taken() throws {
    do {
      let store = try bench.open()
      #expect(kind { _ = try bench.open() } == .inUse)
      #expect(try store.load() == StoredState())
    }
    #expect(try bench.open().warning == nil)
  }

  @Test("A directory in place of the file, and a file in place of the directory, are said")
  func wrongKind() throws {
    try FileManager.default.createDirectory(
      atPath: bench.path, withIntermediateDirectories: true)
    let path = bench.path
    let whole = #expect(throws: StoreError.self) { _ = try bench.open() }
    #expect(
      whole?.description
        == "cannot open \(path): it is a directory. Move it away, or name another state directory")
    try Data().write(to: bench.directory.appendingPathComponent("file"))
    let below = bench.directory.path + "/file/state.db"
    #expect(kind { _ = try StateStore(path: below) } == .other)
  }

  private func elsewhere(_ sql: String) throws {
    let other = try DatabaseQueue(path: bench.path)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
  }
}
