// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Glibc
import Host
import JSONText

// Theory
// ======
//
//   a file, also on stdin      read ──► end ──rewind──► read …
//   a stream, read once        peek (head) ──► head, read ──► end
//   a stream, read again       peek (head) ──► head, read ──► Spool ──► as a file
//
// The first bytes of a pipe, a device or a terminal are examined before any are kept: a non-trace is refused at once. A
// live log may take minutes to bring the whole head: once it pauses, the bytes so far are judged, if they suffice. A
// file on stdin is read from its descriptor's position.

/// One open file descriptor, closed when the last reference goes.
///
/// Not shared between threads: each reader has its own.
final class ByteSource {
  private let descriptor: Int32
  /// Bytes from the start to the end, if it is a file.
  let length: Int?
  /// The offset at which a file is read from.
  private let start: off_t
  /// The bytes of a stream that were examined, and are read again.
  private var head: [UInt8] = []

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    start = isRegular ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    length = isRegular ? max(0, Int(status.st_size) - Int(start)) : nil
  }

  deinit { close(descriptor) }

  /// Whether it can be read only once.
  var isStream: Bool { length == nil }

  /// Opens a file, a pipe, a device or stdin (`-`).
  static func open(path: String, name: String) throws(Complaint) -> ByteSource {
    try Complaint.refuseUnreadable(path)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Complaint(errno, name) }
    let source = ByteSource(descriptor: descriptor)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Complaint(EISDIR, name)
    }
    return source
  }

  /// Milliseconds without a byte that are a pause: a receiver reports once a second or more often [ours].
  private static let pause: Int32 = 200

  /// The first bytes, at most `count`; for a stream those until it pauses, if they are `enough`. The next reader gets
  /// them too.
  func peek(
    _ count: Int, name: String, enough: ([UInt8]) -> Bool = { _ in false }
  ) throws(Complaint) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    while head.count < count {
      if isStream, !head.isEmpty, pauses, enough(head) { break }
      let read = try Self.readChunk(from: descriptor, into: &buffer, name: name)
      if read == 0 { break }
      head += buffer.prefix(read)
    }
    let prefix = Array(head.prefix(count))
    if !isStream { try rewind(name: name) }
    return prefix
  }

  /// This source if it can be read again; for a stream, its copy.
  func repeatable(by spool: Spool, name: String) throws(Complaint) -> ByteSource {
    guard isStream else { return self }
    let copy = try spool.keep(head, of: name) { buffer throws(Complaint) in
      try Self.readChunk(from: descriptor, into: &buffer, name: name)
    }
    // As for a newly opened file.
    guard lseek(copy, 0, SEEK_SET) == 0 else { throw Complaint(errno, name) }
    return ByteSource(descriptor: copy)
  }

  /// What the programs of a conversion make of it; see `FilterProgram`. Only for what can be read again.
  func converted(by conversion: TraceConversion, name: String) throws(Complaint) -> ByteSource {
    try rewind(name: name)
    var source = self
    // The input is the file itself: a converter may ask for its size.
    for words in conversion.commands(reading: "/dev/stdin") {
      let made = try FilterProgram.output(of: words, reading: source.descriptor, name: name)
      guard lseek(made, 0, SEEK_SET) == 0 else { throw Complaint(errno, name) }
      source = ByteSource(descriptor: made)
    }
    return source
  }

  /// Goes back to the first byte. A stream is only accepted at its first byte.
  func rewind(name: String) throws(Complaint) {
    guard !isStream else { return }
    head = []
    guard lseek(descriptor, start, SEEK_SET) == start else { throw Complaint(errno, name) }
  }

  /// Fills `buffer` from its start; 0 at the end.
  func read(into buffer: inout [UInt8], name: String) throws(Complaint) -> Int {
    guard !head.isEmpty else {
      return try Self.readChunk(from: descriptor, into: &buffer, name: name)
    }
    let count = min(head.count, buffer.count)
    buffer.replaceSubrange(0..<count, with: head.prefix(count))
    head.removeFirst(count)
    return count
  }

  /// Whether there are no bytes to read, and none come for a while.
  private var pauses: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Self.pause) == 0
  }

  private static func readChunk(
    from descriptor: Int32, into buffer: inout [UInt8], name: String
  ) throws(Complaint) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      if errno != EINTR { throw Complaint(errno, name) }
    }
  }
}
