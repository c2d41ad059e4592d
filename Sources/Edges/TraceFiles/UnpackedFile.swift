// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// A file of any length, read once from its first byte to its last; one that is packed by gzip or zstd is unpacked on the
/// way by that program.
package enum UnpackedFile {
  /// Passes on the bytes of a file or of standard input (`-`), chunk by chunk. Throws `Complaint` and the errors of `body`.
  package static func forEachChunk(
    of path: String, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let name = InputName.full(path)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    var magic = [UInt8](repeating: 0, count: 4)
    // What cannot be rewound is not packed.
    let count = pread(descriptor, &magic, magic.count, 0)
    guard let words = count < 4 ? nil : unpacking(magic) else {
      return try readAll(descriptor, name, body)
    }
    guard FilterProgram.isInstalled(words[0]) else {
      throw Complaint("\(name): packed, and there is no program \(words[0]) here; install it")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Complaint("\(name): cannot start \(words[0]): \(SystemError.text())")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let running: FilterProgram.Running
    do {
      defer { close(ends[1]) }
      running = try FilterProgram.Running(words, files: [descriptor, ends[1]])
    } catch {
      close(ends[0])
      throw error
    }
    let result = Result { try readAll(ends[0], name, body) }
    // One that still writes is stopped by that.
    close(ends[0])
    let status = running.end()
    try result.get()
    guard status == 0 else {
      throw Complaint("\(name): \(words[0]) could not unpack it; is the file whole?")
    }
  }

  /// RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1.
  private static func unpacking(_ magic: [UInt8]) -> [String]? {
    if magic.starts(with: [0x1F, 0x8B]) { return ["gzip", "-dc"] }
    return magic == [0x28, 0xB5, 0x2F, 0xFD] ? ["zstd", "-dcq"] : nil
  }

  private static func readAll(
    _ descriptor: Int32, _ name: String, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure(name)
      }
      try body(buffer[..<count])
    }
  }

  private static func failure(_ name: String) -> Complaint {
    Complaint("\(name): \(SystemError.reading())")
  }
}
