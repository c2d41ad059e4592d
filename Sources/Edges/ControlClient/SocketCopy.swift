// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host

/// A duplicated descriptor of an app's socket, valid for as long as this object is held: independent of what the app
/// does with its own.
package final class SocketCopy: Sendable, Equatable {
  private let descriptor: Int32

  /// The limit of the daemon's answer, seconds.
  private static let patience = 10

  /// A copy; throws `ControlClientError` if the descriptor cannot be duplicated.
  package init(of socket: Int32) throws(ControlClientError) {
    descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw ControlClientError(
        "descriptor \(socket): the socket cannot be handed over: \(SystemError.text())")
    }
  }

  deinit { close(descriptor) }

  package static func == (a: SocketCopy, b: SocketCopy) -> Bool { a === b }

  /// Gives the daemon that listens at `path` a descriptor of the socket (unix(7), SCM_RIGHTS), and waits for its
  /// answer, 10 s at most. Throws `ControlClientError` with the reason if it is not watched.
  package func handOver(at path: String) throws(ControlClientError) {
    let path = path + ".handover"
    func failure(_ reason: String) -> ControlClientError {
      ControlClientError("\(path): the socket cannot be handed over: \(reason)")
    }
    guard path.utf8.count <= SocketAddress.pathLimit else {
      throw failure(
        "its path has \(path.utf8.count) bytes, and that of a Unix socket may have "
          + "\(SocketAddress.pathLimit); choose a shorter MILEPOST_SOCKET")
    }
    let line = SocketAddress.connected(to: path, limit: Self.patience)
    guard line >= 0 else { throw failure(SystemError.text()) }
    defer { close(line) }
    guard unix_send_descriptor(line, descriptor) != 0 else { throw failure(SystemError.text()) }
    let answer = try answer(on: line, failure)
    guard answer == "ok" else { throw failure(answer) }
  }

  private func answer(
    on line: Int32, _ failure: (String) -> ControlClientError
  ) throws(ControlClientError) -> String {
    var lines = LineBuffer(limit: 4_096)
    var chunk = [UInt8](repeating: 0, count: 1_024)
    while true {
      if let line = lines.next() { return String(decoding: line, as: UTF8.self) }
      guard !lines.isOverlong else { throw failure("milepostd's answer has no end") }
      let count = chunk.withUnsafeMutableBytes { recv(line, $0.baseAddress, $0.count, 0) }
      if count > 0 {
        lines.append(chunk[..<count])
      } else if count == 0 {
        throw failure("milepostd closed the line before it answered; hand it over again")
      } else if errno == EAGAIN {
        throw failure(
          "milepostd has not answered for \(Self.patience) s; milepost doctor tells more")
      } else if errno != EINTR {
        throw failure(SystemError.text())
      }
    }
  }
}
