// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
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
  }

  @Test("Paths leave out what cannot be seen, and nothing else")
  func paths() {
    var path = PathData()
    path.move(0, 500)
    for x in 1...100 { path.line(Double(x), 500) }
    path.line(101, 400)
    path.move(200, 10)
    path.line(200.2, 10.3)
    #expect(path.finished() == "M0 500l100 0l1 -100M200 10")
  }
}
