// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

// Theory
// ======
//
// gpsd keeps a device open for 60 s after its last watcher has gone (gpsd.h, RELEASE_TIMEOUT), and its protocol cannot
// shorten that. Its control socket can (gpsd(8), -F): a device that is removed from gpsd's list (`-PATH`) is closed at
// once, and one that is added again (`+PATH`) stays closed until the next watch. Each command has its own connection,
// and is answered with OK or ERROR.
//
//   is no other client connected?      ──no, nor within a second──► kept
//            │ yes
//            ▼
//        &PATH=HEX (where the receiver can sleep; a refusal is told, and it goes on awake)
//            │
//            ▼
//        -PATH ──ERROR──► kept          +PATH ──OK──► released
//            └─────OK──────────────────►  └──ERROR, three times──► lost: said, with what mends it
//
// Another client's receiver would be closed too, and reopened seconds later; so one other client is enough to leave
// everything as it is, and the receiver awake. gpsd's end of a connection that we have closed is not ESTABLISHED any
// more, and does not count.
//
// gpsd writes to a device only while it has it open, so the receiver is sent to sleep first. As gpsd 3.22 closes a
// device it writes nothing (measured), and so wakes no receiver; as it opens one it writes its probes, so that whoever
// asks gpsd for positions wakes it, also when the service that sent it to sleep is gone.

/// Has a gpsd on this machine close its devices at once.
struct DeviceRelease: Sendable {
  /// gpsd's control socket.
  let control: String
  /// gpsd's port for clients.
  let port: Int

  /// Seconds that gpsd may take to answer; it takes about 0.3 ms.
  static let patience = 2

  /// The order to sleep for a rest.
  struct Sleep: Sendable, Equatable {
    let family: ReceiverFamily
    let rest: RestSpan

    var bytes: [UInt8] { family.sleepCommand(for: family.timer(for: rest) ?? rest.seconds) }
  }

  /// A device to close; its receiver sleeps first if it has an order to.
  struct Device: Sendable, Equatable {
    let path: String
    var sleep: Sleep?
  }

  struct Outcome: Sendable, Equatable {
    /// The closed devices; those that were sent to sleep have the order.
    var released: [Device] = []
    var troubles: [GPSDEvent.Trouble] = []
  }

  /// Seconds in which the command leaves a port of 4,800 baud, before that is closed: 24 bytes take 50 ms.
  static let drainTime = 0.1

  /// Closes these devices; blocks.
  func releaseDevices(_ devices: [Device]) -> Outcome {
    var others = Self.clients(of: port)
    for _ in 0..<10 where others > 0 {
      // The other client may be about to leave.
      usleep(100_000)
      others = Self.clients(of: port)
    }
    guard others == 0 else {
      return Outcome(
        troubles: [
          .notReleased(
            "\(others) other \(others == 1 ? "client is" : "clients are") connected to it")
        ])
    }
    var outcome = Outcome()
    for var device in devices {
      if let sleep = device.sleep {
        if let trouble = send(sleep.bytes, to: device.path) {
          outcome.troubles.append(.notAsleep(trouble))
          device.sleep = nil
        } else {
          usleep(UInt32(Self.drainTime * 1e6))
        }
      }
      if let trouble = sendCommand("-" + device.path) {
        outcome.troubles.append(.notReleased(trouble))
        return outcome
      }
      outcome.released.append(device)
      var trouble = sendCommand("+" + device.path)
      for _ in 0..<2 where trouble != nil { trouble = sendCommand("+" + device.path) }
      if let trouble {
        outcome.troubles.append(
          .notReleased(
            "\(trouble), so that it has lost \(device.path): gpsdctl add \(device.path)"))
        return outcome
      }
    }
    return outcome
  }

  /// Has gpsd write bytes to a device that it has open; returns the reason for a failure, else `nil`.
  func send(_ bytes: [UInt8], to path: String) -> String? {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return sendCommand("&\(path)=" + String(decoding: text, as: UTF8.self))
  }

  /// Sends one command; returns the reason for a failure, else `nil`.
  private func sendCommand(_ command: String) -> String? {
    func failure() -> String { "its control socket \(control): \(SystemError.text())" }
    let socket = SocketAddress.connected(to: control, limit: Self.patience)
    guard socket >= 0 else { return failure() }
    defer { close(socket) }
    var answer = [UInt8](repeating: 0, count: 64)
    guard WholeWrite.write(Array("\(command)\n".utf8)[...], to: socket).error == nil else {
      return failure()
    }
    let count = read(socket, &answer, answer.count)
    guard count >= 0 else { return failure() }
    guard answer.starts(with: "OK".utf8) else { return "it refuses '\(command)' on \(control)" }
    return nil
  }

  /// Connections of clients to a port of this machine (proc(5), /proc/net/tcp: local_address in
  /// hexadecimal, st 01 is ESTABLISHED).
  static func clients(of port: Int) -> Int {
    ["/proc/net/tcp", "/proc/net/tcp6"].reduce(0) { count, file in
      count + clients(of: port, in: SmallFile.text(of: file) ?? "")
    }
  }

  static func clients(of port: Int, in table: String) -> Int {
    table.split(separator: "\n").dropFirst().count { line in
      let fields = line.split(separator: " ", maxSplits: 4)
      guard fields.count > 3, fields[3] == "01", let local = fields[1].split(separator: ":").last
      else { return false }
      return Int(local, radix: 16) == port
    }
  }
}
