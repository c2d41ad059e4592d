// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Glibc
import Host
import JSONText
package import LocationModel

// Theory
// ======
//
// A file that is written over hours and may end at any moment. Every write puts the new point *and* the end of the
// document, at the place of the previous end:
//
//     header │ point │ point │ close              header │ point │ point │ point │ close
//                            └─ next write goes here, over the old close
//
// So between two writes the file is always whole, even if the writer is killed. A kill within a write leaves whole
// points and a part of one, perhaps followed by the rest of the old end: the decoders read up to there and report it.
// Nothing is buffered.
//
// Odd cases
// - A failed write (a full disk) changes nothing: the old end is put back, and the next point is tried again with its
//   opening and separator. Points that failed are lost; they are counted.
// - The end of a segment is written with the point that follows it: none is at the end of a file, and several in a row
//   are one.
// - A stream (a pipe, a terminal, a device) cannot be closed and opened again: `finishDocument` closes it. Its reader may
//   go away: `isClosed` turns true, and later bytes are dropped.

/// A trace file that is whole after every fix.
package final class LiveTrace {
  private let path: String
  private let descriptor: Int32
  private let isStream: Bool
  private var writer: TraceWriter
  private var isBegun = false
  /// The offset of the next point, and the bytes that are there now.
  private var end: off_t = 0
  private var closing: [UInt8] = []
  private var count = 0
  private var endsSegment = false
  /// Points that could not be written.
  package private(set) var lost = 0
  /// Whether the stream's reader has gone, so that further writing is useless.
  package private(set) var isClosed = false

  /// Makes the file; `-` is stdout. Throws `Complaint` if it exists and is not empty: a
  /// recording is not overwritten. Nothing is written yet.
  package init(path: String, format: OutputFormat) throws {
    self.path = path == "-" ? "stdout" : path
    writer = TraceWriter(format: format)
    if path == "-" {
      descriptor = dup(STDOUT_FILENO)
      guard descriptor >= 0 else { throw Complaint(errno, "stdout", writing: true) }
      isStream = true
      return
    }
    try Complaint.refuseUnreadable(path, writing: true)
    let opened = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw Complaint(errno, path, writing: true) }
    var status = stat()
    if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      close(opened)
      throw Complaint("\(path): it is there already; name another file, nothing is written over")
    }
    descriptor = opened
    isStream = status.st_mode & S_IFMT != S_IFREG
  }

  deinit { close(descriptor) }

  /// Writes the start and the end of an empty document. Throws `Complaint` if it cannot be
  /// written; `write(fix:)` tries again.
  package func beginDocument() throws { try put { _, _ in } }

  /// Adds a fix. Throws `Complaint` if it cannot be written: a full disk, for example.
  package func write(fix: Fix) throws {
    guard !isClosed else { return }
    count += 1
    let (line, endsSegment) = (count, endsSegment)
    do {
      try put { writer, bytes in
        if endsSegment { writer.encode(.segmentEnd(line: line), into: &bytes) }
        writer.encode(.fix(fix, line: line), into: &bytes)
      }
    } catch {
      lost += 1
      throw error
    }
    self.endsSegment = false
  }

  /// Ends the segment: the next point is not connected to the last one.
  package func endSegment() { endsSegment = count > 0 }

  /// Writes the end of a stream; a file is closed already. Throws `Complaint`.
  package func finishDocument() throws {
    guard isStream, isBegun, !isClosed else { return }
    var bytes: [UInt8] = []
    writer.finish(into: &bytes)
    _ = try stream(bytes)
  }

  /// Removes the file again if it is empty.
  package func discard() {
    if !isStream, !isBegun { unlink(path) }
  }

  private func put(_ change: (inout TraceWriter, inout [UInt8]) -> Void) throws {
    var next = writer
    var bytes: [UInt8] = []
    if !isBegun { next.begin(into: &bytes) }
    change(&next, &bytes)
    if isStream {
      guard try stream(bytes) else { return }
    } else {
      var close: [UInt8] = []
      var copy = next
      copy.finish(into: &close)
      do {
        try write(bytes + close, at: end)
      } catch {
        // There is room for it: it was there before.
        try? write(closing, at: end)
        ftruncate(descriptor, end + off_t(closing.count))
        throw error
      }
      end += off_t(bytes.count)
      closing = close
    }
    (writer, isBegun) = (next, true)
  }

  private func write(_ bytes: [UInt8], at place: off_t) throws {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return pwrite(descriptor, rest.baseAddress, rest.count, place + off_t(done))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Complaint(errno, path, writing: true) }
      done += written
    }
  }

  /// Returns `false` if there is no reader any more.
  private func stream(_ bytes: [UInt8]) throws -> Bool {
    guard let error = WholeWrite.write(bytes[...], to: descriptor).error else { return true }
    guard error == EPIPE else { throw Complaint(error, path, writing: true) }
    isClosed = true
    return false
  }
}
