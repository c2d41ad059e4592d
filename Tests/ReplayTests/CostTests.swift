// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// The cost of a replay is counted in steps: samples of the truth, events, deadlines. Time is not measured.
@Suite("Cost follows the data, not the calendar")
struct CostTests {
  private func options(
    _ adjust: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> ReplayOptions {
    var options = try #require(try ReplayOptions.ofParts("phone-2021-lte"))
    adjust(&options)
    return options
  }

  private func replay(
    _ plans: [RunPlan], over events: [TraceEvent], records: Run.Records = [],
    _ adjust: (inout ReplayOptions) -> Void = { _ in }
  ) throws -> (result: ComparisonResult, events: [ReplayEvent]) {
    var comparison = Comparison(
      plans, options: try options(adjust), summary: Drawn.summary(events), records: records)
    comparison.feed(events)
    let result = comparison.finishTrace()
    return (result, comparison.drainEvents(ofRun: 0))
  }

  private let clock = RunPlan(.significant, .pocket, policy: .periodic(timeout: 120))

  // MARK: Gaps

  /// A minute's walk, a gap of `seconds`, and another minute's walk.
  private func split(by seconds: Double) -> [TraceEvent] {
    Drawn.trace([(60, 1)])
      + (0...60).map { Drawn.fix(at: 60 + seconds + Double($0), east: 60 + Double($0)) }
  }

  @Test("A gap of 56 years costs what one of two days does, and both less than its deadlines")
  func longGaps() throws {
    let day = 86_400.0
    let counts = try [2 * day, 56 * 365.25 * day, 9_998 * 365.2425 * day].map {
      try replay([clock], over: split(by: $0), records: [.events]).events.count
    }
    #expect(counts[0] == counts[1])
    #expect(counts[1] == counts[2])
    // Each deadline of a session notifies the receiver and the processor; the rest is the app's life, and the events of
    // the two minutes beside the gap.
    #expect(counts[0] < 2 * Run.gapDeadlines + 60)
    #expect(counts[0] > Run.gapDeadlines)
  }

  @Test("A night's gap is lived to its end: sessions every 300 s")
  func night() throws {
    let gap = 8 * 3_600.0
    let events = try replay([clock], over: split(by: gap), records: [.events]).events
    let end = Drawn.start.advanced(bySeconds: 60 + gap)
    let sessions = events.filter {
      guard case .radio(.gnss(let state)) = $0.kind, $0.time > Drawn.start, $0.time < end else {
        return false
      }
      return state != .off && state != .trackGood
    }
    // At 300, 600, … 28,800 s.
    #expect(sessions.count == 96)
  }

  @Test(
    "Behind a long gap life goes on: the app is told of where it is, by a search with assistance")
  func lifeAfter() throws {
    var trace = Drawn.trace([(600, 10)])
    trace += (0...600).map { Drawn.fix(at: 600 + 1e9 + Double($0), east: 1e4 + 10 * Double($0)) }
    let events = try replay([clock], over: trace, records: [.events]).events
    let resumed = Drawn.start.advanced(bySeconds: 600 + 1e9)
    let after = events.filter { $0.time >= resumed }
    #expect(
      after.contains { if case .radio(.gnss(.acquireAssisted)) = $0.kind { true } else { false } })
    #expect(
      after.contains {
        if case .decided(.deliver(_, let delivery)) = $0.kind { !delivery.isCached } else { false }
      })
    // And by the clock again: 600 s hold at most three sessions.
    #expect(after.count < 60)
  }

  // MARK: Sparse traces

  /// One fix an hour.
  private func hourly(_ hours: Int, speed: Double) -> [TraceEvent] {
    Drawn.trace([(Double(hours) * 3_600, speed)], every: 3_600)
  }

  @Test("A leg of up to 120 s has a sample a second, a longer one 120 at most")
  func samples() {
    func samples(_ leg: Double) -> [TruthSample] {
      Drawn.steps(Drawn.trace([(4 * leg, 5)], every: leg)).samples
    }
    #expect(samples(120).count == 1 + 480)
    // Strides of 2 s, of which the last one is 3 s.
    #expect(samples(121).count == 1 + 4 * 60)
    #expect(samples(240).count == 1 + 480)
    #expect(samples(3_600).count == 1 + 480)
    // Strides of 150 s; 149 s are left for the last one.
    #expect(samples(17_999).count == 1 + 4 * 119)
    for leg in [121.0, 240, 3_600, 17_999] {
      let all = samples(leg)
      #expect(abs(all.map(\.elapsed).reduce(0, +) - 4 * leg) < 1e-6)
      // The flat frame is good to 0.02 %.
      #expect(abs(all.map(\.travelled).reduce(0, +) / (20 * leg) - 1) < 0.001)
      #expect(all.dropFirst().allSatisfy { $0.way == .ride(1) })
    }
    #expect(
      Drawn.steps(hourly(3, speed: 1)).samples.dropFirst().allSatisfy { $0.way == .foot })
    #expect(Drawn.steps(hourly(3, speed: 0)).samples.allSatisfy { $0.way == .rest })
  }

  @Test("Continuous updates over hourly fixes: the energy of each second, for 120 steps an hour")
  func continuousOverHours() throws {
    let (result, events) = try replay(
      [RunPlan(.continuous, .pocket)], over: hourly(10, speed: 5), records: [.events])
    let run = result.runs[0]
    // As for a drive with a fix a second (`ComparisonTests`): 34 s to the first fix, one each second from then on.
    #expect(run.counters.deliveries == 36_000 - 33)
    #expect(run.counters.fixesSeen == 36_000 - 33)
    #expect(run.counters.verdicts[Verdict.Outcome.delivered.index] == 36_000 - 33)
    // 34 s × 88.43 + 35,966 s × 78.81 + 36,000 s × 105.82 mW + 35,967 × 0.02 s × 240.389 mW
    let joules = 3.00662 + 2_834.48 + 3_809.52 + 172.921
    #expect(abs(run.energy.total.nominal / joules - 1) < 0.0005)
    #expect(run.blindSeconds == 0)
    // The first 34 s are examined one by one.
    let told = events.count {
      if case .decided(.deliver) = $0.kind { true } else { false }
    }
    #expect(told <= 10 * 120 + 34)
    #expect(told >= 10 * 120 - 2)
  }

  @Test(
    "Sessions by the clock over hourly fixes are those over a fix a second, and only they cost seconds"
  )
  func sessionsOverHours() throws {
    let dense = try replay([clock], over: Drawn.trace([(36_000, 5)])).result.runs[0]
    let sparse = try replay([clock], over: hourly(10, speed: 5)).result.runs[0]
    // One at the start and every 300 s.
    #expect(sparse.counters.sessions == dense.counters.sessions)
    #expect(sparse.counters.acquisitions == dense.counters.acquisitions)
    #expect(sparse.receiverOn == dense.receiverOn)
    #expect(sparse.counters.deliveries == dense.counters.deliveries)
    #expect(abs(sparse.energy.total.nominal / dense.energy.total.nominal - 1) < 0.01)
  }

  @Test("A row's luck on a sparse trace is its own, whoever lives beside it")
  func ownLuck() throws {
    let trace = hourly(24, speed: 3)
    let policy = RunPlan(.significant, .pocket, policy: .usual(for: try options().device))
    let alone = try replay([policy], over: trace).result.runs[0]
    let beside = try replay([RunPlan(.continuous, .pocket), clock, policy], over: trace).result
      .runs[2]
    #expect(alone.counters == beside.counters)
    #expect(alone.energy == beside.energy)
    #expect(alone.whereabouts == beside.whereabouts)
    #expect(alone.counters.deliveries > 1)
  }

  @Test("A ride over hourly fixes is felt in each of its windows, and told of once a stride")
  func movementGoesOn() throws {
    let options = try options { $0.motion.ride = 0.9 }
    var sampler = WorldSampler(options: options, observed: nil)
    let samples = Drawn.steps(hourly(10, speed: 5)).samples
    var before = sampler.sample(samples[0])
    var (told, felt) = (0, 0)
    for truth in samples.dropFirst() {
      let stride = sampler.stride(to: truth, from: before)
      var latest = stride.before.truth.at
      while let next = stride.nextHint(after: latest, cells: false, motion: true) {
        let sample = stride.sample(at: next, after: latest)
        (told, felt, latest) = (told + 1, felt + sample.felt, next)
      }
      let end = stride.end(after: latest)
      told += end.felt > 0 ? 1 : 0
      felt += end.felt
      before = stride.after
    }
    // 1,200 strides of 30 s, of which the first, the departure, has its windows of 10 s one by one.
    #expect(told <= 1_200 + 2)
    // Nine in ten of 3,600 windows, and five standard deviations of √(3,600 × 0.9 × 0.1) = 18.
    #expect(abs(felt - 3_240) <= 90)
  }

  @Test("A year of hourly fixes keeps 120 points of truth a fix for the score")
  func scorePath() throws {
    let trace = hourly(200, speed: 2)
    let deliveries = (0..<50).map {
      TimedDelivery(
        time: Drawn.start.advanced(bySeconds: Double($0) * 7_200),
        coordinate: LocalFrame(origin: Drawn.origin).point(east: Double($0) * 14_400, north: 0),
        accuracy: 10)
    }
    var scoring = DeliveryScoring(
      deliveries, rules: ScoringRules(), summary: Drawn.summary(trace), observed: nil,
      world: try options())
    scoring.feed(trace)
    let result = scoring.finishTrace()
    #expect(result.path?.points.count == 1 + 200 * 120)
    #expect(abs(result.judged - 720_000) < 1e-6)
    // Every 7,200 s at 2 m/s: 14.4 km, and 500 m are crossed 300 s after each; none is reported in time.
    #expect(result.score.crossings == 50)
  }
}
