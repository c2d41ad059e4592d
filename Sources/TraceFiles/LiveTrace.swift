// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Glibc
package import LocationModel

// Theory
// ======
//
// A file that is written over hours and may end at any moment. Every write puts the new point *and* what
// closes the document behind it, at the place where the document was closed before:
//
//     header │ point │ point │ close              header │ point │ point │ point │ close
//                            └─ next write goes here, over the old close
//
// So between two writes the file is always whole, whoever kills the writer. A kill within a write leaves
// whole points and a part of one: the decoders read up to there and say so. Nothing is buffered.

/// A trace file that is whole after every fix.
package final class LiveTrace {
  private let path: String
  private let descriptor: Int32
  private var writer: TraceWriter
  /// Where the next point goes.
  private var end: off_t = 0
  private var count = 0
  private let isStream: Bool

  /// Makes the file; `-` is stdout. Throws `TraceFileError` where it exists and is not empty: a
  /// recording is not written over.
  package init(path: String, format: OutputFormat) throws {
    self.path = path
    writer = TraceWriter(format: format)
    if path == "-" {
      descriptor = dup(STDOUT_FILENO)
      isStream = true
    } else {
      let opened = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      guard opened >= 0 else { throw TraceFileError(errno, path, writing: true) }
      var status = stat()
      if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
        close(opened)
        throw TraceFileError(
          "\(path): it is there already; name another file, nothing is written over")
      }
      descriptor = opened
      isStream = status.st_mode & S_IFMT != S_IFREG
    }
    var bytes: [UInt8] = []
    writer.begin(into: &bytes)
    try put(bytes)
  }

  deinit { close(descriptor) }

  /// Adds a fix. Throws `TraceFileError` where it cannot be written: a full disk, say.
  package func write(_ fix: Fix) throws {
    count += 1
    var bytes: [UInt8] = []
    writer.write(.fix(fix, line: count), into: &bytes)
    try put(bytes)
  }

  /// Nothing connects what came before with what follows.
  package func endSegment() throws {
    guard count > 0 else { return }
    var bytes: [UInt8] = []
    writer.write(.segmentEnd(line: count), into: &bytes)
    try put(bytes)
  }

  /// Writes what closes a stream; a file is closed already.
  package func finish() throws {
    guard isStream else { return }
    var bytes: [UInt8] = []
    writer.finish(into: &bytes)
    try put(bytes, closes: false)
  }

  private func put(_ bytes: [UInt8], closes: Bool = true) throws {
    var all = bytes
    if closes && !isStream {
      var copy = writer
      copy.finish(into: &all)
    }
    var done = 0
    while done < all.count {
      let written = all.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return isStream
          ? Glibc.write(descriptor, rest.baseAddress, rest.count)
          : pwrite(descriptor, rest.baseAddress, rest.count, end + off_t(done))
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw TraceFileError(errno, path, writing: true)
      }
      done += written
    }
    end += off_t(bytes.count)
    if !isStream { ftruncate(descriptor, end + off_t(all.count - bytes.count)) }
  }
}
