// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Servers
import ServiceContract
import Synchronization

/// A server in a separate directory, with all its events.
final class Daemon: Sendable {
  let server: ControlServer
  let directory: String
  private let group: MultiThreadedEventLoopGroup
  private let log: EventLog

  var path: String { directory + "/run/socket" }

  /// `answer`: a daemon's reaction to an event.
  init(
    limits: ControlServer.Limits = .init(),
    answer: (@Sendable (ControlServer, ClientEvent) -> Void)? = nil
  ) throws {
    // A Unix socket's path may have 107 bytes.
    directory =
      FileManager.default.temporaryDirectory.path + "/milepost-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.group = group
    let log = EventLog()
    self.log = log
    let slot = Slot()
    server = ControlServer(on: group, limits: limits) { event in
      log.add(event)
      // As the service does.
      if case .malformed(let id, let error, let request) = event {
        slot.server.withLock { $0 }?.send(error, to: id, id: request)
      }
      if let server = slot.server.withLock({ $0 }) { answer?(server, event) }
    }
    slot.server.withLock { $0 = server }
  }

  private final class Slot: Sendable {
    let server = Mutex<ControlServer?>(nil)
  }

  var events: [ClientEvent] { log.events }

  /// The events but connects and disconnects.
  var messages: [ClientMessage] {
    events.compactMap { if case .message(_, let message, _) = $0 { message } else { nil } }
  }

  var clients: [ClientID] {
    events.compactMap { if case .connected(let id, _) = $0 { id } else { nil } }
  }

  /// Waits until `condition` holds for the events; returns false after some seconds.
  func waits(
    for condition: @escaping @Sendable ([ClientEvent]) -> Bool
  ) async -> Bool {
    await Wait.until { condition(self.events) }
  }

  func stop() async {
    await server.stop()
    try? await group.shutdownGracefully()
    try? FileManager.default.removeItem(atPath: directory)
  }
}

/// The events of a server, in order.
private final class EventLog: Sendable {
  private let kept = Mutex<[ClientEvent]>([])

  var events: [ClientEvent] { kept.withLock { $0 } }

  func add(_ event: ClientEvent) { kept.withLock { $0.append(event) } }
}

/// Waits for a condition, at most some seconds.
enum Wait {
  static func until(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<1_000 {
      if condition() { return true }
      _ = poll(nil, 0, 10)
      await Task.yield()
    }
    return condition()
  }
}

/// A file descriptor for raw bytes, for messages that `ControlClient` would never send.
final class RawSocket {
  let descriptor: Int32

  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    limitWaiting(to: 10)
  }

  /// A port of 127.0.0.1; `nil` if there is no listener.
  init?(port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { return nil }
    limitWaiting(to: 10)
  }

  private func limitWaiting(to seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// The size of the kernel's send buffer, bytes; the server's end begins with the same (socket(7)).
  var sendBuffer: Int {
    get {
      var count: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &count, &length)
      return Int(count)
    }
    set {
      var count = Int32(newValue)
      setsockopt(
        descriptor, SOL_SOCKET, SO_SNDBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  @discardableResult
  func write(_ text: String) -> Int {
    Array(text.utf8).withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The number of bytes that the kernel took without waiting.
  func writeAtOnce(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
  }

  /// The next line, without its line end; at an end of file the bytes before it.
  func line() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1, byte != 0x0A { bytes.append(byte) }
    // At a gpsd port lines end as gpsd's do.
    if bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes that are there now, or come next: one message, if no more was sent.
  func chunk() -> String {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return String(decoding: chunk.prefix(max(0, count)), as: UTF8.self)
  }

  /// The number of bytes that come: `expected` ones without a limit of time, and those within a second after them.
  func drain(_ expected: Int) -> Int {
    limitWaiting(to: 10)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while true {
      if total >= expected { limitWaiting(to: 1) }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return total }
      total += count
    }
  }
}
