// SPDX-License-Identifier: Apache-2.0

import Glibc

// Theory
// ======
//
// A line is whole and on the disk, or it does not exist. A piece that a crash or a full disk has cut off is after the
// last line feed of the file; its writer was never told that it is safe, and writes it again. So the next writer
// removes it, under a lock (flock(2)), which serializes several writers.

/// Files of lines that only grow.
package enum LineFile {
  /// The limit of a line, bytes; a longer remainder at a file's end is left alone.
  private static let limit = 1 << 16

  /// Adds whole lines, their ends included; when it returns they are on the disk. Makes the file if it is missing, mode
  /// 0600. Returns the error number of a failure; then nothing is added.
  package static func append(lines: [UInt8], to path: String) -> Int32? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    if let error = FileLock.wait(for: descriptor) { return error }
    var length = lseek(descriptor, 0, SEEK_END)
    guard length >= 0 else { return errno }
    let isNew = length == 0
    let tail = torn(descriptor, length)
    if tail > 0 {
      length -= off_t(tail)
      guard ftruncate(descriptor, length) == 0 else { return errno }
    }
    if let error = WholeWrite.write(lines[...], to: descriptor).error {
      // The rest of it is torn, if this fails.
      ftruncate(descriptor, length)
      return error
    }
    guard fsync(descriptor) == 0 else { return errno }
    return isNew ? Directory.sync(Directory.parent(of: path)) : nil
  }

  /// The number of bytes after the last line feed.
  private static func torn(_ descriptor: Int32, _ length: off_t) -> Int {
    let start = max(0, length - off_t(limit))
    var bytes = [UInt8](repeating: 0, count: Int(length - start))
    guard pread(descriptor, &bytes, bytes.count, start) == bytes.count else { return 0 }
    if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) { return bytes.count - 1 - last }
    return start == 0 ? bytes.count : 0
  }
}
