// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A receiver on a TCP port of this machine, as gpsd reads it (`tcp://127.0.0.1:PORT`): ten epochs a
/// second of RMC and GGA, at a place that the test moves.
final class Feed: Sendable {
  let port: UInt16
  private let listener: Int32
  private struct State {
    var latitude = 52.0
    var longitude = 5.0
    /// Metres per second to the north.
    var speed = 0.0
    var metresLeft = 0.0
    var isOver = false
    var isSilent = false
    var hasFix = true
    var hasSatellites = false
    var epochs = 0
  }
  private let state = Mutex(State())

  struct NoPort: Error {}

  init() throws {
    let opened = try Self.listen(on: 0)
    (listener, port) = (opened.descriptor, opened.port)
    let thread = Thread { [self] in serve() }
    thread.start()
  }

  func close() {
    state.withLock { $0.isOver = true }
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  /// Moves to the north from here on, until `metres` are covered.
  func move(metres: Double, at speed: Double) {
    state.withLock { ($0.metresLeft, $0.speed) = (metres, speed) }
  }

  var isMoving: Bool { state.withLock { $0.metresLeft > 0 } }

  /// Keeps the feed open and silent, like an unplugged cable.
  func silence(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

  /// Sets whether there is a position, or void epochs.
  func sky(_ hasFix: Bool) { state.withLock { $0.hasFix = hasFix } }

  /// Adds a GSA and GSVs of ten satellites to each epoch from here on.
  func showSatellites() { state.withLock { $0.hasSatellites = true } }

  /// The number of epochs that were sent to any client.
  var epochs: Int { state.withLock { $0.epochs } }

  /// A socket that listens on loopback; no child inherits it, so the port is free after its closing.
  static func listen(on port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw NoPort() }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A port that is unused now.
  static func freePort() throws -> UInt16 {
    let opened = try listen(on: 0)
    Glibc.close(opened.descriptor)
    return opened.port
  }

  private func serve() {
    while !state.withLock({ $0.isOver }) {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      while !state.withLock({ $0.isOver }) {
        if let text = next() {
          let sent = text.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
          if sent <= 0 { break }
        }
        Waiting.pass(0.1)
      }
      Glibc.close(client)
    }
  }

  private func next() -> String? {
    state.withLock { state in
      guard !state.isSilent else { return nil }
      let step = min(state.speed * 0.1, state.metresLeft)
      state.metresLeft -= step
      // One minute of latitude is nearly a nautical mile.
      state.latitude += step / 111_200
      state.epochs += 1
      return Self.epoch(
        state.latitude, state.longitude, speed: step * 10, hasFix: state.hasFix)
        + (state.hasSatellites ? Self.satellites : "")
    }
  }

  /// RMC and GGA of one epoch, at the host's UTC.
  static func epoch(
    _ latitude: Double, _ longitude: Double, speed: Double, hasFix: Bool
  ) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return epoch(latitude, longitude, speed: speed, hasFix: hasFix, at: now)
  }

  /// The same at another UTC; the course is degrees clockwise from north.
  static func epoch(
    _ latitude: Double, _ longitude: Double, speed: Double, course: Double = 0, hasFix: Bool,
    at now: timespec
  ) -> String {
    var seconds = now.tv_sec
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let time = String(
      format: "%02d%02d%02d.%02d", parts.tm_hour, parts.tm_min, parts.tm_sec,
      now.tv_nsec / 10_000_000)
    let date = String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    guard hasFix else {
      return sentence("GPRMC,\(time),V,,,,,,,\(date),,,N")
        + sentence("GPGGA,\(time),,,,,0,00,99.99,,,,,,")
    }
    let place =
      String(
        format: "%02d%08.5f,N,%03d%08.5f,E", Int(latitude), (latitude - Double(Int(latitude))) * 60,
        Int(longitude), (longitude - Double(Int(longitude))) * 60)
    let knots = String(format: "%.2f", speed / 0.514444)
    return sentence("GPRMC,\(time),A,\(place),\(knots),\(course),\(date),,,A")
      + sentence("GPGGA,\(time),\(place),1,09,0.9,10.0,M,45.0,M,,")
  }

  private static let satellites =
    sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.5,0.9,1.2")
    + sentence("GPGSV,3,1,10,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45")
    + sentence("GPGSV,3,2,10,05,41,084,46,06,18,309,41,07,08,345,39,08,23,229,45")
    + sentence("GPGSV,3,3,10,09,42,085,46,10,19,310,33")

  static func sentence(_ body: String) -> String {
    let checksum = body.utf8.reduce(UInt8(0), ^)
    return String(format: "$%@*%02X\r\n", body, checksum)
  }
}
