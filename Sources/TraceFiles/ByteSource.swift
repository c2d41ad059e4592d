// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// One open file descriptor, closed when the last reference goes; reads from the start, repeatedly.
///
/// Not shared between threads: each reader has its own.
final class ByteSource {
  private let descriptor: Int32
  /// The length in bytes, where the file has one.
  let length: Int?

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    length = isRegular ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  /// Opens a regular file, or a copy of what a pipe, a device or stdin (`-`) yields, so that it can be
  /// read twice.
  static func open(path: String, name: String) throws(TraceFileError) -> ByteSource {
    let isStandardInput = path == "-"
    try TraceFileError.refuseUnreadable(path)
    let descriptor =
      isStandardInput ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TraceFileError(errno, name) }
    let source = ByteSource(descriptor: descriptor)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw TraceFileError(EISDIR, name)
    }
    return source.length == nil || isStandardInput ? try source.spooled(name: name) : source
  }

  /// Copies what is left to an unlinked temporary file: on disk, so that memory stays bounded.
  private func spooled(name: String) throws(TraceFileError) -> ByteSource {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    var template = Array("\(folder)/milepost-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else {
      throw TraceFileError(
        "\(folder): \(String(cString: strerror(errno))); a temporary file for \(name) is needed "
          + "(set TMPDIR to a folder that can be written)")
    }
    unlink(template)
    var buffer = [UInt8](repeating: 0, count: TraceFile.chunkLength)
    while true {
      let count = try Self.read(descriptor, into: &buffer, name: name)
      if count == 0 { break }
      do throws(TraceFileError) {
        try Self.write(buffer.prefix(count), to: copy, name: folder)
      } catch {
        close(copy)
        throw error
      }
    }
    return ByteSource(descriptor: copy)
  }

  /// Goes back to the first byte.
  func rewind(name: String) throws(TraceFileError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw TraceFileError(errno, name) }
  }

  /// Fills `buffer` from its start; 0 at the end of the file.
  func read(into buffer: inout [UInt8], name: String) throws(TraceFileError) -> Int {
    try Self.read(descriptor, into: &buffer, name: name)
  }

  private static func read(
    _ descriptor: Int32, into buffer: inout [UInt8], name: String
  ) throws(TraceFileError) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      if errno != EINTR { throw TraceFileError(errno, name) }
    }
  }

  /// Writes all bytes.
  static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, name: String
  ) throws(TraceFileError) {
    if let error = WholeWrite.write(bytes, to: descriptor).error {
      throw TraceFileError(error, name, writing: true)
    }
  }
}
