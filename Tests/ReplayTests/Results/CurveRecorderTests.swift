// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("Records of a run for its pictures")
struct CurveRecorderTests {
  private func life(
    _ plan: RunPlan, over events: [TraceEvent], records: Run.Records = .curves,
    uploads: UploadPolicy = .none, on name: String = "phone-2021-lte"
  ) throws -> (RunResult, CurveRecord?) {
    let device = try ProfileLibrary.device(named: name)
    var options = ReplayOptions(
      device: try #require(device),
      network: try ProfileLibrary.network(named: "lte-2021-verizon"))
    options.drawsAcquisition = false
    options.uploads = uploads
    var comparison = Comparison(
      [plan], options: options, summary: Drawn.summary(events), records: records)
    comparison.feed(events)
    let result = comparison.finishTrace()
    return (result.runs[0], comparison.runs[0].curves)
  }

  private let drive = Drawn.trace([(3_600, 10)])

  @Test("Nothing is kept unless asked for, and keeping changes no figure")
  func onlyWhenAsked() throws {
    let plan = RunPlan(.significant, .pocket, policy: .ios)
    let (plain, none) = try life(plan, over: drive, records: [])
    var (kept, curves) = try life(plan, over: drive)
    #expect(none == nil)
    #expect(kept.curves == curves && curves != nil)
    kept.curves = nil
    #expect(plain == kept)
  }

  /// Days of a run and its totals.
  private func expectSums(_ result: RunResult, _ curves: CurveRecord?) throws {
    let record = try #require(curves)
    var sum = CurveRecord.DayTotal(date: CivilDate(daysSince1970: 0))
    for day in record.days { sum += day }
    #expect(abs(sum.joules - result.energy.total.nominal) < 1e-6 * max(1, sum.joules))
    #expect(sum.deliveries == result.counters.deliveries)
    #expect(record.deliveries == result.counters.deliveries)
    #expect(sum.wakes == result.counters.wakes)
    #expect(sum.launches == result.counters.launches)
    #expect(abs(sum.blindSeconds - result.blindSeconds) < 1e-6)
    #expect(abs(sum.blindMetres - result.blindMetres) < 1e-3)
  }

  @Test("Days add up to the totals of the run", arguments: [0, 1])
  func days(which: Int) throws {
    let plan =
      which == 0
      ? RunPlan(.continuous, .pocket)
      : RunPlan(.significant, .pocket, policy: .ios)
    // 11 h by car at 2 m/s, from 14:13 UTC on: two days.
    let (result, curves) = try life(plan, over: Drawn.trace([(39_600, 2)], every: 60))
    try expectSums(result, curves)
    #expect(curves?.days.count == 2)
    let judged: Double = curves?.days.reduce(0) { $0 + $1.judged } ?? 0
    #expect(abs(judged - 39_600) < 1e-6)
  }

  /// A position of the network takes the processor some seconds, which end without a record of their own.
  @Test("The energy so far never falls, in any mode of a phone")
  func rising() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2023-pixel8"))
    let trace = Drawn.trace([(7_200, 0), (1_200, 15), (3_600, 0)])
    for plan in RunPlan.standardRows(for: device) {
      let (result, curves) = try life(plan, over: trace, on: device.name)
      try expectSums(result, curves)
      let joules = curves?.energy.values.compactMap(\.self) ?? []
      #expect(joules.count > 100)
      #expect(zip(joules, joules.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 }, "\(plan.mode)")
    }
  }

  @Test("An app of visits is drawn where it was told of stays")
  func visits() throws {
    // A ride, a stay of 20 min and a ride on.
    let trace = Drawn.trace([(1_200, 15), (1_200, 0), (1_200, 15), (1_200, 0)])
    var plan = RunPlan(.significant, .pocket, policy: .ios)
    plan.watch = .visits
    let (result, curves) = try life(plan, over: trace)
    try expectSums(result, curves)
    #expect(result.counters.deliveries > 0)
    #expect(curves?.places.count == result.counters.deliveries)
  }

  @Test("A fix an hour stands for the seconds until the next one")
  func sparse() throws {
    let trace = Drawn.trace([(36_000, 2)], every: 3_600)
    let (result, curves) = try life(RunPlan(.continuous, .pocket), over: trace)
    try expectSums(result, curves)
    #expect(result.counters.deliveries > 30_000)
  }

  @Test("A server is blind until a position has arrived")
  func uploads() throws {
    let (result, curves) = try life(
      RunPlan(.continuous, .pocket), over: drive, uploads: .everySeconds(600))
    try expectSums(result, curves)
    // 10 m/s: it is 6 km behind when the next transfer comes.
    #expect(result.blindSeconds > 1_000)
  }

  @Test("Standard in the pocket becomes blind once, for as long as the total says")
  func blindOnce() throws {
    let (result, curves) = try life(RunPlan(.standard, .pocket), over: drive)
    let record = try #require(curves)
    #expect(record.crossingCount == 1)
    #expect(record.crossings.first?.ending == .unknown)
    #expect(record.longest?.lasted == result.blindSeconds)
    #expect(record.answeredCount == 0)
    // 3,600 s at 10 m/s, last delivery at 640 m.
    let furthest = record.distance.values.compactMap(\.self).max() ?? 0
    #expect(abs(furthest - 35_360) < 50)
  }

  @Test("Each wake has its reason and what its delivery said")
  func wakes() throws {
    let plan = RunPlan(.significant, .pocket, policy: .ios)
    let (result, curves) = try life(plan, over: drive)
    let record = try #require(curves)
    #expect(record.wakeupCount == result.counters.wakes + result.counters.launches)
    #expect(record.wakeupCount > 5)
    #expect(record.wakeups.allSatisfy { $0.reason == .location })
    // Every wake of this service comes with a delivery, 500 m and 300 s after the previous one.
    #expect(record.wakeups.allSatisfy { ($0.moved ?? 0) >= 500 && ($0.since ?? 0) >= 300 })
    #expect(record.deliveries == result.counters.deliveries)
  }

  @Test(
    "Clocks of the sea: a zone of 15 degrees around its meridian, and days by it",
    arguments: [
      (-115.9, -8), (139.7, 9), (0.1, 0), (7.4, 0), (7.6, 1), (-7.6, -1), (179.9, 12),
      (-179.9, -12),
    ])
  func clock(longitude: Double, hours: Int) {
    let clock = LocalClock(atLongitude: longitude)
    #expect(clock.minutes == 60 * hours && clock.origin == .longitude)
    // 2026-03-17T12:00:00Z.
    let noon = UTCInstant(microseconds: 1_773_748_800_000_000)
    let day = hours == 12 ? 18 : 17
    #expect(clock.date(of: noon) == CivilDate(year: 2026, month: 3, day: day))
  }

  @Test("A gap breaks curve and track, and ends a stretch of blindness")
  func gap() throws {
    var events = Drawn.trace([(600, 10)])
    events += Drawn.trace([(600, 10)]).map { event in
      guard case .fix(var fix, let line) = event else { return event }
      fix.time = fix.time?.advanced(bySeconds: 4_000)
      return .fix(fix, line: line)
    }
    let (result, curves) = try life(RunPlan(.standard, .pocket), over: events)
    let record = try #require(curves)
    #expect(record.distance.values.contains(nil))
    #expect(record.track.vertices.count { $0.leg == .start } == 2)
    // The first leg ends after 600 s, the second begins 4,000 s after the first did.
    #expect(record.gaps.count == 1)
    #expect(
      record.gaps == [
        .init(from: 600, to: 4_000, resumed: Drawn.start.advanced(bySeconds: 4_000))
      ])
    #expect(record.isClockSteady)
    let lasted = record.crossings.map(\.lasted).reduce(0, +)
    #expect(abs(lasted - result.blindSeconds) < 1e-6)
  }
}
