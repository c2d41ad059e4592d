// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

@testable import Reports

@Suite("Axes, names and prose")
struct PictureTests {
  @Test("Times stand at the clock's round minutes, whenever the trace began")
  func clock() {
    // 2026-03-17T06:31:10Z, 44 min.
    let start = UTCInstant(microseconds: 1_773_729_070_000_000)
    let axis = TimeAxis(CurvesTime(start: start, end: 2_632, isClockSteady: true))
    #expect(axis.ticks.map(\.label) == ["06:40", "06:50", "07:00", "07:10"])
    // 06:40 is 530 s after the start.
    #expect(abs((axis.ticks.first?.share ?? 0) - 530 / 2_632) < 1e-9)
  }

  @Test("A month has dates, and a trace without a steady clock has elapsed time")
  func days() {
    let start = UTCInstant(microseconds: 1_789_344_000_000_000)
    let month = TimeAxis(CurvesTime(start: start, end: 30 * 86_400, isClockSteady: true))
    #expect(month.ticks.first?.label == "14 Sep")
    #expect(month.ticks.count <= 7)
    let elapsed = TimeAxis(CurvesTime(start: start, end: 7_200, isClockSteady: false))
    #expect(elapsed.unit == "elapsed")
    #expect(elapsed.ticks.contains { $0.label == "60 min" })
  }

  @Test("An hour, a gap of ten, another hour: the gap is drawn in 3 % of the known time and marked")
  func compressed() throws {
    // 2026-03-17T06:00:00Z.
    let start = UTCInstant(microseconds: 1_773_727_200_000_000)
    let gap = CurveRecord.Gap(
      from: 3_600, to: 39_600, resumed: start.advanced(bySeconds: 39_600))
    let axis = TimeAxis(
      CurvesTime(start: start, end: 43_200, isClockSteady: true, gaps: [gap]))
    // Drawn: 7,200 s and 3 % of them.
    let all = 7_200 + 216.0
    #expect(abs(axis.share(of: 3_600) - 3_600 / all) < 1e-9)
    #expect(abs(axis.share(of: 39_600) - 3_816 / all) < 1e-9)
    #expect(abs(axis.share(of: 43_200) - 1) < 1e-9)
    let drawn = try #require(axis.gaps.first)
    #expect(drawn.isCut && drawn.seconds == 36_000)
    // 17:00 stands 3 % beside 07:00 and is left out.
    #expect(axis.ticks.map(\.label) == ["06:00", "06:30", "07:00", "17:30", "18:00"])
    #expect(axis.hasGap(from: 3_600, to: 39_600) && !axis.hasGap(from: 0, to: 3_600))
  }

  @Test("A short gap keeps its length")
  func uncut() {
    let start = UTCInstant(microseconds: 1_773_727_200_000_000)
    let gap = CurveRecord.Gap(from: 3_600, to: 3_602, resumed: start.advanced(bySeconds: 3_602))
    let axis = TimeAxis(
      CurvesTime(start: start, end: 7_202, isClockSteady: true, gaps: [gap]))
    #expect(axis.gaps.map(\.isCut) == [false])
    #expect(abs(axis.share(of: 3_602) - 3_602 / 7_202) < 1e-9)
  }

  @Test(
    "Two recordings of different days keep their own clocks, and the day is said where it changes")
  func recordings() {
    let monday = UTCInstant(microseconds: 1_773_640_800_000_000)
    // The engine's axis goes on a second later, the clock a day.
    let gap = CurveRecord.Gap(
      from: 3_600, to: 3_601, resumed: monday.advanced(bySeconds: 86_400))
    let axis = TimeAxis(
      CurvesTime(start: monday, end: 7_201, isClockSteady: true, gaps: [gap]))
    #expect(axis.ticks.map(\.label) == ["06:00", "06:30", "07:00", "06:30", "07:00"])
    #expect(axis.ticks.map(\.date) == ["16 Mar", nil, nil, "17 Mar", nil])
  }

  @Test("In Nevada the axis shows the hours of UTC−8, and says that this is about the time")
  func local() {
    // 2026-09-16T07:00:00Z is 23:00 of the day before at 115.9° W.
    let start = UTCInstant(microseconds: 1_789_542_000_000_000)
    let axis = TimeAxis(
      CurvesTime(
        start: start, end: 86_400, isClockSteady: true, clock: LocalClock(atLongitude: -115.9)))
    #expect(axis.unit == "about UTC−8")
    #expect(axis.ticks.map(\.label) == ["00:00", "06:00", "12:00", "18:00"])
    #expect(axis.ticks.allSatisfy { $0.date == nil })
  }

  @Test("A clock that the trace states is taken from it, and each clock says what it is")
  func stated() throws {
    let india = LocalClock(statedMinutes: 330)
    #expect(india.words == "UTC+5:30" && india.remark == "times in UTC+5:30, as the trace states")
    #expect(LocalClock(statedMinutes: -210).words == "UTC−3:30")
    #expect(LocalClock.utc.remark == "times in UTC")
    let trace = try Drives.reported("drive.gpx")
    #expect(trace.clock.words == "about UTC+1" && trace.clock.origin == .longitude)
    var figures = trace.figures
    figures.statedClock = india
    let page = try Drives.page([ReportedTrace(figures, curves: trace.curves)])
    #expect(page.contains("times in UTC+5:30, as the trace states"))
    #expect(page.contains(">UTC+5:30</text>"))
  }

  @Test("2026-03-17 is a Tuesday, and 1969-12-31 was a Wednesday")
  func weekdays() {
    #expect(
      DateText.long(UTCInstant(microseconds: 1_773_729_070_000_000).date) == "Tue 17 Mar 2026")
    #expect(DateText.long(CivilDate(daysSince1970: -1)) == "Wed 31 Dec 1969")
  }

  @Test("A logarithmic axis holds its values between powers of ten")
  func decades() {
    let scale = LogScale(holding: [12, 16_000])
    #expect(scale.low == 1)
    #expect(scale.high == 5)
    #expect(scale.share(of: 10) == 0)
    #expect(abs(scale.share(of: 1_000) - 0.5) < 1e-12)
    #expect(LogScale(holding: [100]).high == 2)
    #expect(LogScale(holding: []).share(of: 0) == 0)
  }

  @Test("A linear axis starts at 0 and has at most five round rules above it")
  func linear() {
    #expect(LinearScale(upTo: 16_000).rules == [0, 5_000, 10_000, 15_000])
    #expect(LinearScale(upTo: 5).rules == [0, 1, 2, 3, 4, 5])
    #expect(LinearScale(upTo: 0).share(of: 0) == 0)
    // A cost that is 28 times as high is drawn 28 times as high.
    let scale = LinearScale(upTo: 560)
    #expect(abs(scale.share(of: 560) / scale.share(of: 20) - 28) < 1e-9)
  }

  @Test("What lies below a tenth of a panel has its own")
  func panels() {
    #expect(
      EnergyOverTime.panels([16_000, 16_000, 3_300, 140, 48, 12]) == [0..<3, 3..<5, 5..<6])
    #expect(EnergyOverTime.panels([]) == [])
  }

  @Test("Modes that look the same are told once, under all their names")
  func equal() throws {
    let rows = try Drives.reported("drive.gpx").figures.rows
    let merged = EqualRows.merging([(rows[0], "a"), (rows[1], "b"), (rows[2], "a")])
    #expect(
      merged.map(\.heading) == ["No background mode · Continuous", "In the foreground"])
    #expect(merged.map(\.picture) == ["a", "b"])
  }

  @Test("Labels are moved apart and stay within the picture")
  func labels() {
    let places = EnergyOverTime.apart([10, 12, 14, 300], by: 33, within: 10...330)
    for (a, b) in zip(places, places.dropFirst()) { #expect(b - a >= 33) }
    let low = EnergyOverTime.apart([325, 326, 327], by: 33, within: 10...330)
    #expect((low.max() ?? 0) <= 330)
    #expect(low[1] - low[0] >= 33)
  }

  @Test("A figure and its unit stay on one line")
  func glued() {
    #expect(
      Prose.glued("took 16 J, blind for 3 min of it (7 %)")
        == "took 16\u{A0}J, blind for 3\u{A0}min of it (7\u{A0}%)")
    #expect(Prose.glued("two words") == "two words")
    #expect(Prose.glued("25× (13–35) – or so") == "25× (13\u{2060}–\u{2060}35) – or so")
  }

  @Test("Paths leave out what cannot be seen, and nothing else")
  func paths() {
    var path = PathData()
    path.move(0, 500)
    for x in 1...100 { path.drawLine(to: Double(x), 500) }
    path.drawLine(to: 101, 400)
    path.move(200, 10)
    path.drawLine(to: 200.2, 10.3)
    #expect(path.finished() == "M0 500l100 0l1 -100M200 10")
  }
}
