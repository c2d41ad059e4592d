// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationModel

@testable import LocationClient

/// A daemon in memory: it stores acknowledgements, repeats unacknowledged deliveries, and can be killed.
///
/// `condition` guards everything, so `Sendable` is safe.
final class FakeDaemon: @unchecked Sendable {
  /// The longest wait of a test.
  static let patience = 10.0

  private let condition = NSCondition()
  private var isUp = true
  private var line: Line?
  private var outbox: [Delivery] = []
  private var count: UInt64 = 0
  private(set) var acknowledged: UInt64 = 0
  private(set) var heard: [ClientMessage] = []
  private(set) var attempts = 0
  private var refusal: String?

  struct Refused: Error {}

  /// One connection, seen from the app.
  final class Line: DaemonConnection, @unchecked Sendable {
    // Guarded by the daemon's condition.
    fileprivate var waiting: [ServerMessage] = []
    fileprivate var isOpen = true
    /// Deliveries follow the welcome, in order.
    fileprivate var isGreeted = false
    private let daemon: FakeDaemon

    fileprivate init(_ daemon: FakeDaemon) { self.daemon = daemon }

    func send(_ message: ClientMessage) throws { try daemon.hear(message, on: self) }

    func receiveNext() throws -> ServerMessage? { daemon.next(on: self) }

    func close() { daemon.close(self) }
  }

  func connect() throws -> any DaemonConnection {
    try condition.withLock {
      attempts += 1
      condition.broadcast()
      guard isUp else { throw Refused() }
      let line = Line(self)
      self.line = line
      return line
    }
  }

  private func hear(_ message: ClientMessage, on line: Line) throws {
    try condition.withLock {
      guard line.isOpen else { throw Refused() }
      heard.append(message)
      switch message {
      case .hello where refusal != nil:
        line.waiting.append(.error(code: .alreadyConnected, refusal ?? ""))
      case .hello:
        line.isGreeted = true
        line.waiting.append(
          .welcome(
            .init(
              release: "1", app: "walker", state: .active, authorization: .always,
              launchReason: nil, monitorsSignificantChanges: false, acknowledged: acknowledged)))
        outbox.removeAll { $0.sequence <= acknowledged }
        line.waiting += outbox.map { .location($0, received: UTCInstant(microseconds: 0)) }
      case .app(.acknowledge(let number)): acknowledged = max(acknowledged, number)
      default: break
      }
      condition.broadcast()
    }
  }

  private func next(on line: Line) -> ServerMessage? {
    condition.withLock {
      while line.isOpen && line.waiting.isEmpty { condition.wait() }
      return line.isOpen ? line.waiting.removeFirst() : nil
    }
  }

  private func close(_ line: Line) {
    condition.withLock {
      line.isOpen = false
      condition.broadcast()
    }
  }

  // MARK: The test's side

  func deliver() {
    condition.withLock {
      count += 1
      let delivery = Delivery(
        sequence: count, service: .significant,
        fix: Fix(
          time: UTCInstant(microseconds: Int64(count) * 1_000_000),
          coordinate: Coordinate(
            clampingLatitude: Double(count) * 0.01, wrappingLongitude: 11)),
        isCached: false, moved: nil, since: nil)
      outbox.append(delivery)
      if let line, line.isGreeted {
        line.waiting.append(.location(delivery, received: UTCInstant(microseconds: 0)))
      }
      condition.broadcast()
    }
  }

  /// Like `kill -9`: data under way is lost, acknowledgements are stored.
  func kill() {
    condition.withLock {
      isUp = false
      line?.isOpen = false
      line = nil
      condition.broadcast()
    }
  }

  /// Sets its answer to the next app that introduces itself, instead of a welcome.
  func refuse(_ text: String?) { condition.withLock { refusal = text } }

  func restart() {
    condition.withLock {
      isUp = true
      condition.broadcast()
    }
  }

  /// Reads a value; a test must not keep the daemon waiting with it.
  func look<Value>(_ read: (FakeDaemon) -> Value) -> Value { condition.withLock { read(self) } }

  /// Waits until a condition holds; returns whether that happened within the patience.
  func wait(until isSo: (FakeDaemon) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    return condition.withLock {
      while !isSo(self) { if !condition.wait(until: deadline) { return isSo(self) } }
      return true
    }
  }

  /// Lets an attempt to connect wait until the daemon's state has changed or `seconds` have passed.
  func pause(_ seconds: Double) {
    let deadline = Date(timeIntervalSinceNow: min(seconds, 0.05))
    condition.withLock { _ = condition.wait(until: deadline) }
  }
}
