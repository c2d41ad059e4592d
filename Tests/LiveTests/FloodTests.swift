// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// What clients that ask and do not read cost the service's memory.
  @Suite("Floods")
  struct FloodTests {
    /// Connections that never read, each with as many questions as the kernel takes.
    private final class Flood {
      private var sockets: [Int32] = []

      init(_ count: Int, connect: () -> Int32) {
        for _ in 0..<count {
          let socket = connect()
          guard socket >= 0 else { break }
          sockets.append(socket)
        }
      }

      var count: Int { sockets.count }

      func ask(_ text: String) {
        let bytes = Array(text.utf8)
        for socket in sockets {
          _ = send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | Int(MSG_NOSIGNAL)))
        }
      }

      func leave() {
        for socket in sockets { close(socket) }
        sockets = []
      }

      deinit { leave() }
    }

    /// Megabytes of a process that are in memory (proc(5)).
    private func memory(_ pid: pid_t) throws -> Double {
      let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(Double(line.split(whereSeparator: \.isWhitespace)[1])) / 1_024
    }

    private func unix(_ path: String) -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      return result == 0 ? descriptor : -1
    }

    private func local(_ port: UInt16) -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      // What is not read waits on the other side.
      var size: Int32 = 4_096
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return result == 0 ? descriptor : -1
    }

    @Test(
      "Whoever asks and does not read costs some megabytes, whatever their number, and they come back",
      arguments: [("control socket", 60.0), ("port for gpsd clients", 25)])
    func unread(place: String, most: Double) throws {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 4_096)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let (held, port) = try Feed.listen(on: 0)
      let station = try Station(settings: "gpsd_listeners: [{port: \(port), service: standard}]")
      station.feed.showSatellites()
      try station.startGPSD()
      close(held)
      try station.startDaemon()
      // The port has a position and a sky to tell.
      let watcher = try Child(
        [Station.which("gpspipe") ?? "gpspipe", "-w", "127.0.0.1:\(port)"],
        output: station.path("watcher"))
      defer { watcher.end(SIGKILL) }
      Waiting.until("a report") { station.text("watcher").contains("\"SKY\"") }
      let pid = try #require(station.daemonPID)
      let before = try memory(pid)
      let isPort = place.hasPrefix("port")
      let flood = Flood(400) { isPort ? local(port) : unix(station.socket) }
      #expect(flood.count == 400)
      let questions = String(repeating: isPort ? "?POLL;\n" : "?STATUS;\n", count: 2_000)
      var peak = before
      let end = Waiting.now + 12
      while Waiting.now < end {
        flood.ask(questions)
        Waiting.pass(0.1)
        peak = max(peak, try memory(pid))
      }
      #expect(peak - before < most, "\(before) MB, then \(peak)")
      // Others are served meanwhile.
      #expect(try station.milepost(["status"]).code == 0)
      flood.leave()
      try Waiting.until("memory is given back: \(before), \(peak)", limit: 20) {
        try memory(pid) - before < 15
      }
      station.stopDaemon()
    }
  }
}
