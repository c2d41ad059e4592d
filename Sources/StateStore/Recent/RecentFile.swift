// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

// Theory
// ======
//
//     "Mlpr" │ turn, 4 bytes │ record │ record │ …        record: length, check of 4 bytes, what it says
//
// A record is appended whole, by one call; what a kill leaves of one (its length or check does not fit) is cut off at
// the next start. The turn is that of the database (its `user_version`): it goes up in the very transaction that takes
// in what is recent, so that a file of an earlier turn, which a kill left between that transaction and the emptying of
// the file, is known for what is in the database already.

/// The file beside the database that holds what was committed since the database was last written.
struct RecentFile: ~Copyable {
  /// Closed with the last who has it.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  private let file: Descriptor
  private let path: String
  /// Bytes up to the end of the last whole record.
  private(set) var size = 0

  private static let magic = Array("Mlpr".utf8)
  private static let headSize = 8
  /// Bytes of a record at most: an engine of a thousand apps takes one.
  private static let recordLimit = 64 << 20

  static let ending = "-recent"

  /// Opens or makes the file of `database`, which is at that turn, and calls `body` with each record of it.
  ///
  /// What comes behind the last whole record is cut off; so is everything where `body` throws.
  static func opened(
    of database: String, turn: UInt32, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws -> RecentFile {
    let path = database + ending
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreFiles.failure("open", path) }
    var file = RecentFile(Descriptor(descriptor), path)
    let bytes = try contents(of: descriptor, path)
    guard bytes.starts(with: head(turn)) else {
      try file.begin(turn: turn)
      return file
    }
    var end = headSize
    while let record = record(in: bytes, at: end) {
      do { try body(record) } catch { break }
      end = record.endIndex
    }
    try file.cut(to: end)
    return file
  }

  private init(_ file: Descriptor, _ path: String) {
    (self.file, self.path) = (file, path)
  }

  var isEmpty: Bool { size <= Self.headSize }

  /// Appends a record, whole or not at all.
  mutating func append(_ record: [UInt8]) throws {
    var framed = RecentWriter()
    framed.whole(UInt64(record.count))
    let check = Self.check(record[...])
    for place in 0..<4 { framed.byte(UInt8(truncatingIfNeeded: check >> (8 * UInt32(place)))) }
    try write(framed.bytes + record)
  }

  /// Forgets all records: the database has them, and is at this turn now.
  mutating func begin(turn: UInt32) throws {
    try cut(to: 0)
    try write(Self.head(turn))
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    if let code = WholeWrite.write(bytes[...], to: file.number).error {
      // A part of it may be there (a full disk).
      ftruncate(file.number, off_t(size))
      throw StoreFiles.failure("write", path, code)
    }
    size += bytes.count
  }

  private mutating func cut(to size: Int) throws {
    guard ftruncate(file.number, off_t(size)) == 0 else { throw StoreFiles.failure("cut", path) }
    self.size = size
  }

  private static func head(_ turn: UInt32) -> [UInt8] {
    magic + (0..<4).map { UInt8(truncatingIfNeeded: turn >> (8 * UInt32($0))) }
  }

  private static func contents(of descriptor: Int32, _ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(descriptor, &chunk, chunk.count, off_t(bytes.count))
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw StoreFiles.failure("read", path)
      }
    }
  }

  /// The record that begins at `start`; `nil` where there is none, or not all of it.
  private static func record(in bytes: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
    var (place, length, shift) = (start, 0, 0)
    while true {
      guard place < bytes.count, shift <= 28 else { return nil }
      length |= Int(bytes[place] & 0x7F) << shift
      place += 1
      shift += 7
      if bytes[place - 1] < 0x80 { break }
    }
    guard length <= recordLimit, bytes.count - place >= 4 + length else { return nil }
    let said = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    let record = bytes[place + 4..<place + 4 + length]
    return check(record) == said ? record : nil
  }

  /// FNV-1a, 32 bits [draft-eastlake-fnv]: finds what is cut or was never written.
  private static func check(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }
}
