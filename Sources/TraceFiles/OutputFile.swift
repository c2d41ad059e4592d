// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where output goes: a file that appears complete or not at all, or stdout.
///
/// A file is written beside its final name and renamed at `commit`; without it, it is removed, and
/// what stood there before stays. On stdout a reader that has gone away (`| head`) is no error:
/// `isClosed` turns true and what follows is dropped.
package final class OutputFile {
  private let path: String?
  private let temporary: String
  private var descriptor: Int32
  private var pending: [UInt8] = []
  private var isCommitted = false
  /// Whether stdout's reader has gone, so that writing on is of no use.
  package private(set) var isClosed = false

  private static let bufferLength = 65_536

  /// Opens `path`; `nil` and `-` are stdout. Throws `TraceFileError`.
  package init(path: String?) throws {
    guard let path, path != "-" else {
      self.path = nil
      temporary = ""
      descriptor = STDOUT_FILENO
      // A closed pipe then is an error of write() instead of the program's end.
      signal(SIGPIPE, SIG_IGN)
      return
    }
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw TraceFileError("\(path): a directory; name a file in it")
    }
    var template = Array("\(path).XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw TraceFileError(errno, path, writing: true) }
    temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, 0o666 & ~mask)
  }

  deinit {
    guard path != nil else { return }
    if descriptor >= 0 { close(descriptor) }
    if !isCommitted { unlink(temporary) }
  }

  /// Writes bytes; they may wait in a buffer until `commit`.
  package func write(_ bytes: [UInt8]) throws {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.bufferLength { try flush() }
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes out what waits, and gives the file its name.
  package func commit() throws {
    try flush()
    guard let path else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL, close(descriptor) == 0 else {
      throw TraceFileError(errno, path, writing: true)
    }
    descriptor = -1
    guard rename(temporary, path) == 0 else { throw TraceFileError(errno, path, writing: true) }
    isCommitted = true
  }

  private func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    var rest = pending[...]
    while !rest.isEmpty, !isClosed {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE, path == nil {
        isClosed = true
      } else if errno != EINTR {
        throw TraceFileError(errno, path ?? "stdout", writing: true)
      }
    }
  }
}
