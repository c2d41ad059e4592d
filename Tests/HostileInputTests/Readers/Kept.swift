// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import GRDB
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import TraceFiles

@testable import StateStore

extension HostileReader {
  static let kept: [HostileReader] = [
    recording, storedRows, storedFile, storedRecent, recentRecord,
  ]

  /// A recording, decided again. Promised: any pieces give the same steps.
  private static let recording = HostileReader(
    "recording", limit: 32_768, of: ["Recording", "ServiceCore", "LocationEngine"]
  ) { bytes in
    let (decoder, whole, isWhole) = steps([bytes[...]])
    let (_, parts, _) = steps(bytes.pieces)
    try promise(whole == parts, "other steps in pieces")
    guard let header = decoder.header else { return }
    var player = RecordingPlayer(header)
    for step in whole where player.play(step) != nil { return }
    if isWhole { _ = player.finish(at: decoder.lines) }
  }

  private static func steps(
    _ pieces: [ArraySlice<UInt8>]
  ) -> (RecordingDecoder, [RecordingDecoder.Step], isWhole: Bool) {
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    do {
      for piece in pieces { try decoder.decode(piece.span, into: &steps) }
      _ = try decoder.finishInput()
    } catch {
      return (decoder, steps, false)
    }
    return (decoder, steps, true)
  }

  /// A database whose rows hold values that no release has written: lines of `table column value`, a value being an SQL
  /// literal. Promised: it is read, and a service begins with it.
  private static let storedRows = HostileReader(
    "stored-rows", limit: 2_048, of: ["StateStore", "ServiceCore"]
  ) { bytes in
    let folder = try Scratch()
    let path = folder.path("state.db")
    try folder.write(StoredSample.bytes, to: "state.db")
    let queue = try DatabaseQueue(path: path)
    queue.writeWithoutTransaction { db in
      for line in bytes.text.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let table = StoredSample.tables[String(words[0])],
          table.contains(String(words[1])), StoredSample.isLiteral(words[2])
        else { continue }
        try? db.execute(sql: "UPDATE \(words[0]) SET \(words[1]) = \(words[2])")
      }
    }
    try queue.close()
    try begin(with: path)
  }

  /// A damaged database. Promised: it is read or moved aside, and a service begins.
  private static let storedFile = HostileReader("stored-file", limit: 65_536, of: ["StateStore"]) {
    bytes in
    let folder = try Scratch()
    try folder.write(bytes, to: "state.db")
    try begin(with: folder.path("state.db"))
  }

  /// The recent changes beside a sound database: an odd number of bytes follows the file's head, an even number is one
  /// correctly framed record. Promised: it is read or cut off, and a service begins.
  private static let storedRecent = HostileReader("stored-recent", limit: 8_192, of: ["StateStore"])
  {
    bytes in
    let folder = try Scratch()
    let path = folder.path("state.db")
    try folder.write(StoredSample.bytes, to: "state.db")
    let name = "state.db" + RecentFile.ending
    if bytes.count % 2 == 1 {
      try folder.write(StoredSample.recent + bytes, to: name)
    } else {
      try folder.write(StoredSample.recent, to: name)
      let turn = StoredSample.recent[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      var file = try RecentFile.opened(of: path, turn: turn) { _ in }
      try file.append(record: bytes)
    }
    try begin(with: path)
  }

  /// Two records of recent changes, without the check that would hide them from a fuzzer; the first byte gives the end
  /// of the first, so that the second may be a change of its engine. Promised: an invalid record adds nothing, and the
  /// deliveries and the log of a valid one are written and read again as the same.
  private static let recentRecord = HostileReader("recent-record", limit: 2_048, of: ["StateStore"])
  {
    bytes in
    var recent = RecentChanges()
    let end = min(bytes.count, Int(bytes.first ?? 0) + 1)
    for record in [bytes[..<end].dropFirst(), bytes[end...]] {
      let before = recent
      do { try RecentForm.read(record: record, into: &recent) } catch {
        try promise(
          String(reflecting: recent) == String(reflecting: before),
          "no record, and it has added something")
      }
    }
    var change = StoreChange()
    change.deliveries = recent.pending
    change.log = recent.log
    // An event with a NaN has no form; no release has written one.
    guard let written = try? RecentForm.encoded(change, engine: nil) else { return }
    var again = RecentChanges()
    try RecentForm.read(record: written[...], into: &again)
    let (one, other) = (recent.pending, again.pending)
    try promise(
      String(reflecting: one) == String(reflecting: other) && again.log.count == recent.log.count,
      "\(one) is read as \(other)")
  }

  private static func begin(with path: String) throws {
    let stored: StoredState
    do {
      let store = try StateStore(path: path)
      stored = try store.load()
      for app in [nil] + stored.apps.map(\.id) { _ = try store.log(of: app, count: 10) }
      let ever = HistoryRange(
        from: UTCInstant(microseconds: .min), to: UTCInstant(microseconds: .max), count: 10)
      _ = try store.history(in: ever)
    } catch let error as StoreError {
      return try promise(error.description.contains(path), error.description)
    }
    var service = try StoredSample.service(with: stored)
    while service?.decide() != nil {}
  }
}

extension RecentChanges {
  /// By app and number.
  fileprivate var pending: [PendingDelivery] {
    apps.sorted { $0.key < $1.key }.flatMap(\.value.pending)
  }
}

/// A separate folder, deleted with the value.
final class Scratch {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.appending(path: name))
  }
}

/// A sound database with a row in each table, and the service that begins with it.
enum StoredSample {
  static let time = ServiceTime(
    at: EngineInstant(microseconds: 1_000_000_000),
    utc: UTCInstant(microseconds: 1_790_000_000_000_000))

  /// The columns that a line of `stored-rows` may set, by table.
  static let tables: [String: Set<String>] = [
    "app": [
      "id", "name", "manifest", "authorization", "last_sequence", "acknowledged", "run", "tally",
    ],
    "engine": ["version", "snapshot"],
    "pending": ["app", "sequence", "delivery", "received_us", "failures"],
    "dead": ["app", "sequence", "delivery", "received_us", "failures", "at_us", "reason"],
    "log": ["app", "number", "at_us", "kind", "text"],
    "energy": ["component", "joules"],
    "moment": ["engine_us", "utc_us", "boot", "boot_clock_us"],
    "history": [
      "number", "at_us", "kind", "app", "word", "text", "since_us", "latitude", "longitude",
      "accuracy_m", "speed_mps",
    ],
  ]

  /// Whether a word is one value of SQL: NULL, a number, `'a text'` or `x'00FF'`.
  static func isLiteral(_ word: Substring) -> Bool {
    if word == "NULL" { return true }
    if word.first == "'" {
      return word.count > 1 && word.last == "'" && !word.dropFirst().dropLast().contains("'")
        && !word.contains("\0")
    }
    if word.hasPrefix("x'") {
      let digits = word.dropFirst(2).dropLast()
      return word.last == "'" && digits.count % 2 == 0 && digits.allSatisfy(\.isHexDigit)
        && digits.allSatisfy(\.isASCII)
    }
    return word.utf8.allSatisfy { "0123456789.e+-".utf8.contains($0) } && Double(word) != nil
  }

  /// Its bytes; empty if there can be none.
  static var bytes: [UInt8] { files.database }

  /// The file of recent changes beside it, with only its head.
  static var recent: [UInt8] { files.recent }

  /// Made together: a database begins with a random turn, and the head of the other file names it.
  private static let files: (database: [UInt8], recent: [UInt8]) = (try? made()) ?? ([], [])

  private static func made() throws -> (database: [UInt8], recent: [UInt8]) {
    let folder = try Scratch()
    try fill(StateStore(path: folder.path("state.db")))
    let files = try ["", RecentFile.ending].map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("state.db" + $0))))
    }
    return (files[0], files[1])
  }

  private static func fill(_ store: StateStore) throws {
    let app = AppID(1)
    let fix = Fix(
      time: time.utc, coordinate: Coordinate(clampingLatitude: 55.1, wrappingLongitude: -12.5),
      horizontalAccuracy: 4.5)
    func pending(_ number: UInt64) -> PendingDelivery {
      PendingDelivery(
        app: app,
        delivery: Delivery(
          sequence: number, service: .significant, fix: fix, isCached: false,
          moved: nil, since: nil),
        received: time.utc)
    }
    let manifest = AppManifest(
      name: "tracker", kind: .handler, command: ["true"], directory: "/",
      declaration: AppDeclaration(), service: .significant)
    var change = StoreChange()
    change.addedApps = [
      StoredApp(
        id: app, name: "tracker", manifestJSON: manifest.json.text, authorization: .always,
        lastSequence: 2)
    ]
    change.deliveries = [pending(1), pending(2)]
    change.dead = [DeadDelivery(pending: pending(1), at: time.utc, reason: "it failed")]
    change.log = [LogRow(app: app, at: time.utc, kind: "delivered", text: "x")]
    change.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
    change.moment = StoredMoment(
      engine: time.at, utc: time.utc, boot: "another boot", bootClock: 1_000_000)
    change.energy = ["gnss": 12.5]
    change.history = [HistoryDocument.Entry(at: time.utc, kind: .delivery)]
    try store.commit(change)
  }

  /// A service that finds `stored`.
  static func service(with stored: StoredState) throws -> LocationService? {
    guard let device = try ProfileLibrary.device(named: "pi-zero-ublox7") else { return nil }
    let settings = ServiceSettings(
      release: "0", rules: EngineRules(), policy: .ios, device: device, network: nil)
    let host = ServiceHost(
      pid: 1, boot: "this boot", socketPath: "/run/socket", storePath: "/state.db",
      hasStore: true,
      freezer: "signals")
    return LocationService(
      ServiceBeginning(
        settings: settings, host: host,
        clock: EngineClock(
          continuing: stored.moment, boot: host.boot, bootClock: time.at.microseconds,
          utc: time.utc),
        stored: stored),
      at: time)
  }
}
