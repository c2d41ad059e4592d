// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// `background-example` as a registered app of a real daemon whose clock runs ten times as fast.
  @Suite("The life of a real app, in the words of UIKit")
  struct BackgroundExampleTests {
    private static let rate = 10.0

    /// The argument of `--time-lapse`: the rate, and the clock's reading at an instant of the machine's.
    private func lapse() -> String {
      var (boot, utc) = (timespec(), timespec())
      clock_gettime(CLOCK_BOOTTIME, &boot)
      clock_gettime(CLOCK_REALTIME, &utc)
      func microseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000 + time.tv_nsec / 1_000 }
      return "\(Self.rate),\(microseconds(boot)),\(microseconds(utc))"
    }

    private func lines(_ name: String, _ station: Station) -> [String] {
      station.text("run/logs/\(name).log").split(separator: "\n").map(String.init)
    }

    private func tell(_ station: Station, _ words: String...) throws {
      let answer = try station.milepost(["apps"] + words)
      #expect(answer.code == 0, "\(words): \(answer.text)")
    }

    @Test(
      "A task that is ended when it expires leaves the app suspended; one that overruns ends it")
    func tasks() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon(["--time-lapse", lapse()])
      let common = """
        kind: connected
        launch: manual
        """
      let program = Station.programs + "/background-example"
      try station.add("round", "\(common)\ncommand: [\"\(program)\"]")
      try station.add("late", "\(common)\ncommand: [\"\(program)\", --overruns]")
      for name in ["round", "late"] {
        try tell(station, "launch", name)
        Waiting.until("\(name) is active") { lines(name, station).contains("active") }
        try tell(station, "background", name)
        Waiting.until("\(name)'s task expires") { lines(name, station).contains("expires") }
        let told = lines(name, station)
        #expect(Array(told.prefix(3)) == ["launched by its user", "active", "resigns"])
        // The 30 s of the era, less the time of the question.
        let left = told.compactMap { $0.wholeMatch(of: /background, (\d+) s left/)?.1 }
        #expect(left.count == 1 && (20...30).contains(Int(left.first ?? "") ?? 0), "\(left)")
      }
      try Waiting.until("round is suspended") { try station.state("round") == "suspended" }
      try Waiting.until("late is ended") { try station.state("late") == "not_running" }
      let log = try station.milepost(["apps", "log", "late", "--count", "100"]).text
      #expect(log.contains("its background task took too long"), "\(log)")

      try tell(station, "foreground", "round")
      Waiting.until("it comes back") {
        Array(lines("round", station).suffix(2)) == ["comes", "active"]
      }
      try tell(station, "terminate", "round")
      Waiting.until("it is told of its end") { lines("round", station).last == "ends" }
      try Waiting.until("it has ended") { try station.state("round") == "not_running" }
    }

    @Test("A monitor that is made anew at each launch hears of changes alone")
    func monitor() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon(["--time-lapse", lapse()])
      // The feed stands at 52° N, 5° E.
      let program = Station.programs + "/background-example"
      try station.add(
        "runner",
        """
        kind: connected
        launch: manual
        modes: [location]
        authorization: always
        command: ["\(program)", runner, "52", "5"]
        """)
      func process() throws -> Int32? {
        (try station.document(["apps", "show", "runner"])["pid"] as? Int).map(Int32.init)
      }
      for launch in 1...4 {
        try tell(station, "launch", "runner")
        try Waiting.until("it runs (launch \(launch))") { try process() != nil }
        if launch == 1 {
          Waiting.until("it is home") { lines("runner", station).contains("home") }
        }
        // The answer to who asks again is there within a second, or ten of the service's.
        Waiting.pass(1)
        guard launch < 4, let pid = try process() else { continue }
        kill(pid, SIGKILL)
        try Waiting.until("it is gone") { try process() == nil }
      }
      station.feed.move(metres: 700, at: 40)
      Waiting.until("it is away", limit: 30) { lines("runner", station).contains("away") }
      #expect(lines("runner", station) == ["home", "away"])
    }
  }
}
