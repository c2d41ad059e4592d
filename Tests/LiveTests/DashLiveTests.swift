// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// `milepost dash` on a terminal.
  @Suite("The service on a terminal")
  struct DashLiveTests {
    private func run(_ station: Station, endedBy what: String) throws -> [String: Any] {
      let output = station.path("terminal-\(what)")
      let child = try Child(
        [
          Station.which("python3") ?? "python3", Station.apps + "/terminal.py", what,
          Station.programs + "/milepost", "dash",
        ], environment: ["MILEPOST_SOCKET": station.socket], output: output)
      Waiting.until("it has ended", limit: 60) { !child.isRunning }
      let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
      return try #require(
        try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test("It fills the screen, follows its size, and gives the terminal back, however it ends")
    func screen() throws {
      let station = try Station(settings: LifeTests.quick)
      try station.startGPSD()
      try station.startDaemon()
      try station.addListener(
        "van", "modes: [location]\nauthorization: always", service: "continuous")
      Waiting.until("fixes come") { !station.told("van", "LOCATION").isEmpty }
      for (what, status) in [("q", 0), ("INT", -2), ("TERM", -15)] {
        let seen = try run(station, endedBy: what)
        #expect(seen["entered"] as? String == "\u{1B}[?1049h\u{1B}[?25l")
        let first = seen["first"] as? String ?? ""
        #expect(first.hasPrefix("milepost   dash · "))
        #expect(first.contains("position   52.0") && first.contains("van: "))
        #expect(first.contains("q ends it"))
        let second = (seen["second"] as? String ?? "").components(separatedBy: "\r\n")
        #expect(second.count == 12, "\(second)")
        let widths = second.map {
          $0.replacingOccurrences(of: "\u{1B}[K", with: "")
            .replacingOccurrences(of: "\u{1B}[J", with: "")
            .replacingOccurrences(of: "\r", with: "").count
        }
        #expect(widths.allSatisfy { $0 <= 50 }, "\(second)")
        #expect((seen["end"] as? String ?? "").hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(seen["status"] as? Int == status, "\(what): \(seen)")
        #expect(seen["restored"] as? Bool == true)
      }
      station.stopDaemon()
    }
  }
}
