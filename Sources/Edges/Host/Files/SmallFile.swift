// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that are read whole, such as those of /proc, cgroups, states and settings.
package enum SmallFile {
  /// The default limit of bytes read from a file; some more may come.
  package static let limit = 1 << 20

  /// `nil` with errno if it cannot be read.
  package static func text(of path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func bytes(of path: String, limit: Int = limit) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return bytes(from: descriptor, limit: limit)
  }

  package static func bytes(from descriptor: Int32, limit: Int = limit) -> [UInt8]? {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while all.count < limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      all += chunk[..<count]
    }
    return all
  }

  /// Writes in one call, as required by the kernel's files; false with errno.
  @discardableResult
  package static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == text.utf8.count
  }
}

/// Writes that continue until all is written.
package enum WholeWrite {
  /// Returns the number of written bytes, and the error number if it ended early.
  package static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) -> (count: Int, error: Int32?) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        return (bytes.count - rest.count, count == 0 ? ENOSPC : errno)
      }
    }
    return (bytes.count, nil)
  }
}
