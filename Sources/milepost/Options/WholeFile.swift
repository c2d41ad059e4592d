// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small file, or standard input, in memory.
enum WholeFile {
  /// Profiles have some kilobytes; what is longer is something else.
  static let limit = 1_048_576

  static func read(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk(of: path) { chunk in
      bytes += chunk
      guard bytes.count <= limit else {
        throw Complaint("\(name(path)): larger than \(limit) bytes; this is not a profile")
      }
    }
    return bytes
  }

  /// Hands the bytes of a file or of standard input (`-`) over, chunk by chunk.
  static func forEachChunk(of path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if path != "-" { close(descriptor) } }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure(path)
      }
      try body(buffer[..<count])
    }
  }

  private static func failure(_ path: String) -> Complaint {
    let reason =
      errno == ENOENT ? "no such file; check the path" : String(cString: strerror(errno))
    return Complaint("\(name(path)): \(reason)")
  }

  private static func name(_ path: String) -> String { path == "-" ? "stdin" : path }
}
