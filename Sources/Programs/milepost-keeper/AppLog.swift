// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host

/// The output of an app, stdout and stderr: `APP.log`, and the earlier output in `APP.log.1`.
///
/// Each holds at most `limit` bytes; a full file replaces the other. If nothing can be written, bytes are dropped and
/// counted, so that the app never waits; the count is noted in the log when it can be written again.
struct AppLog {
  private let path: String
  private let limit: Int
  private var descriptor: Int32 = -1
  private var length = 0
  private var lost = 0

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Appends; returns a warning at the first lost byte.
  mutating func record(_ bytes: ArraySlice<UInt8>) -> String? {
    var rest = bytes
    if lost > 0 {
      let note = "milepost-keeper: \(lost) bytes of output were lost here\n"
      if append(bytes: Array(note.utf8)[...]) == nil { lost = 0 }
    }
    while !rest.isEmpty {
      if length >= limit { rotate() }
      let piece = self.piece(of: rest)
      if let failure = append(bytes: piece) {
        lost += rest.count
        return lost == rest.count ? "its output cannot be written to \(path): \(failure)" : nil
      }
      rest = rest.dropFirst(piece.count)
    }
    return nil
  }

  /// The part that still fits into the file, in whole lines if there are any.
  private func piece(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let room = max(limit - length, 1)
    guard bytes.count > room else { return bytes }
    let piece = bytes.prefix(room)
    guard let end = piece.lastIndex(of: UInt8(ascii: "\n")) else { return piece }
    return piece[...end]
  }

  private mutating func append(bytes: ArraySlice<UInt8>) -> String? {
    if descriptor < 0 {
      descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return SystemError.text() }
      var status = stat()
      length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
      if length >= limit { rotate() }
    }
    let (count, error) = WholeWrite.write(bytes, to: descriptor)
    length += count
    return error.map { SystemError.text($0) }
  }

  private mutating func rotate() {
    if descriptor >= 0 { close(descriptor) }
    rename(path, path + ".1")
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    var status = stat()
    length = descriptor >= 0 && fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}
