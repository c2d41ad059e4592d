// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Reports
import Testing

/// The expected text is by hand.
@Suite("The screen of a live track")
struct TrackScreenTests {
  private func start() -> TrackState {
    TrackState(
      mode: .significant, policy: "milepost",
      // 2026-05-04T07:08:09.500Z
      now: UTCInstant(microseconds: 1_777_878_489_500_000), link: "not asked yet",
      battery: 20_000, profile: "tracker-lora-m10")
  }

  /// Ten minutes on: 12 J in 600 s are 20 mW; of 20 kJ they are 0.06 %, in a day 144 times as much.
  private func later() throws -> TrackState {
    var state = start()
    state.elapsed = 600
    state.metered = 600
    state.link = "gpsd opened /dev/ttyACM0 (u-blox)"
    state.appState = .suspended
    state.plan = .off(.awaitsSession(EngineInstant.zero.advanced(bySeconds: 840)))
    state.nextSession = 240
    var fix = Fix(
      time: nil, coordinate: try #require(Coordinate(latitude: 52.123_456, longitude: -5.65)))
    fix.horizontalAccuracy = 12.4
    fix.speed = 10
    fix.course = 271.6
    fix.satellites = 9
    state.fix = fix
    state.fixAge = 30
    state.fixes = 1_234
    state.deliveries = 2
    state.deliveryAge = 300
    state.energy = EnergyRange(nominal: 12, low: 8, high: 15)
    return state
  }

  @Test("At the start nothing is known, and that is said")
  func atTheStart() {
    #expect(
      TrackScreen.lines(start(), width: 80) == [
        "milepost track · 2026-05-04T07:08:09.500Z · 0 · Ctrl-C ends it",
        "",
        "mode       significant (policy milepost)",
        "gpsd       not asked yet",
        "fix        none yet",
        "receiver   off: nobody asks for locations",
        "app        not running",
        "delivered  0 of 0 fixes",
        "last fix   not judged yet",
        "energy     0 J (0–0), – on the average, modelled for tracker-lora-m10",
        "battery    told after a minute",
      ])
  }

  @Test("80 columns")
  func eighty() throws {
    #expect(
      TrackScreen.lines(try later(), remarks: ["gpsd 3.22 answers (protocol 3.14)"], width: 80) == [
        "milepost track · 2026-05-04T07:08:09.500Z · 10 min · Ctrl-C ends it",
        "",
        "mode       significant (policy milepost)",
        "gpsd       gpsd opened /dev/ttyACM0 (u-blox)",
        "fix        52.123456 -5.650000  ±12 m  36 km/h  272°  9 satellites  30 s ago",
        "receiver   off: the next session is in 4 min",
        "app        suspended",
        "delivered  2 of 1,234 fixes; the last 5 min ago",
        "last fix   not judged yet",
        "energy     12 J (8.0–15), 20 mW on the average, modelled for tracker-lora-m10",
        "battery    0.06 % so far; 9 % in a day like this",
        "",
        "- gpsd 3.22 answers (protocol 3.14)",
      ])
  }

  @Test("40 columns: what is too long goes on below")
  func forty() throws {
    let lines = TrackScreen.lines(
      try later(), remarks: ["gpsd closed /dev/ttyACM0: unplugged, or no longer wanted"], width: 40)
    #expect(
      lines == [
        "milepost track ·",
        "2026-05-04T07:08:09.500Z · 10 min ·",
        "Ctrl-C ends it",
        "",
        "mode       significant (policy milepost)",
        "gpsd       gpsd opened /dev/ttyACM0",
        "           (u-blox)",
        "fix        52.123456 -5.650000  ±12 m",
        "           36 km/h  272°  9 satellites",
        "           30 s ago",
        "receiver   off: the next session is in 4",
        "           min",
        "app        suspended",
        "delivered  2 of 1,234 fixes; the last 5",
        "           min ago",
        "last fix   not judged yet",
        "energy     12 J (8.0–15), 20 mW on the",
        "           average, modelled for",
        "           tracker-lora-m10",
        "battery    0.06 % so far; 9 % in a day",
        "           like this",
        "",
        "- gpsd closed /dev/ttyACM0: unplugged,",
        "  or no longer wanted",
      ])
  }

  @Test("A low terminal: the state first, then the newest remarks that have room")
  func low() throws {
    let state = try later()
    #expect(TrackScreen.lines(state, remarks: ["one"], width: 80, height: 5).count == 5)
    #expect(
      TrackScreen.lines(state, remarks: ["one", "two"], width: 80, height: 13).suffix(2)
        == ["", "- two"])
    #expect(TrackScreen.lines(state, remarks: ["one"], width: 80, height: 12).count == 11)
    for width in 1...30 {
      for line in TrackScreen.lines(state, width: width, height: 24) {
        #expect(line.count <= width)
      }
    }
  }

  @Test("What nobody knows is said, and not counted")
  func unknown() throws {
    var state = try later()
    state.plan = .continuous
    state.receiver = "tracking"
    state.isReceiverKnown = false
    state.metered = 300
    state.link = "gpsd is gone: it closed the connection; next attempt in 2.0 s"
    let lines = TrackScreen.lines(state, width: 200)
    #expect(lines[5] == "receiver   on, but nobody knows what it does")
    #expect(
      lines[9]
        == "energy     12 J (8.0–15), 40 mW on the average, modelled for tracker-lora-m10; nothing is "
        + "counted for 5 min of it")
  }

  @Test("A receiver that searches, one that is held, and a verdict with its numbers")
  func words() throws {
    var state = start()
    state.isSearching = true
    #expect(TrackScreen.lines(state, width: 80)[4] == "fix        none yet; the receiver searches")
    state = try later()
    state.isSearching = true
    state.receiver = "held"
    state.plan = .off(.nobodyRuns)
    let verdict = Verdict(
      .tooClose, moved: 412, movedRequired: 500, since: 188, sinceRequired: 300,
      accuracy: 35)
    state.verdict = verdict
    let lines = TrackScreen.lines(state, width: 120)
    #expect(lines[4].hasSuffix("  30 s ago  and none since"))
    #expect(
      lines[5]
        == "receiver   off: the apps that asked do not run, and nothing wakes them; gpsd still holds the "
        + "device")
    #expect(lines[8] == "last fix   too close (412 m of 500 m, 188 s of 300 s, accuracy 35 m)")
  }

  @Test("Names from others cannot move the cursor")
  func control() throws {
    var state = start()
    state.link = "gpsd opened \u{1B}[2J\u{9B}1A\n"
    let lines = TrackScreen.lines(state, remarks: ["a\rb\u{7F}"], width: 80)
    #expect(lines[3] == "gpsd       gpsd opened ?[2J?1A?")
    #expect(lines.last == "- a?b?")
  }
}
