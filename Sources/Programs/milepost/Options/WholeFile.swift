// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import TraceFiles

/// A small file, or standard input, in memory.
enum WholeFile {
  /// The kind of a file, with its limit of bytes.
  struct Kind {
    let name: String
    let limit: Int

    static let profile = Self(name: "a profile", limit: 1 << 20)
    static let baseline = Self(name: "a document of milepost compare --json", limit: 64 << 20)
    static let deliveries = Self(name: "a list of deliveries", limit: 256 << 20)
  }

  static func readBytes(of path: String, as kind: Kind) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk(of: path) { chunk in
      bytes += chunk
      guard bytes.count <= kind.limit else {
        throw Complaint(
          "\(InputName.full(path)): larger than \(kind.limit >> 20) MB; this is not \(kind.name)")
      }
    }
    return bytes
  }

  /// Passes on the bytes of a file or of standard input (`-`), chunk by chunk.
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
    Complaint("\(InputName.full(path)): \(SystemError.reading())")
  }
}
