// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A real gpsd on a free loopback port, fed over TCP by this process.
///
/// This file is self-contained, so that another test target can copy it.
final class RealGPSD {
  static let path: String? = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let missing = "gpsd is not installed here; its tests are skipped"

  let port: Int
  private let feedPort: Int
  private var process: Process?

  /// Starts gpsd; `port` is a free one by default. `opensAtOnce` is gpsd's `-n`, `control` its `-F`.
  init(feedPort: Int, port: Int? = nil, opensAtOnce: Bool = false, control: String? = nil)
    throws
  {
    self.feedPort = feedPort
    self.port = port ?? LoopbackSocket.freePort()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    var arguments = ["-N", "-S", String(self.port)]
    if opensAtOnce { arguments.append("-n") }
    if let control { arguments += ["-F", control] }
    process.arguments = arguments + ["tcp://127.0.0.1:\(feedPort)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    // It is ready when it accepts a connection.
    for _ in 0..<500 where process.isRunning {
      if let probe = LoopbackSocket.connected(to: self.port) {
        close(probe)
        return
      }
      poll(nil, 0, 10)
    }
    stop()
    throw CocoaError(.executableNotLoadable)
  }

  /// Ends it at once (SIGKILL) and waits for its end.
  func stop() {
    guard let process else { return }
    self.process = nil
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { stop() }
}

/// A TCP server on loopback that sends NMEA to each client, one group of lines per step.
final class NMEAFeed: Sendable {
  private struct State {
    var groups: [String]
    var next = 0
    var interval: Double
    var isPaused = false
    var isStopped = false
    var isUnplugged = false
    var isOpen = false
    var sent = 0
  }

  /// Linux's POLLRDHUP, which the C library's module does not show.
  private static let peerHungUp: Int16 = 0x2000

  let port: Int
  private let listener: Int32
  private let state: Mutex<State>
  private let finished = DispatchSemaphore(value: 0)

  /// Sends `groups` from the first to the last and again from the first, one every `interval` seconds.
  init(_ groups: [String], every interval: Double) {
    (listener, port) = LoopbackSocket.listening()
    state = Mutex(State(groups: groups, interval: interval))
    let thread = Thread { [self] in run() }
    thread.start()
  }

  /// The number of groups that were sent.
  var sent: Int { state.withLock { $0.sent } }

  /// Whether gpsd has it open.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Continues with other groups, from the first.
  func play(_ groups: [String]) {
    state.withLock {
      $0.groups = groups
      $0.next = 0
    }
  }

  func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  /// Breaks the connection to gpsd, like an unplugged receiver; the next one is accepted again.
  func unplug() { state.withLock { $0.isUnplugged = true } }

  func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    if !wasStopped { finished.wait() }
  }

  private func run() {
    defer {
      close(listener)
      finished.signal()
    }
    while !state.withLock({ $0.isStopped }) {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 20) > 0 else { continue }
      let peer = accept(listener, nil, nil)
      guard peer >= 0 else { continue }
      state.withLock { $0.isOpen = true }
      feed(peer)
      state.withLock { $0.isOpen = false }
      let wasUnplugged = state.withLock { state in
        defer { state.isUnplugged = false }
        return state.isUnplugged
      }
      if wasUnplugged {
        // A reset, not an orderly end: gpsd takes the latter for a pause.
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          peer, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
      }
      close(peer)
    }
  }

  private func feed(_ peer: Int32) {
    while true {
      let (text, interval, isOver) = state.withLock { state -> (String?, Double, Bool) in
        guard !state.isPaused, !state.groups.isEmpty else {
          return (nil, 0.02, state.isStopped || state.isUnplugged)
        }
        let text = state.groups[state.next % state.groups.count]
        state.next += 1
        state.sent += 1
        return (text, state.interval, state.isStopped || state.isUnplugged)
      }
      if isOver { return }
      if let text {
        let bytes = Array(text.utf8)
        if send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 { return }
      }
      var gone = pollfd(fd: peer, events: Self.peerHungUp, revents: 0)
      if poll(&gone, 1, Int32(interval * 1_000)) > 0, gone.revents != 0 { return }
    }
  }

  /// Groups of RMC, GGA and GSA sentences: a walk north at 1.5 m/s, one position a second, by day.
  static func walk(from second: Int = 0, count: Int, hasFix: Bool = true) -> [String] {
    (second..<second + count).map { second in
      let minutes = 45.0 + Double(second) * 1.5 / 1_852
      let latitude = String(format: "46%08.5f,N", minutes)
      let clock = String(
        format: "%02d%02d%02d.00", 10 + second / 3_600, second / 60 % 60, second % 60)
      let sentences =
        hasFix
        ? [
          "GPRMC,\(clock),A,\(latitude),00730.00000,E,2.9,0.0,210626,,,A",
          "GPGGA,\(clock),\(latitude),00730.00000,E,1,08,1.1,560.0,M,48.0,M,,",
          "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.1,1.4",
        ]
        : [
          "GPRMC,\(clock),V,,,,,,,210626,,,N", "GPGGA,\(clock),,,,,0,00,99.9,,M,,M,,",
          "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9",
        ]
      return sentences.map { sentence in
        "$\(sentence)*" + String(format: "%02X", sentence.utf8.reduce(0, ^)) + "\r\n"
      }.joined()
    }
  }
}

/// Sockets on 127.0.0.1.
enum LoopbackSocket {
  static func listening() -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      guard let pointer, bind(descriptor, pointer, length) == 0, listen(descriptor, 8) == 0,
        getsockname(descriptor, pointer, &length) == 0
      else { preconditionFailure("no loopback socket") }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A port that was free a moment ago.
  static func freePort() -> Int {
    let (descriptor, port) = listening()
    close(descriptor)
    return port
  }

  static func connected(to port: Int) -> Int32? {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = address(port)
    let result = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(bytes.count))
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
