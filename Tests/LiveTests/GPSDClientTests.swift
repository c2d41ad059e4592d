// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// Debian's gpsd-clients and python3-gps against a port of ours, and against the gpsd that feeds it.
  @Suite(
    "gpsd's clients",
    .enabled(if: Station.which("gpspipe") != nil, "gpspipe (gpsd-clients) is not installed"))
  struct GPSDClientTests {
    /// A station whose daemon listens on the returned port, for every fix.
    private func station() throws -> (Station, UInt16) {
      let (held, port) = try Feed.listen(on: 0)
      let station = try Station(
        settings: "gpsd_listeners: [{port: \(port), service: standard}]")
      station.feed.showSatellites()
      try station.startGPSD()
      close(held)
      try station.startDaemon()
      return (station, port)
    }

    private func start(
      _ station: Station, _ words: [String], _ file: String
    ) throws -> Child {
      try Child(
        [try #require(Station.which(words[0]))] + words.dropFirst(), output: station.path(file))
    }

    private func objects(_ station: Station, _ file: String, _ kind: String) -> [[String: Any]] {
      station.text(file).split(whereSeparator: \.isNewline).compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }.filter { $0["class"] as? String == kind }
    }

    @Test("gpspipe -w sees of us what it sees of gpsd, time by time and satellite by satellite")
    func reports() throws {
      let (station, port) = try station()
      let ours = try start(station, ["gpspipe", "-w", "127.0.0.1:\(port)"], "ours")
      let theirs = try start(
        station, ["gpspipe", "-w", "127.0.0.1:\(station.gpsdPort)"], "theirs")
      defer { for child in [ours, theirs] { child.end(SIGKILL) } }
      station.feed.move(metres: 300, at: 30)
      Waiting.until("reports and satellites of both") {
        objects(station, "ours", "TPV").count > 20
          && objects(station, "ours", "SKY").contains { $0["satellites"] != nil }
          && objects(station, "theirs", "TPV").count > 20
      }
      for child in [ours, theirs] { child.end(SIGTERM) }
      // gpsd sends several reports of one time, each with more in it; the last one is complete.
      var whole: [String: [String: Any]] = [:]
      for report in objects(station, "theirs", "TPV") {
        if let time = report["time"] as? String { whole[time] = report }
      }
      var compared = 0
      for report in objects(station, "ours", "TPV") {
        guard let time = report["time"] as? String, let other = whole[time] else { continue }
        // A report that gpsd had not completed when it was stopped.
        guard other["eph"] != nil, other["altMSL"] != nil else { continue }
        compared += 1
        for name in ["lat", "lon", "mode", "altHAE", "altMSL", "alt", "speed"] {
          let (a, b) = (report[name] as? Double, other[name] as? Double)
          #expect(abs((a ?? .nan) - (b ?? .nan)) < 1e-9, "\(name) at \(time): \(report) \(other)")
        }
      }
      #expect(compared > 10)
      let sky = try #require(objects(station, "ours", "SKY").last { $0["satellites"] != nil })
      let other = try #require(
        objects(station, "theirs", "SKY").last { $0["satellites"] != nil })
      for name in ["nSat", "uSat", "hdop", "pdop", "vdop"] {
        #expect(sky[name] as? Double == other[name] as? Double, "\(name)")
      }
      let all = try #require(sky["satellites"] as? [[String: Any]])
      let others = try #require(other["satellites"] as? [[String: Any]])
      #expect(all.count == 10)
      for (satellite, other) in zip(all, others) {
        for name in ["PRN", "el", "az", "ss", "gnssid", "svid", "used"] {
          #expect(satellite[name] as? Double == other[name] as? Double, "\(name)")
        }
      }
      #expect(objects(station, "ours", "DEVICES").first?["devices"] != nil)
    }

    @Test("gpspipe -r sees RMC and GGA with gpsd's own place and time")
    func sentences() throws {
      let (station, port) = try station()
      let ours = try start(station, ["gpspipe", "-r", "127.0.0.1:\(port)"], "ours")
      let theirs = try start(
        station, ["gpspipe", "-r", "127.0.0.1:\(station.gpsdPort)"], "theirs")
      defer { for child in [ours, theirs] { child.end(SIGKILL) } }
      /// Place and hemisphere of each RMC, by its time to the second and hundredth.
      func places(_ file: String) -> [String: [Double]] {
        var places: [String: [Double]] = [:]
        for line in station.text(file).split(separator: "\r\n")
        where line.contains("$GPRMC") {
          let fields = line.split(separator: ",", omittingEmptySubsequences: false)
          guard fields.count > 8, fields[2] == "A", let time = Double(fields[1]) else { continue }
          places[String(format: "%09.2f", time)] = [fields[3], fields[5]].compactMap {
            Double($0)
          }
        }
        return places
      }
      station.feed.move(metres: 300, at: 30)
      Waiting.until("sentences of both") {
        places("ours").count > 20 && places("theirs").count > 20
      }
      let (mine, gpsds) = (places("ours"), places("theirs"))
      let times = Set(mine.keys).intersection(gpsds.keys)
      #expect(times.count > 10)
      for time in times {
        for (a, b) in zip(mine[time] ?? [], gpsds[time] ?? []) {
          // Minutes; the feed has five decimals.
          #expect(abs(a - b) < 2e-5, "\(time)")
        }
      }
      #expect(station.text("ours").contains("$GPGGA"))
    }

    @Test("gpxlogger writes a track, and Python's gps module reads positions and satellites")
    func programs() throws {
      let (station, port) = try station()
      let address = "127.0.0.1:\(port)"
      if Station.which("gpxlogger") != nil {
        let logger = try start(
          station, ["gpxlogger", "-f", station.path("track.gpx"), address], "gpxlogger")
        Waiting.until("points of a track") {
          station.text("track.gpx").components(separatedBy: "<trkpt").count > 3
        }
        logger.end(SIGTERM)
        #expect(station.text("track.gpx").contains("lat=\"52.0000"), "\(station.text("track.gpx"))")
      }
      // It uses the first address of that name, and no other.
      let script = """
        import gps
        session = gps.gps(host="localhost", port="\(port)", mode=gps.WATCH_ENABLE | gps.WATCH_JSON)
        for report in session:
            if session.fix.mode == 3 and session.satellites:
                print("%.3f %.3f %d %d" % (session.fix.latitude, session.fix.longitude,
                      len(session.satellites), session.satellites_used), flush=True)
                break
        """
      // Debian's own Python, which has Debian's modules.
      guard access("/usr/bin/python3", X_OK) == 0,
        access("/usr/lib/python3/dist-packages/gps", F_OK) == 0
      else { return }
      let python = try Child(
        ["/usr/bin/python3", "-c", script], output: station.path("python"))
      Waiting.until("Python's gps module reads a position") { !python.isRunning }
      #expect(station.text("python") == "52.000 5.000 10 9\n")
    }

    // On a terminal without a command for repeating a character, so that a number is a text.
    @Test(
      "cgps draws the place",
      .enabled(
        if: Station.which("cgps") != nil && Station.which("script") != nil,
        "cgps (gpsd-tools) or script is not installed"))
    func terminal() throws {
      let (station, port) = try station()
      // From the first report on the daemon knows gpsd's release, which is that of its clients here.
      let other = try start(station, ["gpspipe", "-w", "127.0.0.1:\(port)"], "other")
      defer { other.end(SIGKILL) }
      Waiting.until("a report") { !objects(station, "other", "TPV").isEmpty }
      let child = try Child(
        [
          try #require(Station.which("script")), "-qfc",
          "stty rows 40 cols 100; exec cgps 127.0.0.1:\(port)", station.path("cgps"),
        ], environment: ["TERM": "vt100"], output: station.path("script"))
      defer { child.end(SIGKILL) }
      Waiting.until("cgps draws a position") {
        station.text("cgps").contains("52.00000000 N")
          && station.text("cgps").contains("5.00000000 E")
      }
      #expect(!station.text("cgps").contains("WARNING"))
    }

    @Test(
      "xgps shows the place and that there is a fix",
      .enabled(
        if: Display.obstacle == nil, Comment(rawValue: Display.obstacle ?? "a window can open")))
    func window() throws {
      let (station, port) = try station()
      let display = try Display(station)
      let child = try Child(
        [
          "/usr/bin/python3", Station.apps + "/window.py", "52\\.00000000 N",
          try #require(Station.which("xgps")), "127.0.0.1:\(port)",
        ], environment: ["DISPLAY": display.name], output: station.path("xgps"))
      Waiting.until("xgps shows a position", limit: 30) { !child.isRunning }
      let text = station.text("xgps")
      #expect(child.status == 0 && text.contains("3D FIX"), "\(text)")
      #expect(text.contains("5.00000000 E"))
    }
  }
}

/// A display in memory (Xvfb).
final class Display {
  let name: String
  private let server: Child

  /// The reason why no window can open here; `nil` if one can.
  static var obstacle: String? {
    guard Station.which("xgps") != nil else { return "xgps (gpsd-clients) is not installed" }
    guard Station.which("Xvfb") != nil else {
      return "Xvfb is not installed (Tools/setup test does it)"
    }
    // Debian's own Python, which has Debian's modules.
    return access("/usr/lib/python3/dist-packages/gi/__init__.py", F_OK) == 0
      ? nil : "python3-gi is not installed (Tools/setup test does it)"
  }

  init(_ station: Station) throws {
    server = try Child(
      [
        try #require(Station.which("Xvfb")), "-displayfd", "1", "-nolisten", "tcp", "-screen", "0",
        "1024x768x24",
      ], output: station.path("display"))
    // Its warnings go to the same file: the number is a line of digits.
    func number() -> Substring? {
      station.text("display").split(separator: "\n").first { $0.allSatisfy(\.isNumber) }
    }
    Waiting.until("a display") { number() != nil }
    name = ":\(try #require(number()))"
  }

  deinit { server.end(SIGTERM) }
}
