// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

// Theory
// ======
//
//     "Mlpr" │ turn, 4 bytes │ record │ record │ …        record: length, check of 4 bytes, what it says
//
// A record is appended whole, by one call; the next start cuts off what a kill left of one. The turn is that of the
// database (its `user_version`). It increases by one in the very transaction that takes in the recent changes. So a
// file of the previous turn, left by a kill between that transaction and the emptying of the file, is known to be in
// the database already.
//
//   found                                                outcome
//   this turn, whole records                             read
//     the beginning of a record after them               cut off: a kill left it
//     anything else after them, or an unknown record     cut off, and reported: damaged bytes, or from a newer
//                                                        release
//   the previous turn                                    emptied: the database has it
//   a head alone, or not all of it                       emptied: nothing is lost
//   anything else                                        emptied, and reported: of another database or release

/// The file beside the database that holds the changes committed since the database was last written.
struct RecentFile: ~Copyable {
  /// A descriptor that is closed with its last owner.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  private let file: Descriptor
  private let path: String
  /// Bytes up to the end of the last whole record.
  private(set) var size = 0
  /// The unreadable part at opening; `nil` if there is none.
  private(set) var loss: String?
  /// Whether a part of a record may follow the last whole one.
  private var isTorn = false

  private static let magic = Array("Mlpr".utf8)
  private static let headSize = 8
  /// The limit of a record, bytes: an engine of a thousand apps fits into one.
  private static let recordLimit = 64 << 20

  static let ending = "-recent"

  /// Opens or makes the file of `database` at that turn, and calls `body` with each record of it.
  ///
  /// The bytes after the last whole record are cut off; so is everything from the record on which `body` throws. `loss`
  /// reports it, unless a kill explains it.
  static func opened(
    of database: String, turn: UInt32, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws -> RecentFile {
    let path = database + ending
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreFiles.failure("open", path) }
    var file = RecentFile(Descriptor(descriptor), path)
    guard let bytes = SmallFile.bytes(from: descriptor, limit: .max) else {
      throw StoreFiles.failure("read", path)
    }
    guard bytes.starts(with: head(turn)) else {
      let isExplained = bytes.count <= headSize || bytes.starts(with: head(turn &- 1))
      if !isExplained {
        file.loss =
          "\(path) is not of this database or not of this release: its \(bytes.count) bytes are not read, and what "
          + "they held is lost"
      }
      try file.begin(turn: turn)
      return file
    }
    var (end, count) = (headSize, 0)
    while let record = record(in: bytes[end...]) {
      do { try body(record) } catch { break }
      (end, count) = (record.endIndex, count + 1)
    }
    if !isBeginning(bytes[end...]) {
      file.loss =
        "\(path): the \(bytes.count - end) bytes from its record \(count + 1) on are damaged or of a newer "
        + "release: the events, acknowledgements and rows of logs in them are lost"
    }
    try file.cut(to: end)
    return file
  }

  /// Whether a kill explains the rest of a file: nothing, or a part of one record.
  ///
  /// A damaged length may also promise more bytes than there are. Then other records follow: those that begin and end
  /// in its first 64 KiB are looked for.
  private static func isBeginning(_ rest: ArraySlice<UInt8>) -> Bool {
    var reader = RecentReader(rest)
    if let length = try? reader.whole() {
      guard length <= recordLimit, (try? reader.bytes(count: 4 + length)) == nil else {
        return false
      }
    }
    let near = rest.prefix(1 << 16)
    return near.indices.allSatisfy { record(in: near[$0...])?.isEmpty ?? true }
  }

  private init(_ file: Descriptor, _ path: String) {
    (self.file, self.path) = (file, path)
  }

  var isEmpty: Bool { size <= Self.headSize }

  /// Appends a record, whole or not at all.
  mutating func append(record: [UInt8]) throws {
    var framed = RecentWriter()
    framed.whole(UInt64(record.count))
    framed.fixed(UInt64(Self.check(record[...])), count: 4)
    try writeOut(framed.bytes + record)
  }

  /// Deletes all records: the database has them, and is at this turn now.
  mutating func begin(turn: UInt32) throws {
    try cut(to: 0)
    try writeOut(Self.head(turn))
  }

  private mutating func writeOut(_ bytes: [UInt8]) throws {
    if isTorn { try cut(to: size) }
    if let code = WholeWrite.write(bytes[...], to: file.number).error {
      // A part of it may be there (a full disk). Nothing is written after it.
      isTorn = ftruncate(file.number, off_t(size)) != 0
      throw StoreFiles.failure("write", path, code)
    }
    size += bytes.count
  }

  private mutating func cut(to size: Int) throws {
    guard ftruncate(file.number, off_t(size)) == 0 else { throw StoreFiles.failure("cut", path) }
    self.size = size
    isTorn = false
  }

  private static func head(_ turn: UInt32) -> [UInt8] {
    magic + (0..<4).map { UInt8(truncatingIfNeeded: turn >> (8 * UInt32($0))) }
  }

  /// The record at the start of `bytes`; `nil` if there is none, or not all of it.
  private static func record(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var reader = RecentReader(bytes)
    guard let length = try? reader.whole(), length <= recordLimit,
      let said = try? reader.fixed(count: 4), let record = try? reader.bytes(count: length)
    else { return nil }
    return UInt64(check(record)) == said ? record : nil
  }

  /// FNV-1a, 32 bits [draft-eastlake-fnv]: detects truncated and never written records.
  private static func check(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }
}
