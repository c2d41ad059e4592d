// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import LocationModel
import Testing

extension Live {
  /// `milepostd track` on a real gpsd: its files, its end, and its messages without gpsd.
  @Suite("Tracks")
  struct TrackTests {
    /// Starts a track; its output and errors go to `NAME.out`.
    private func track(
      _ name: String, _ arguments: [String], at station: Station,
      environment: [String: String] = [:]
    ) throws -> Child {
      try Child(
        [Station.programs + "/milepostd", "track", "--gpsd", "127.0.0.1:\(station.gpsdPort)"]
          + arguments, environment: environment, output: station.path(name + ".out"))
    }

    private func code(of child: Child) -> Int32? {
      child.status.map { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : -1 }
    }

    private func lines(_ name: String, at station: Station) -> Int {
      station.text(name).split(separator: "\n").count
    }

    @Test(
      "Recordings decide the same again: each mode, ended in order, killed, and over a gpsd that died"
    )
    func recordings() throws {
      let station = try Station()
      try station.startGPSD()
      let modes = ["standard", "continuous", "significant"]
      var tracks: [Child] = []
      for mode in modes {
        tracks.append(
          try track(
            mode, ["--mode", mode, "--record", station.path(mode + ".recording"), "--verbose"],
            at: station))
      }
      let killed = try track(
        "killed",
        ["-o", station.path("killed.gpx"), "--record", station.path("killed.recording")],
        at: station)
      Waiting.until("all hear fixes") {
        ["standard", "continuous", "killed"].allSatisfy { lines($0 + ".out", at: station) > 12 }
      }
      Waiting.until("the significant track rests") {
        station.text("significant.out").contains("receiver off: the next session is at ")
      }
      killed.end(SIGKILL)
      let answer = try station.milepost(["info", "--json", station.path("killed.gpx")])
      #expect(answer.code == 0, "a killed track's file is whole: \(answer.text)")
      #expect(answer.text.contains("\"format\":\"gpx\""))

      station.killGPSD()
      Waiting.until("its loss is told") {
        station.text("continuous.out").contains("gpsd is gone: ")
      }
      let heard = lines("continuous.out", at: station)
      try station.startGPSD()
      Waiting.until("the track goes on") { lines("continuous.out", at: station) > heard + 5 }
      for child in tracks {
        child.end(SIGINT)
        #expect(code(of: child) == 0)
      }
      for mode in modes + ["killed"] {
        let again = try station.milepost(["replay", station.path(mode + ".recording")])
        #expect(again.code == 0, "\(mode): \(again.text.suffix(500))")
        #expect(again.text.contains("Decided again, and the same: "))
      }
    }

    @Test("--observe ends with the comparison, and leaves nothing behind that nobody asked for")
    func observes() throws {
      let station = try Station()
      let folder = station.path("temporary")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      let environment = ["TMPDIR": folder]
      // Stopped before any fix came.
      let idle = try track("idle", ["--observe"], at: station, environment: environment)
      Waiting.until("it tries") { station.text("idle.out").contains("gpsd cannot be reached: ") }
      idle.end(SIGTERM)
      #expect(code(of: idle) == 1)
      #expect(station.text("idle.out").contains("there is nothing to compare: no fix came\n"))

      try station.startGPSD()
      let kept = station.path("kept.csv")
      let recording = station.path("kept.recording")
      let tracks = [
        try track("observe", ["--observe"], at: station, environment: environment),
        try track(
          "kept",
          ["--observe", "--mode", "significant", "-o", kept, "--record", recording, "--json"],
          at: station, environment: environment),
      ]
      Waiting.until("fixes are kept") { lines("kept.csv", at: station) > 20 }
      Waiting.until("fixes come") { lines("observe.out", at: station) > 20 }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).count == 1,
        "one temporary trace: the other has its file")
      tracks[0].end(SIGTERM)
      tracks[1].end(SIGINT)
      for (name, child) in zip(["observe", "kept"], tracks) {
        #expect(code(of: child) == 0, "\(station.text(name + ".out").suffix(500))")
      }
      #expect(station.text("observe.out").contains("observed.jsonl · "))
      #expect(station.text("kept.out").contains("\"schema\":\"milepost.compare/"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      #expect(try station.milepost(["compare", "--worlds", "1", kept]).code == 0)
      #expect(try station.milepost(["compare", "--worlds", "1", recording]).code == 0)
      #expect(try station.milepost(["replay", recording]).code == 0)
    }

    /// The feed stands at 52 N 5 E, and goes north.
    @Test("Within a privacy zone of the configuration no place is printed, written or recorded")
    func zones() throws {
      let station = try Station()
      try station.startGPSD()
      let folder = station.path("config/milepost")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try """
      privacy_zones:
        - name: home
          latitude: 52
          longitude: 5
          radius_m: 100

      """.write(toFile: folder + "/milepostd.yaml", atomically: false, encoding: .utf8)
      let recording = station.path("zone.recording")
      let child = try track(
        "zone", ["-o", station.path("zone.jsonl"), "--record", recording, "--lines", "--why"],
        at: station, environment: ["XDG_CONFIG_HOME": station.path("config")])
      Waiting.until("it is hidden") {
        station.text("zone.out").components(separatedBy: "inside the zone 'home'").count > 5
      }
      station.feed.move(metres: 1_200, at: 60)
      Waiting.until("it is seen again") { lines("zone.jsonl", at: station) > 5 }
      child.end(SIGINT)
      #expect(code(of: child) == 0)
      let zone = PrivacyZone(
        name: "home", centre: Coordinate(clampingLatitude: 52, wrappingLongitude: 5), radius: 100)
      let places = /"latitude":(-?[0-9.]+),"longitude":(-?[0-9.]+)/
      for name in ["zone.jsonl", "zone.recording"] {
        let found = station.text(name).matches(of: places).compactMap { match in
          Coordinate(latitude: Double(match.1) ?? 99, longitude: Double(match.2) ?? 999)
        }
        #expect(found.count > 5, "\(name)")
        let inside = found.filter {
          zone.square.distance(to: $0) == 0 && $0 != zone.square.centre
        }
        #expect(inside.isEmpty, "\(name): \(inside.prefix(3))")
      }
      #expect(station.text("zone.recording.gpsd").isEmpty)
      let again = try station.milepost(["replay", recording])
      #expect(again.code == 0 && again.text.contains("Decided again, and the same: "))
      try "privacy_zones: 7\n".write(
        toFile: folder + "/milepostd.yaml", atomically: false, encoding: .utf8)
      let refused = try track(
        "refused", [], at: station, environment: ["XDG_CONFIG_HOME": station.path("config")])
      Waiting.until("it ends") { !refused.isRunning }
      #expect(code(of: refused) == 2 && station.text("refused.out").contains("privacy_zones: "))
    }

    @Test("A full disk is told once, and tracking goes on; a reader that has seen enough ends it")
    func files() throws {
      let station = try Station()
      try station.startGPSD()
      let full = try track(
        "full", ["-o", "/dev/full", "--format", "geojson", "--count", "5"], at: station)
      let pipe = station.path("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      let piped = try track("piped", ["-o", pipe, "-f", "jsonl"], at: station)
      Waiting.until("the count is reached") { !full.isRunning }
      #expect(code(of: full) == 1, "fixes are missing from the file")
      let text = station.text("full.out")
      #expect(
        text.components(separatedBy: "/dev/full: no space left on the device; tracking goes on")
          .count
          == 2)
      #expect(text.contains("/dev/full: 5 fixes could not be written\n"))
      #expect(text.contains("milepost: 5 deliveries of "))
      Waiting.until("the pipe's track delivers") { lines("piped.out", at: station) > 3 }
      close(reader)
      Waiting.until("it ends by itself") { !piped.isRunning }
      #expect(code(of: piped) == 0)
    }

    @Test("A receiver that loses the sky: the track waits, and says that no fix came")
    func noSky() throws {
      let station = try Station()
      station.feed.sky(false)
      try station.startGPSD()
      let child = try track("dark", ["--duration", "1.5", "--json"], at: station)
      Waiting.until("its time is over") { !child.isRunning }
      #expect(code(of: child) == 1)
      #expect(station.text("dark.out").contains("milepost: 0 deliveries of 0 fixes; "))
    }

    /// util-linux' `script` gives the program a terminal.
    @Test(
      "On a terminal the screen has the terminal's size, and gives back what was there",
      .enabled(if: Station.which("script") != nil, "script (bsdutils) is not installed"),
      arguments: [(80, 24), (40, 10)])
    func screen(columns: Int, rows: Int) throws {
      let station = try Station()
      try station.startGPSD()
      let program = Station.programs + "/milepostd"
      let command =
        "stty cols \(columns) rows \(rows); exec '\(program)' track --gpsd 127.0.0.1:\(station.gpsdPort) "
        + "--count 15"
      let child = try Child(
        ["script", "-qec", command, "/dev/null"],
        environment: ["TERM": "xterm", "SHELL": "/bin/sh"],
        output: station.path("screen.out"))
      Waiting.until("the count is reached") { !child.isRunning }
      #expect(code(of: child) == 0)
      // Without carriage returns, which the terminal adds.
      let text = String(
        String.UnicodeScalarView(station.text("screen.out").unicodeScalars.filter { $0 != "\r" }))
      let frames = text.components(separatedBy: "\u{1B}[H")
      #expect(frames.count > 2)
      #expect(frames[0].hasSuffix("\u{1B}[?1049h\u{1B}[?25l"), "another screen, without a cursor")
      let halves = text.components(separatedBy: "\u{1B}[?25h\u{1B}[?1049l")
      try #require(halves.count == 2, "given back once")
      for frame in frames.dropFirst().map({ $0.components(separatedBy: "\u{1B}[?25h")[0] }) {
        let lines = frame.replacing("\u{1B}[K", with: "").replacing("\u{1B}[J", with: "")
          .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(frame)")
        #expect(lines.count <= rows, "\(frame)")
      }
      let rest = halves[1].split(separator: "\n", omittingEmptySubsequences: false)
      #expect(rest.contains("mode       continuous"))
      #expect(rest.contains { $0.hasPrefix("delivered  15 of ") })
      #expect(rest.suffix(2).first?.hasPrefix("milepost: 15 deliveries of ") == true)
      #expect(rest.last == "", "the cursor stands below")
      #expect(!halves[1].contains("\u{1B}"))
    }
  }
}
