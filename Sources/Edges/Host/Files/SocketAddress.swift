// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Addresses of Unix sockets (unix(7)).
package enum SocketAddress {
  /// The limit of a path, bytes; the address has room for one more, the terminator.
  package static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Binds a socket to a path and listens there, only for this user; returns 0, or the errno of a failure.
  package static func listen(_ descriptor: Int32, at path: String, backlog: Int32) -> Int32 {
    guard with(path.utf8, { bind(descriptor, $0, $1) }) == 0 else { return errno }
    // No client can connect before it listens, whatever the file's mode is until then. A file mode mask would do too,
    // but would apply to all threads meanwhile.
    guard chmod(path, 0o600) == 0, Glibc.listen(descriptor, backlog) == 0 else { return errno }
    return 0
  }

  /// A socket that is connected to the one at a path; below 0 with errno if it cannot be. `limit` is that of each of
  /// its waits, seconds.
  package static func connected(to path: String, limit: Int? = nil) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return descriptor }
    if let limit {
      for wait in [SO_SNDTIMEO, SO_RCVTIMEO] { Self.limit(wait, of: descriptor, to: limit) }
    }
    while with(path.utf8, { connect(descriptor, $0, $1) }) != 0, errno != EISCONN {
      guard errno != EINTR else { continue }
      let error = errno
      close(descriptor)
      errno = error
      return -1
    }
    return descriptor
  }

  /// Limits a socket's waits of one kind, SO_SNDTIMEO or SO_RCVTIMEO.
  package static func limit(_ wait: Int32, of descriptor: Int32, to seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, wait, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Calls `body` with the address of a path, of which at most `pathLimit` bytes count. A name that begins with a zero
  /// byte is abstract.
  package static func with<Answer>(
    _ path: some Collection<UInt8>, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
  ) -> Answer {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = path.prefix(pathLimit)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // An abstract name has an explicit length; zeros after it would be part of it.
    let length =
      name.first == 0
      ? MemoryLayout<sa_family_t>.size + name.count : MemoryLayout<sockaddr_un>.size
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
    }
  }
}
