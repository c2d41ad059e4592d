// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

/// Compares plans over a drawn trace with the means of all acquisition times.
private func compare(
  _ plans: [RunPlan], over events: [TraceEvent], device name: String = "phone-2021-lte",
  adjust: (inout ReplayOptions) -> Void = { _ in }
) throws -> ComparisonResult {
  var options = try #require(try ReplayOptions.ofParts(name))
  adjust(&options)
  var comparison = Comparison(plans, options: options, summary: Drawn.summary(events))
  for start in stride(from: 0, to: events.count, by: 100) {
    comparison.feed(Array(events[start..<min(start + 100, events.count)]))
  }
  return comparison.finishTrace()
}

private func expectEnergy(
  _ run: RunResult, _ expected: Double, sourceLocation: SourceLocation = #_sourceLocation
) {
  let actual = run.energy.total.nominal
  #expect(
    abs(actual - expected) < expected * 0.0005, "\(actual) J, expected \(expected) J",
    sourceLocation: sourceLocation)
}

@Suite("Comparison over drawn traces")
struct ComparisonTests {
  /// An hour's drive east at 10 m/s. On `phone-2021-lte` a cold start in the pocket takes 50 s × 4/6 =
  /// 33.3 s, so the first fix is that of second 34.
  private let drive = Drawn.trace([(3_600, 10)])

  @Test("Standard in the pocket stops at 65 s and is blind from then on")
  func standardInThePocket() throws {
    let run = try compare([RunPlan(.standard, .pocket)], over: drive).runs[0]
    // Seconds 34 to 64: the app is suspended at 65.
    #expect(run.counters.deliveries == 31)
    #expect(run.receiverOn == 65)
    #expect(run.counters.purges == 1)
    // 34 s × 88.43 mW + 31 s × 78.81 mW + 65 s × 105.82 mW + 31 × 0.02 s × 240.389 mW
    expectEnergy(run, 3.00662 + 2.44311 + 6.87830 + 0.14904)
    // Delivered last at 640 m, so blind from second 114 on (give or take the receiver's error).
    #expect(abs(run.blindSeconds - (3_600 - 113)) <= 2)
    #expect(abs(run.blindMetres - 34_870) <= 20)
  }

  @Test("Continuous in the pocket keeps running and is never blind")
  func continuousInThePocket() throws {
    let run = try compare([RunPlan(.continuous, .pocket)], over: drive).runs[0]
    #expect(run.counters.deliveries == 3_567)
    #expect(run.blindSeconds == 0)
    // 34 s × 88.43 + 3,566 s × 78.81 + 3,600 s × 105.82 mW + 3,567 × 0.02 s × 240.389 mW
    expectEnergy(run, 3.00662 + 281.03646 + 380.952 + 17.14935)
  }

  @Test("Sessions within a gap are not counted, and one that goes on at its end is")
  func sessionsInGap() throws {
    // By the clock every 300 s, each for a few seconds, in the gap for the 120 s of the timeout:
    //
    //   0  300  600  900 ┤ 1,000        the truth is unknown         ├ 4,700: 4,800 5,100 5,400 ┤ 5,600
    let before = Drawn.trace([(1_000, 10)])
    func sessions(gapUntil end: Int, hold: Double = 0) throws -> Int {
      let after = (end...5_600).map { Drawn.fix(at: Double($0), east: 10 * Double($0)) }
      let plan = RunPlan(.significant, .pocket, policy: .periodic(timeout: 120))
      return try compare([plan], over: before + after) { $0.receiverHold = hold }
        .runs[0].counters.sessions
    }
    #expect(try sessions(gapUntil: 4_700) == 4 + 3)
    // The session of 4,500 s is still searching at 4,560 s.
    #expect(try sessions(gapUntil: 4_560) == 4 + 4)
    // A receiver that is released late is released in the gap too: at 4,630 s.
    #expect(try sessions(gapUntil: 4_700, hold: 10) == 4 + 3)
  }

  @Test("Standard in the foreground costs what continuous costs in the pocket")
  func foreground() throws {
    let result = try compare(
      [RunPlan(.standard, .foreground), RunPlan(.continuous, .pocket)], over: drive)
    #expect(result.runs[0].energy == result.runs[1].energy)
  }

  @Test("Significant change over an hour of stillness costs its start and nothing more")
  func significantStill() throws {
    let still = Drawn.trace([(3_600, 0)])
    let run = try compare(
      [RunPlan(.significant, .pocket, policy: .ios)], over: still
    ).runs[0]
    #expect(run.counters.deliveries == 1)
    #expect(run.counters.wakes == 0 && run.counters.launches == 0)
    #expect(run.receiverOn == 0)
    // One scan of 1.3789 s × 362.6 mW, 65 s awake, one delivery.
    expectEnergy(run, 0.49999 + 6.87830 + 0.00481)
  }

  @Test(
    "Significant change over an hour's drive wakes every five minutes or so, never the receiver")
  func significantDrive() throws {
    let run = try compare(
      [RunPlan(.significant, .pocket, policy: .ios)], over: drive
    ).runs[0]
    // At 10 m/s the 300 s decide: at most 12 after the first.
    #expect((10...13).contains(run.counters.deliveries))
    #expect(run.counters.wakes + run.counters.launches == run.counters.deliveries - 1)
    #expect(run.receiverOn == 0)
    #expect(run.counters.launches == 0)
  }

  @Test("A suspended app that hears nothing for 600 s is purged and then relaunched")
  func relaunch() throws {
    let trace = Drawn.trace([(100, 10), (2_000, 0), (600, 10)])
    let run = try compare(
      [RunPlan(.significant, .pocket, policy: .ios)], over: trace
    ).runs[0]
    #expect(run.counters.launches >= 1)
    #expect(run.counters.purges >= 1)
  }

  @Test(
    "Automatic pausing of a phone saves the still hours, and misses the way on: it does not resume by itself"
  )
  func autoPause() throws {
    let trace = Drawn.trace([(1_000, 10), (7_000, 0), (1_000, 10)])
    let result = try compare(
      [
        RunPlan(.continuous, .pocket), RunPlan(.continuous, .pocket, pausesAutomatically: true),
      ], over: trace, adjust: { $0.motion.falseAlarms = 0 })
    let (always, paused) = (result.runs[0], result.runs[1])
    // On for the first drive and 600 s of stillness. "It's your responsibility to restart location services" (Apple,
    // pausesLocationUpdatesAutomatically), which this app does not do.
    #expect((1_550...1_700).contains(paused.receiverOn))
    #expect(paused.energy.total.nominal < 0.4 * always.energy.total.nominal)
    #expect(paused.counters.launches == 0)
    // 10 km at 10 m/s, all but the first 500 m.
    #expect((900...1_000).contains(paused.blindSeconds))
  }

  @Test("A false alarm of the motion sensor costs a paused app of a phone nothing")
  func falseAlarm() throws {
    let trace = Drawn.trace([(7_000, 0)])
    func paused(_ alarms: Double) throws -> RunResult {
      try compare(
        [RunPlan(.continuous, .pocket, pausesAutomatically: true)], over: trace,
        adjust: { $0.motion.falseAlarms = alarms }
      ).runs[0]
    }
    let extra = try paused(1).receiverOn - paused(0).receiverOn
    // Motion does not start its updates again.
    #expect(extra == 0, "\(extra) s")
  }

  @Test("A fifth of the fixes goes missing, and the receiver tracks on all the same")
  func lossOfFixes() throws {
    let result = try compare(
      [RunPlan(.continuous, .pocket)], over: drive, adjust: { $0.fixLoss = 0.2 })
    let whole = try compare([RunPlan(.continuous, .pocket)], over: drive)
    // 3,566 fixes in bursts of 5 s: 20 ± 2 %.
    #expect(abs(Double(result.runs[0].counters.fixesSeen) / 3_566 - 0.8) < 0.06)
    #expect(result.runs[0].receiverOn == whole.runs[0].receiverOn)
    #expect(result.runs[0].counters.acquisitions == whole.runs[0].counters.acquisitions)
  }

  @Test("Without a motion sensor updates do not pause: nothing could end the pause")
  func autoPauseWithoutMotion() throws {
    let trace = Drawn.trace([(600, 10), (3_000, 0), (1_000, 10)])
    let run = try compare(
      [RunPlan(.continuous, .pocket, pausesAutomatically: true)], over: trace,
      device: "pi-zero-ublox7"
    ).runs[0]
    // The receiver is on for the whole of 4,600 s.
    #expect(run.receiverOn > 4_590)
    #expect(run.counters.launches == 0)
  }

  @Test("Sessions of the receiver find a drive without a modem")
  func receiverSessions() throws {
    let run = try compare(
      [RunPlan(.significant, .pocket, policy: .receiver(timeout: 300))],
      over: drive,
      device: "pi-zero-ublox7"
    ).runs[0]
    // A session every 300 s and its time to first fix (12 s × 17/6 = 34 s): about 11 in an hour.
    #expect((9...12).contains(run.counters.deliveries))
    #expect(run.receiverOn < 0.2 * 3_600)
  }

  @Test("A gap is left out of time, energy and blindness")
  func gap() throws {
    let before = Drawn.trace([(600, 1)])
    let after = (0...600).map { Drawn.fix(at: 600 + 5_000 + Double($0), east: 6_000 + Double($0)) }
    let result = try compare([RunPlan(.continuous, .pocket)], over: before + after)
    #expect(result.judged == 1_200)
    #expect(result.gapSeconds == 5_000)
    #expect(result.runs[0].energy.seconds == 1_200)
    // 5,000 s in which the ephemeris aged by less than 2 h: a hot start of 12 s × 4/6 = 8 s.
    #expect(result.runs[0].counters.acquisitions == 2)
    expectEnergy(
      result.runs[0],
      (34 + 8) * 0.08843 + (1_200 - 42) * 0.07881 + 1_200 * 0.10582
        + Double(result.runs[0].counters.deliveries) * 0.02 * 0.240389)
  }

  @Test("The same seed gives the same result, another seed another one, in any chunking")
  func determinism() throws {
    let phone = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let plans = RunPlan.standardRows(for: phone)
    func result(_ seed: UInt64) throws -> ComparisonResult {
      try compare(plans, over: drive) {
        $0.seed = seed
        $0.drawsAcquisition = true
      }
    }
    #expect(try result(1) == result(1))
    #expect(try result(1) != result(2))
  }

  @Test("Runs share their luck: a run alone is the run in company")
  func commonLuck() throws {
    let phone = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let plans = RunPlan.standardRows(for: phone)
    let alone = try compare([plans[4]], over: drive).runs[0]
    let company = try compare(plans, over: drive).runs[4]
    #expect(alone == company)
  }

  @Test("Each delivery can be made to upload; nothing else changes")
  func uploads() throws {
    let plan = RunPlan(.significant, .pocket, policy: .ios)
    let without = try compare([plan], over: drive).runs[0]
    let with = try compare([plan], over: drive) {
      $0.uploads = .each
      $0.itemBytes = 1_024
    }.runs[0]
    #expect(with.counters.uploads == with.counters.deliveries)
    #expect(without.counters.uploads == 0)
    #expect(with.counters.deliveries == without.counters.deliveries)
    // Promotion 0.7326 × 0.36 + exchange 0.2 + tail 0.178 × 10.2 J each, and a little for the bytes.
    let each =
      (with.energy.total.nominal - without.energy.total.nominal) / Double(with.counters.uploads)
    #expect(abs(each - 2.279) < 0.01)
  }

  @Test("Metering the radio log gives the joules of the replay")
  func radioLog() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    var comparison = Comparison(
      [RunPlan(.continuous, .pocket, pausesAutomatically: true)], options: options,
      summary: Drawn.summary(drive), records: .radioLog)
    comparison.feed(drive)
    let result = comparison.finishTrace()
    var meter = EnergyMeter(device: device, network: options.network)
    var end = EngineInstant.zero
    for activity in comparison.drainRadioLog(ofRun: 0) {
      meter.record(activity)
      end = activity.at
    }
    meter.finish(at: end)
    #expect(meter.report() == result.runs[0].energy)
  }

  @Test("A receiver that sees a recorded error is not given another one")
  func observedErrors() throws {
    // Truth stands still; the trace claims 1 km east for three of its points, ten seconds apart.
    let truth = Drawn.trace([(7_200, 0)], every: 60)
    var trace = Drawn.trace([(7_200, 0)], every: 10)
    for index in 300...302 { trace[index] = Drawn.fix(at: Double(index) * 10, east: 1_000) }
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    let observed = ObservedErrors(trace: trace.fixes, truth: truth.fixes)
    var comparison = Comparison(
      [RunPlan(.continuous, .pocket)], options: options, summary: Drawn.summary(truth),
      observed: observed)
    comparison.feed(truth)
    let run = comparison.finishTrace().runs[0]
    let refused = run.counters.verdicts[Verdict.Outcome.jumpUnconfirmed.index]
    // Nine of the thirty seconds there, and nine of the way back: ten agree.
    #expect(refused == 18)
    #expect(run.blindSeconds == 30)
  }
}

@Suite("A recorded receiver against its truth")
struct ObservedErrorsTests {
  /// Whether the receiver saw the sky, as `#` and `.`, second by second.
  private func sky(fixesAt seconds: [Int], until end: Int) -> String {
    let truth = Drawn.trace([(Double(end), 10)])
    let trace = seconds.map { Drawn.fix(at: Double($0), east: Double($0) * 10, north: 3) }
    var observed = ObservedErrors(trace: trace.fixes, truth: truth.fixes)
    return (0...end).map { second in
      let position = Drawn.fix(at: 0, east: Double(second) * 10)
      guard case .fix(let fix, _) = position else { return "?" }
      let time = Drawn.start.advanced(bySeconds: Double(second))
      guard let seen = observed.fix(at: .at(fix, time)) else { return "." }
      let error = LocalFrame(origin: fix.coordinate)
      // The error of the last fix is held: 3 m north, however far the truth has moved.
      return abs(error.north(of: seen.coordinate) - 3) < 0.01
        && abs(error.east(of: seen.coordinate)) < 0.05
        ? "#" : "x"
    }.joined()
  }

  @Test("A tunnel in a trace of one fix a second is a hole")
  func tunnel() {
    #expect(
      sky(fixesAt: [0, 1, 2, 3, 15, 16, 17], until: 18) == "####...........###.")
  }

  @Test("Ten seconds without a fix are none, and a slower rhythm is none either")
  func rhythm() {
    #expect(sky(fixesAt: [0, 1, 2, 12, 13], until: 14) == "##############.")
    #expect(
      sky(fixesAt: [0, 1, 31, 61], until: 61) == String(repeating: "#", count: 62))
  }

  @Test("Fixes that came out of order count by their own time")
  func disorder() {
    #expect(sky(fixesAt: [0, 1, 3, 2, 4, 6, 5], until: 6) == "#######")
  }

  @Test(
    "Of several fixes of one time, as a stepping clock makes them, the nearest to the truth counts")
  func sameTime() {
    let truth = Drawn.trace([(10, 10)])
    let right = (0...10).map { Drawn.fix(at: Double($0), east: Double($0) * 10, north: 3) }
    // The clock is 4 s ahead from second 2 to 4: at "6" to "8" the device seems to be 40 m behind.
    let wrong = (2...4).map { Drawn.fix(at: Double($0) + 4, east: Double($0) * 10, north: 3) }
    let inOrder = ObservedErrors(trace: right.fixes, truth: truth.fixes)
    let stepped = Array(right[0..<2] + wrong + right[2...])
    var observed = ObservedErrors(trace: stepped.fixes, truth: truth.fixes)
    var expected = inOrder
    for event in truth.fixes {
      guard let time = event.time else { continue }
      let seen = observed.fix(at: .at(event, time))
      let clean = expected.fix(at: .at(event, time))
      #expect(seen?.coordinate == clean?.coordinate)
      #expect(seen?.horizontalAccuracy == clean?.horizontalAccuracy)
    }
  }

  @Test("Before the first fix and after the last the receiver saw nothing")
  func ends() {
    #expect(sky(fixesAt: [2, 3, 4], until: 6) == "..###..")
  }
}

extension [TraceEvent] {
  fileprivate var fixes: [Fix] {
    compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
}

extension TruthSample {
  /// The truth at a point of the path, at a time.
  fileprivate static func at(_ fix: Fix, _ time: UTCInstant) -> TruthSample {
    TruthSample(
      at: .zero, time: time, place: LocalFrame(origin: fix.coordinate), speed: 0, elapsed: 1,
      travelled: 0, hasSky: true, isTick: true, path: fix)
  }
}
