// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// `milepost scenario run` on a real daemon: the lines of a file, and processes that follow it.
  @Suite("A scenario on the service")
  struct ScenarioTests {
    private static let file = """
      scenario: An app that uploads when it is put away
      apps:
        - name: diary
          modes: [remote-notification]
          on launch: [start significant]
          on background: [begin task upload, work 1 s, end task upload]
          on push: [work 0.5 s, answer new_data]
          on termination: [work 0.1 s]
        - name: compass
          on launch: [monitor heading every 5 degrees]
          on heading: [stop heading]
      then:
        - at: 0 s
          do: open diary
        - at: +2 s
          do: home
        - at: +12 s
          do: push to diary
        - at: +2 s
          do: open compass
        - at: +4 s
          do: [home, terminate diary]
      """

    private func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init)
    }

    @Test("Its lines are done to real processes, and what became of them is told")
    func run() throws {
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      // North, for as long as the compass may be queried.
      station.feed.move(metres: 5_000, at: 20)
      let path = station.path("diary.yaml")
      try Self.file.write(toFile: path, atomically: true, encoding: .utf8)
      let answer = try station.milepost(
        ["scenario", "run", path, "--then", "7", "--keep"], limit: 60)
      #expect(answer.code == 0, "\(answer.text)")
      // After the time; a line without one is for people.
      let told = lines(answer.text).filter { !$0.hasPrefix("milepost: ") }
        .map { String($0.dropFirst(25)) }
      let acts = told.prefix { !$0.contains(": ") }
      #expect(
        Array(acts) == [
          "the user opens diary", "the user goes home", "a push for diary",
          "the user opens compass",
          "the user goes home", "the system ends diary",
        ])
      // The same steps as in a replay's account, from the processes themselves.
      #expect(
        lines(station.text("run/logs/diary.log")) == [
          "starts significant changes", "begins the task upload", "works 1 s",
          "ends the task upload",
          "works 0.5 s", "answers new_data",
        ], "it is suspended when the system ends it, and hears nothing of that")
      #expect(
        lines(station.text("run/logs/compass.log")) == [
          "asks where the device points to, each 5°", "no longer asks where the device points to",
        ], "the course comes from a real gpsd")
      let log = told.filter { $0.hasPrefix("diary: ") }.joined(separator: "\n")
      for words in ["called by a push", "suspended", "not running"] {
        #expect(log.contains(words), "\(words) is not in \(log)")
      }
      #expect(try station.state("diary") == "not_running")
    }

    @Test("What cannot be done, and a line whose place is never reached, are told; exit code 1")
    func refused() throws {
      let station = try Station()
      try station.startDaemon()
      let path = station.path("far.yaml")
      try """
      places:
        far: {lat: 1, lon: 2, radius: 300 m}
      apps:
        - name: diary
      then:
        - at: 0 s
          do: purge diary
        - on reaching: far
          do: open diary
      """.write(toFile: path, atomically: true, encoding: .utf8)
      let answer = try station.milepost(["scenario", "run", path, "--patience", "1"])
      #expect(answer.code == 1)
      #expect(answer.text.contains("could not be done: "), "\(answer.text)")
      #expect(answer.text.contains("never came: on reaching far, the user opens diary"))
      let apps = try station.milepost(["apps"]).text
      #expect(!apps.contains("diary"), "its program is removed")
    }

    @Test("Ctrl-C removes the programs, and ends it as who was ended by that signal")
    func interrupted() throws {
      let station = try Station()
      try station.startDaemon()
      let path = station.path("long.yaml")
      try """
      apps:
        - name: diary
      then:
        - at: 600 s
          do: open diary
      """.write(toFile: path, atomically: true, encoding: .utf8)
      let child = try Child(
        [Station.programs + "/milepost", "scenario", "run", path],
        environment: ["MILEPOST_SOCKET": station.socket], output: station.path("run.out"))
      func isRegistered() throws -> Bool { try station.milepost(["apps"]).text.contains("diary") }
      try Waiting.until("its program is registered") { try isRegistered() }
      kill(child.pid, SIGINT)
      Waiting.until("it ends: \(station.text("run.out"))") { !child.isRunning }
      #expect((child.status ?? 0) & 0x7F == SIGINT)
      #expect(try !isRegistered(), "\(station.text("run.out"))")
      station.stopDaemon()
    }

    @Test("Coming into a region relaunches an app that has no process, for that reason")
    func region() throws {
      let station = try Station(settings: "significant_interval_s: 2")
      try station.startGPSD()
      try station.startDaemon()
      // Holds the receiver on, so that positions come once a second.
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      // A minute of latitude is 1,853 m: 620 m are 0.00558° north of the feed's beginning.
      try station.addListener(
        "fence",
        """
        authorization: always
        regions:
          - name: yard
            latitude: 52.00558
            longitude: 5.0
            radius_m: 300
        """)
      Waiting.until("fixes come") { station.told("always", "LOCATION").count > 5 }
      try Waiting.until("fence is suspended") { try station.state("fence") == "suspended" }
      #expect(try station.milepost(["apps", "purge", "fence"]).code == 0)
      try Waiting.until("it has no process") { try station.state("fence") == "not_running" }
      station.feed.move(metres: 620, at: 60)
      // The dwell is 20 s.
      Waiting.until("it is relaunched", limit: 60) {
        station.account("fence").contains { $0["reason"] as? String == "region" }
      }
      Waiting.until("and is told of its entry") {
        station.told("fence", "REGION").contains { $0["event"] as? String == "entered" }
      }
      let entry = try #require(station.told("fence", "REGION").first)
      #expect(entry["identifier"] as? String == "yard")
      #expect(entry["state"] as? String == "inside")
    }
  }
}
