// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Glibc
import Host
import Synchronization

/// One connection to the daemon: plain calls that block, no event loop.
///
/// One thread may send while another receives. `close` ends both waits; the descriptor itself is closed with the
/// object, so that no call can use a reused number.
package final class ControlClient: Sendable {
  /// The longest message of the daemon, bytes.
  package static let lineLimit = 16 << 20
  /// Seconds for which `send` waits for a daemon that does not read.
  static let sendLimit = 10

  private let descriptor: Int32
  private let path: String
  private let sending = Mutex(())
  private let incoming = Mutex(Incoming())

  private struct Incoming {
    var lines = LineBuffer(limit: ControlClient.lineLimit)
    var isAtEnd = false
  }

  /// The path of the daemon's socket for this user: `MILEPOST_SOCKET`, else `milepost/socket` in
  /// `XDG_RUNTIME_DIR`, else in `/run/user/UID`. An empty variable counts as unset.
  package static func defaultPath(environment: [String: String]) -> String {
    if let path = environment["MILEPOST_SOCKET"], !path.isEmpty { return path }
    var directory = environment["XDG_RUNTIME_DIR"] ?? ""
    if directory.isEmpty { directory = "/run/user/\(getuid())" }
    return directory + "/milepost/socket"
  }

  /// The path of the daemon's socket for the user of this process.
  package static var usualPath: String {
    var environment: [String: String] = [:]
    for name in ["MILEPOST_SOCKET", "XDG_RUNTIME_DIR"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return defaultPath(environment: environment)
  }

  /// Connects; throws `ControlClientError` with the remedy if that fails.
  package init(path: String) throws {
    self.path = path
    descriptor = try Self.connected(to: path)
  }

  deinit { Glibc.close(descriptor) }

  private static func connected(to path: String) throws(ControlClientError) -> Int32 {
    let limit = SocketAddress.pathLimit
    guard (1...limit).contains(path.utf8.count) else {
      throw ControlClientError(
        "\(path): the path of a socket has 1 to \(limit) bytes, and this has \(path.utf8.count)")
    }
    let descriptor = SocketAddress.connected(to: path)
    guard descriptor >= 0 else { throw refusal(path) }
    SocketAddress.limit(SO_SNDTIMEO, of: descriptor, to: sendLimit)
    return descriptor
  }

  private static func refusal(_ path: String) -> ControlClientError {
    switch errno {
    case ENOENT, ENOTDIR, ECONNREFUSED:
      ControlClientError(
        "\(path): no milepostd listens here; start it (milepostd), or say where it listens with "
          + "--socket or MILEPOST_SOCKET", isAbsence: true)
    case EACCES, EPERM:
      ControlClientError(
        "\(path): permission denied; the socket belongs to another user, and each user runs a milepostd"
      )
    default: failure(path, "cannot connect to milepostd")
    }
  }

  private static func failure(_ path: String, _ what: String) -> ControlClientError {
    ControlClientError("\(path): \(what): \(SystemError.text())")
  }

  // Talking --------------------------------------------------------------------------------------

  /// Sends one message; throws `ControlClientError` if the daemon is gone, or has not read for 10 s.
  package func send(_ message: ClientMessage) throws { try send(bytes: message.encode()) }

  /// Sends raw bytes.
  package func send(bytes: [UInt8]) throws {
    try sending.withLock { _ in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          throw ControlClientError(
            "\(path): milepostd has not read for \(Self.sendLimit) s; milepost doctor tells more")
        } else if errno == EPIPE || errno == ECONNRESET {
          throw ControlClientError(
            "\(path): " + (lastWords ?? "milepostd closed the connection"))
        } else if errno != EINTR {
          throw Self.failure(path, "cannot send to milepostd")
        }
      }
    }
  }

  /// The reason why the daemon closed the connection, if that is its next message; `nil` if there is none, or another
  /// thread reads its messages.
  private var lastWords: String? {
    incoming.withLockIfAvailable { incoming in
      while !incoming.isAtEnd, incoming.lines.isEmpty {
        do { try readBytes(&incoming) } catch { return nil }
      }
      guard let line = incoming.lines.next(),
        case .error(_, let words) = try? ServerMessage.decode(line.span)
      else { return nil }
      return words
    } ?? nil
  }

  /// Whether the daemon has closed the connection, and all its bytes were received.
  package var isAtEnd: Bool { incoming.withLock { $0.isAtEnd && $0.lines.isEmpty } }

  /// The next message; `nil` if the daemon closed the connection, or after `timeout` seconds.
  ///
  /// Throws `ProtocolError` for a line that is no message (the next call continues after it) and
  /// `ControlClientError` if the connection fails. Messages of an unknown class are skipped.
  package func receive(timeout: Double? = nil) throws -> ServerMessage? {
    let deadline = timeout.map { ContinuousClock.now + .seconds(max(0, $0)) }
    return try incoming.withLock { incoming in
      while true {
        while let line = incoming.lines.next() {
          if let message = try ServerMessage.decode(line.span) { return message }
        }
        guard !incoming.lines.isOverlong else {
          throw ControlClientError(
            "\(path): a message of milepostd is longer than \(Self.lineLimit) bytes")
        }
        guard !incoming.isAtEnd else {
          incoming.lines = LineBuffer(limit: Self.lineLimit)
          return nil
        }
        guard try waitForBytes(until: deadline) else { return nil }
        try readBytes(&incoming)
      }
    }
  }

  /// Whether there is something to read before the deadline.
  private func waitForBytes(
    until deadline: ContinuousClock.Instant?
  ) throws(ControlClientError) -> Bool {
    while true {
      var wait: Int32 = -1
      if let deadline {
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        wait = Int32(max(0, min(left.rounded(.up), 1e9)))
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&entry, 1, wait)
      if count > 0 { return true }
      if count == 0 { return false }
      guard errno == EINTR else { throw Self.failure(path, "cannot wait for milepostd") }
    }
  }

  private func readBytes(_ incoming: inout Incoming) throws(ControlClientError) {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count > 0 {
      incoming.lines.append(chunk[..<count])
    } else if count == 0 || errno == ECONNRESET {
      incoming.isAtEnd = true
    } else if errno != EINTR {
      throw Self.failure(path, "cannot read from milepostd")
    }
  }

  /// Ends the connection; a `receive` of another thread returns `nil`.
  package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// The reason why the daemon cannot be reached: the fault, its place and the remedy.
package struct ControlClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  /// Whether there is no listener on the socket: no service runs, or it listens elsewhere.
  package let isAbsence: Bool

  package init(_ message: String, isAbsence: Bool = false) {
    self.message = message
    self.isAbsence = isAbsence
  }

  package var description: String { message }
}
