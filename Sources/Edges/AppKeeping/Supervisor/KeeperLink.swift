// SPDX-License-Identifier: Apache-2.0

import CUnix
import Dispatch
import Glibc
import Host

/// The connection to one keeper.
///
/// Unchecked, since only the supervisor's queue touches it.
final class KeeperLink: @unchecked Sendable {
  let app: String
  let keeper: Int32
  /// Its state file at the last reading: enough to end the app without the keeper.
  var record: KeeperRecord?
  /// Whether the keeper has reported its app.
  var isSettled = false

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var lines = LineBuffer.ofWords

  /// Owns `descriptor`. `take` gets each report, and `nil` at the connection's end.
  init(
    app: String, keeper: Int32, descriptor: Int32, queue: DispatchQueue,
    take: @escaping (KeeperLink, Report?) -> Void
  ) {
    self.app = app
    self.keeper = keeper
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { close(descriptor) }
    source.setEventHandler { [weak self] in self?.readReports(take) }
    source.resume()
  }

  deinit { cancel() }

  /// Ends the connection; the keeper sees it when this returns, and `take` is not called again.
  func cancel() {
    if !source.isCancelled { shutdown(descriptor, Int32(SHUT_RDWR)) }
    source.cancel()
  }

  private func readReports(_ take: (KeeperLink, Report?) -> Void) {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    var isOver = count <= 0
    if !isOver {
      lines.append(chunk[..<count])
      while !source.isCancelled, let line = lines.nextWords() {
        guard let report = Report(line: line) else {
          isOver = true
          break
        }
        take(self, report)
      }
      if lines.isOverlong { isOver = true }
    }
    guard isOver, !source.isCancelled else { return }
    cancel()
    take(self, nil)
  }

  /// Sends an order; returns false if the keeper does not accept it.
  func send(order: Order) -> Bool {
    guard !source.isCancelled else { return false }
    let bytes = Array(order.line.utf8)
    let flags = Int32(MSG_NOSIGNAL)
    return bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      == bytes.count
  }

  /// Connects to the socket of a keeper; `nil` if no trusted process listens.
  static func connect(folder: String, app: String) -> (descriptor: Int32, keeper: Int32)? {
    // Goes through a descriptor of the folder, so that its length does not matter (sun_path has 108 bytes).
    let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { return nil }
    defer { close(place) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    // A full backlog is an answer too: this must not block.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let name = "/proc/self/fd/\(place)/\(app).sock"
    let isConnected = SocketAddress.with(name.utf8) { Glibc.connect(descriptor, $0, $1) == 0 }
    var (pid, uid) = (pid_t(0), uid_t(0))
    guard isConnected, unix_peer(descriptor, &pid, &uid) == 0, uid == geteuid() || uid == 0 else {
      close(descriptor)
      return nil
    }
    return (descriptor, pid)
  }
}
