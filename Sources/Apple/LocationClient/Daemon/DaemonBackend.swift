// SPDX-License-Identifier: Apache-2.0

package import ControlClient
package import ControlProtocol
import Dispatch
import Foundation
package import LocationModel

// Theory
// ======
//
// A dedicated thread reads the connection and blocks; nothing else runs while no messages come, so an idle app causes
// no wakeups.
//
//        ┌───────────────► connecting ──ok──► hello sent ──welcome──► greeted ──┐
//        │                     │ failed                 │ error                 │ closed or broken
//        └──── pause ◄─────────┴────────────────────────┴───────────────────────┘
//
// Pauses double from 0.1 s to 30 s. Each is shortened at random by up to half, so that the apps of a restarted daemon
// do not all connect at once; a welcome resets them. The session repeats its requests at every welcome, and recognizes
// repeated deliveries by their numbers. Messages that are sent without a connection, or before the welcome, are
// dropped: the welcome makes up for them.

/// A connection to the daemon, as the backend needs it.
package protocol DaemonConnection: Sendable {
  func send(_ message: ClientMessage) throws
  /// Blocks; returns `nil` if the other side closed.
  func receiveNext() throws -> ServerMessage?
  /// Makes a blocked `receiveNext` return.
  func close()
}

extension ControlClient: DaemonConnection {
  package func receiveNext() throws -> ServerMessage? { try receive(timeout: nil) }
}

/// The daemon as a session sees it.
package final class DaemonBackend: LocationBackend, @unchecked Sendable {
  // `lock` guards all mutable state.
  private let hello: ClientMessage.Hello
  private let connect: @Sendable () throws -> any DaemonConnection
  private let lock = NSLock()
  /// Hands sockets over one at a time, in the order of arrival.
  private let handing = DispatchQueue(label: "milepost.handover")
  private var connection: (any DaemonConnection)?
  private var isGreeted = false
  private var isClosed = false
  /// Signalled by `close`, for a pause.
  private let closing = DispatchSemaphore(value: 0)
  /// Between attempts to connect: the apps of one user do not come back in step.
  private var pauses = Backoff(first: 0.1, longest: 30, shares: 0.5...1)
  private let wait: (@Sendable (Double) -> Void)?
  private let path: String

  /// `path`: of the control socket, beside which sockets are handed over. `wait` replaces the pause between attempts,
  /// for tests.
  package init(
    _ hello: ClientMessage.Hello, path: String = "",
    wait: (@Sendable (Double) -> Void)? = nil,
    connect: @escaping @Sendable () throws -> any DaemonConnection
  ) {
    self.hello = hello
    self.path = path
    self.wait = wait
    self.connect = connect
  }

  /// The daemon of this user, and this process as described by the environment.
  static func usual() -> DaemonBackend {
    let environment = ProcessInfo.processInfo.environment
    let path = ControlClient.defaultPath(environment: environment)
    let app = environment["MILEPOST_APP"] ?? ProcessInfo.processInfo.processName
    return DaemonBackend(.init(app: app), path: path) {
      try ControlClient(path: path)
    }
  }

  /// Whether there is a socket at the daemon's path.
  static var isPresent: Bool {
    let path = ControlClient.defaultPath(environment: ProcessInfo.processInfo.environment)
    return FileManager.default.fileExists(atPath: path)
  }

  static var launchReason: CLLaunchReason? {
    ProcessInfo.processInfo.environment["MILEPOST_LAUNCH_REASON"].flatMap(CLLaunchReason.init)
  }

  /// The position that launched this process, from its environment, and the time of its receipt.
  package static func launchLocation(
    in environment: [String: String]
  ) -> (fix: Fix, received: UTCInstant)? {
    guard let line = environment["MILEPOST_LAUNCH_LOCATION"],
      case .location(let delivery, let received)? = try? ServerMessage.decode(
        [UInt8](line.utf8).span)
    else { return nil }
    return (delivery.fix, received)
  }

  package func open(for session: LocationSession) {
    let thread = Thread { [self] in
      while !isOver {
        let reason = converse(with: session)
        if isOver { break }
        session.disconnected(reason)
        pause()
      }
    }
    thread.name = "milepost"
    thread.start()
  }

  package func send(_ message: ClientMessage) {
    guard let connection = lock.withLock({ isGreeted ? connection : nil }) else { return }
    do {
      try connection.send(message)
    } catch {
      // The reader sees the same end and reconnects.
      connection.close()
    }
  }

  package func handOver(
    _ socket: SocketCopy, while isWanted: @escaping @Sendable () -> Bool,
    then: @escaping @Sendable (String?) -> Void
  ) {
    handing.async { [path] in
      // Another socket may have replaced it while it waited.
      guard isWanted() else { return then(nil) }
      do {
        try socket.handOver(at: path)
        then(nil)
      } catch {
        then("\(error)")
      }
    }
  }

  package func close() {
    lock.lock()
    isClosed = true
    let connection = connection
    lock.unlock()
    closing.signal()
    connection?.close()
  }

  private var isWelcome: Bool { lock.withLock { isGreeted } }
  private var isOver: Bool { lock.withLock { isClosed } }

  /// Runs one connection from start to end; returns the reason why it ended.
  private func converse(with session: LocationSession) -> String {
    let line: any DaemonConnection
    do {
      line = try connect()
    } catch {
      return "the daemon cannot be reached: \(error); is milepostd running?"
    }
    defer {
      lock.withLock {
        connection = nil
        isGreeted = false
      }
      line.close()
    }
    lock.withLock { connection = line }
    do {
      try line.send(.hello(hello))
      while !isOver, let message = try line.receiveNext() {
        if case .welcome = message {
          lock.withLock {
            isGreeted = true
            pauses.succeeded()
          }
        } else if case .error(_, let text) = message, !isWelcome {
          // The request is not repeated on this connection, but perhaps on the next one.
          return "the daemon does not take this app: \(text)"
        }
        session.received(message)
        session.waitForRoom()
      }
      return "the daemon closed the connection"
    } catch {
      return "the connection to the daemon broke: \(error)"
    }
  }

  private func pause() {
    let seconds = lock.withLock { pauses.failed(luck: .random(in: 0..<1)) }
    if let wait { return wait(seconds) }
    // Not until a date: the clock may be set back meanwhile.
    _ = closing.wait(timeout: .now() + seconds)
  }
}
