// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// A socket that a real app hands over, and data on it while it is frozen.
  @Suite("Handed-over sockets")
  struct SocketTests {
    /// The number of calls; their 99th percentile must be at most 100 ms.
    static let calls = ProcessInfo.processInfo.environment["LIVE_CALLS"].flatMap(Int.init) ?? 200

    @Test("Data on a frozen app's socket thaws it within 100 ms, 99 times of 100")
    func thaw() throws {
      let station = try Station(settings: "era: ios7\npurge_after_s: 86400")
      try station.startDaemon()
      let (listener, port) = try Feed.listen(on: 0)
      defer { close(listener) }
      let command = [
        Station.which("python3") ?? "python3", Station.apps + "/phone.py",
        station.path("phone.account"), String(port),
      ].map { "\"\($0)\"" }.joined(separator: ", ")
      try station.add(
        "phone", "kind: connected\nmodes: [voip]\ncommand: [\(command)]")
      let line = accept(listener, nil, nil)
      defer { close(line) }
      Waiting.until("its socket is taken") {
        station.account("phone").contains { $0["handover"] as? String == "ok\n" }
      }
      let pid = try #require(station.pid("phone"))
      var sent: [Double] = []
      for call in 1...Self.calls {
        guard Waiting.until("it is frozen before call \(call)", { HostProcess.isFrozen(pid) })
        else { break }
        sent.append(Waiting.now)
        let text = "\(call)\n"
        #expect(send(line, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count)
        guard
          Waiting.until(
            "call \(call) is read",
            { station.text("phone.account").hasSuffix("}\n") && reads(at: station).count == call })
        else { break }
      }
      let delays = zip(reads(at: station), sent).map { $0 - $1 }.sorted()
      #expect(delays.count == Self.calls)
      let last = try #require(delays.last)
      let percentile = delays[min(delays.count - 1, delays.count * 99 / 100)]
      print("thaw: median \(delays[delays.count / 2]) s, p99 \(percentile) s, longest \(last) s")
      #expect(percentile <= 0.1, "the longest took \(last) s")
      #expect(station.pid("phone") == pid, "thawed, never launched anew")
      let log = try station.milepost(["apps", "log", "phone", "--count", "1000"]).text
      #expect(log.contains("called by data on its socket"))
      station.stopDaemon()
      #expect(
        !FileManager.default.fileExists(atPath: station.socket + ".handover"), "nothing is left")
    }

    @Test(
      "An app that is written in UIKit's words hands its socket over, and is called by data on it")
    func inSwift() throws {
      let station = try Station(settings: "era: ios7\npurge_after_s: 86400")
      try station.startDaemon()
      let (listener, port) = try Feed.listen(on: 0)
      defer { close(listener) }
      let program = Station.programs + "/background-example"
      try station.add(
        "phone",
        """
        kind: connected
        modes: [voip]
        command: ["\(program)", --calls, "\(port)"]
        """)
      let line = accept(listener, nil, nil)
      defer { close(line) }
      for call in ["one", "two", "three"] {
        guard
          try Waiting.until(
            "it is suspended before call \(call)", { try station.state("phone") == "suspended" })
        else { break }
        let text = call + "\n"
        #expect(send(line, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count)
        guard
          Waiting.until(
            "call \(call) is read",
            { station.text("run/logs/phone.log").contains("call \(call)\n") })
        else { break }
      }
      let said = station.text("run/logs/phone.log").split(separator: "\n")
      #expect(
        said == ["launched by its user", "call one", "call two", "call three"].map { $0[...] })
      station.stopDaemon()
    }

    /// The times when it read the calls, in their order.
    private func reads(at station: Station) -> [Double] {
      station.account("phone").filter { $0["call"] != nil }.compactMap { $0["at"] as? Double }
    }
  }
}
