// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// Failures and mistakes that a service must survive.
  @Suite("Blows and mistakes")
  struct RobustTests {
    static let quick = """
      significant_interval_s: 2
      """

    @Test("Killed at each event, it neither repeats one nor measures from an older one")
    func anchors() throws {
      let station = try Station(settings: Self.quick + "\nsignificant_distance_m: 200\n")
      try station.startGPSD()
      try station.startDaemon()
      // Keeps the receiver on, so that the test need not wait for a session.
      try station.addListener(
        "always", "modes: [location]\nauthorization: always\nservice: continuous")
      try station.addListener("rare", "authorization: always\nservice: significant")
      // By their numbers: an unacknowledged one comes again under its own number after the kill.
      let fresh = {
        station.told("rare", "LOCATION").filter { $0["cached"] as? Bool == false }
      }
      let heard = { Set(fresh().compactMap { $0["sequence"] as? Int }).count }
      Waiting.until("the first significant change") { heard() > 0 }
      // As fast as a train: what is faster than any ride may be a jump after a slow start of the daemon.
      station.feed.move(metres: 100_000, at: 32)
      // If none comes, the service's own account of it is what one needs.
      func awaitEvent(_ what: String) throws {
        let before = heard()
        guard !Waiting.until(what, { heard() > before }) else { return }
        Issue.record("\(try station.milepost(["explain", "rare"]).text)")
      }
      for _ in 0..<3 {
        try awaitEvent("an event")
        station.killDaemon()
        try station.startDaemon()
      }
      try awaitEvent("an event of the last daemon")
      var latitudes: [Int: Double] = [:]
      for event in fresh() {
        let number = try #require(event["sequence"] as? Int)
        let fix = try #require(event["fix"] as? [String: Any])
        latitudes[number] = try #require(fix["latitude"] as? Double)
      }
      let places = latitudes.sorted { $0.key < $1.key }.map(\.value)
      #expect(places.count > 4)
      for (before, after) in zip(places, places.dropFirst()) {
        // The feed's own measure: 111 200 m to a degree.
        #expect((after - before) * 111_200 > 190)
      }
    }

    @Test("A second daemon with another state does not touch the first one's apps")
    func runtimeDirectory() throws {
      let station = try Station(settings: Self.quick)
      try station.startDaemon()
      try station.add("sleeper", "kind: connected\ncommand: [sleep, \"600\"]")
      try Waiting.until("it runs") {
        try station.document(["apps", "show", "sleeper"])["pid"] as? Int != nil
      }
      let second = try Child(
        [
          Station.programs + "/milepostd", "serve", "--state", station.path("other"), "--runtime",
          station.path("run"), "--socket", station.path("other-socket"),
        ], output: station.path("second.log"))
      Waiting.until("the second one gives up") { !second.isRunning }
      #expect(second.status.map { ($0 >> 8) & 0xFF } == 2)
      #expect(station.text("second.log").contains("another milepostd keeps its apps there"))
      #expect(try station.document(["apps", "show", "sleeper"])["pid"] as? Int != nil)
    }

    @Test(
      "An unmodified gpspipe at a port of ours sees reports, and only those of the port's mode",
      .enabled(
        if: Station.which("gpspipe") != nil, "gpspipe (gpsd-clients) is not installed"))
    func gpsdClients() throws {
      let program = try #require(Station.which("gpspipe"))
      // Held until the daemon takes it: the station chooses its own ports.
      let (held, port) = try Feed.listen(on: 0)
      let station = try Station(
        settings: "gpsd_listeners: [{port: \(port), service: standard, distance_filter_m: 100}]")
      try station.startGPSD()
      close(held)
      try station.startDaemon()
      let pipe = try Child([program, "-w", "127.0.0.1:\(port)"], output: station.path("pipe"))
      defer { pipe.end(SIGKILL) }
      let reports = {
        station.text("pipe").split(whereSeparator: \.isNewline).filter { $0.contains("\"TPV\"") }
      }
      Waiting.until("the first report") { !reports().isEmpty }
      Waiting.pass(1)
      #expect(reports().count == 1, "the filter is 100 m, and the feed stands")
      station.feed.move(metres: 250, at: 60)
      Waiting.until("two more") { reports().count == 3 }
      #expect(station.text("pipe").contains("\"class\":\"VERSION\""))
    }

    @Test("A corrupt database is moved aside and said; systemd is told when all is ready")
    func corrupt() throws {
      let station = try Station()
      try FileManager.default.createDirectory(
        atPath: station.path("state"), withIntermediateDirectories: true)
      try String(repeating: "not a database ", count: 400).write(
        toFile: station.path("state/milepost.sqlite"), atomically: true, encoding: .utf8)
      let socket = try NotifySocket(station.path("notify"))
      try station.startDaemon(environment: ["NOTIFY_SOCKET": station.path("notify")])
      let store = try station.document(["status"])["store"] as? [String: Any]
      #expect((store?["warning"] as? String)?.contains("was corrupt") == true)
      #expect(
        FileManager.default.fileExists(atPath: station.path("state/milepost.sqlite.corrupt-1")))
      Waiting.until("READY=1") { socket.received().contains("READY=1") }
      station.stopDaemon()
      #expect(socket.received().contains("STOPPING=1"))
    }

    @Test("An app in another folder gets the whole path of a socket that was named by a part of it")
    func relativePlaces() throws {
      let station = try Station()
      let daemon = try Child(
        [
          "sh", "-c",
          "cd '\(station.folder)' && exec '\(Station.programs)/milepostd' serve --state state "
            + "--runtime run --gpsd 127.0.0.1:\(station.gpsdPort)",
        ],
        environment: ["MILEPOST_SOCKET": "run/socket", "XDG_CONFIG_HOME": station.path("nothing")],
        output: station.path("daemon.log"))
      Waiting.until("the daemon answers") { (try? station.milepost(["status"]).code) == 0 }
      let command = "echo $MILEPOST_SOCKET > \(station.path("told")); sleep 600"
      try station.add("app", "kind: connected\ncommand: [sh, -c, \"\(command)\"]")
      Waiting.until("it wrote") { station.text("told").hasSuffix("\n") }
      #expect(station.text("told") == station.socket + "\n")
      daemon.end(SIGTERM)
    }

    @Test("What an app was given is said not to be stored while the store cannot be written")
    func unstored() throws {
      let station = try Station()
      try station.startDaemon()
      let (plain, locked) = ("kind: connected\ncommand: [sleep, \"600\"]", "locked")
      try station.add("walker", plain)
      #expect(try station.milepost(["apps", "authorize", "walker", "denied"]).text.isEmpty)
      let script = """
        import sqlite3, time
        base = sqlite3.connect('\(station.path("state/milepost.sqlite"))')
        base.execute('BEGIN IMMEDIATE')
        print('\(locked)', flush=True)
        time.sleep(600)
        """
      let python = try #require(Station.which("python3"))
      let other = try Child([python, "-c", script], output: station.path("other"))
      Waiting.until("another program has it") { station.text("other").contains(locked) }
      let path = station.path("state/milepost.sqlite")
      let warning =
        "milepost: warning: not stored: cannot write \(path): another program has locked it. End that "
        + "program, or wait for it\n"
      let answer = try station.milepost(["apps", "authorize", "walker", "always"])
      #expect(answer.code == 0)
      #expect(answer.text == warning)
      try "name: runner\n\(plain)\n".write(
        toFile: station.path("runner.yaml"), atomically: true, encoding: .utf8)
      let added = try station.milepost(["apps", "add", station.path("runner.yaml")])
      #expect(added.code == 0)
      #expect(added.text.hasPrefix(warning + "runner: added"), "\(added.text)")
      other.end(SIGKILL)
      #expect(try station.milepost(["apps", "authorize", "walker", "denied"]).text.isEmpty)
      station.stopDaemon()
    }
  }
}
