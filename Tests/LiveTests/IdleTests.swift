// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// The activity of an idle service.
  @Suite("Rest")
  struct IdleTests {
    /// Voluntary context switches of all threads (proc_pid_status(5)): each one was preceded by a wakeup.
    private static func switches(of pid: Int32) -> Int {
      let folder = "/proc/\(pid)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return threads.compactMap { thread in
        let text = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
      }.reduce(0, +)
    }

    @Test("Trap 14: an idle service with the live page and a sink makes no wake-ups of its own")
    func idle() throws {
      let port = try Feed.freePort()
      let station = try Station(
        settings: """
          web: 127.0.0.1:\(port)
          web_leaflet: /nowhere

          sinks:
            map:
              kind: owntracks
              url: mqtt://127.0.0.1:1
              user: jane
              device: van
              service: standard
              distance_filter_m: 1000000
          """)
      try station.startDaemon()
      let app = "authorize map denied".split(separator: " ").map(String.init)
      #expect(try station.milepost(["apps"] + app).code == 0)
      let pid = try #require(station.daemonPID)
      var (count, since) = (Self.switches(of: pid), Waiting.now)
      #expect(count > 0)
      // A timer of some seconds, as libraries often have, never lets 20 s pass.
      Waiting.until("20 s without a wake-up", limit: 90) {
        let next = Self.switches(of: pid)
        if next != count { (count, since) = (next, Waiting.now) }
        return Waiting.now - since > 20
      }
    }
  }
}
