// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LocationModel
import Recording
import ServiceContract
import ServiceCore

@testable import StateStore

extension HostileReader {
  /// A recording, decided again. Promised: any pieces give the same steps.
  static let recording = HostileReader(
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
      _ = try decoder.finish()
    } catch {
      return (decoder, steps, false)
    }
    return (decoder, steps, true)
  }

  /// A database whose rows hold values that no release has written: lines of `table column value`, a value being an SQL
  /// literal. Promised: it is read, and a service begins with it.
  static let storedRows = HostileReader(
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
  static let storedFile = HostileReader("stored-file", limit: 65_536, of: ["StateStore"]) {
    bytes in
    let folder = try Scratch()
    try folder.write(bytes, to: "state.db")
    try begin(with: folder.path("state.db"))
  }

  /// The recent changes beside a sound database: an odd number of bytes follows the file's head, an even number is one
  /// correctly framed record. Promised: it is read or cut off, and a service begins.
  static let storedRecent = HostileReader("stored-recent", limit: 8_192, of: ["StateStore"]) {
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
      try file.append(bytes)
    }
    try begin(with: path)
  }

  /// Two records of recent changes, without the check that would hide them from a fuzzer; the first byte gives the end
  /// of the first, so that the second may be a change of its engine. Promised: an invalid record adds nothing, and the
  /// deliveries and the log of a valid one are written and read again as the same.
  static let recentRecord = HostileReader("recent-record", limit: 2_048, of: ["StateStore"]) {
    bytes in
    var recent = RecentChanges()
    let end = min(bytes.count, Int(bytes.first ?? 0) + 1)
    for record in [bytes[..<end].dropFirst(), bytes[end...]] {
      let before = recent
      do { try RecentForm.read(record, into: &recent) } catch {
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
    try RecentForm.read(written[...], into: &again)
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
