// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

private func randomPath(_ random: inout SplitMix64, points: Int) -> TruthPath {
  var path = TruthPath()
  var (at, east, speed) = (0.0, 0.0, 0.0)
  for _ in 0..<points {
    path.append(point: TruePoint(at: Path.instant(at), coordinate: Path.place(east)))
    if Int.random(in: 0..<5, using: &random) == 0 {
      speed = Double.random(in: -40...40, using: &random)
    }
    if Int.random(in: 0..<60, using: &random) == 0 {
      path.endSegment()
      at += 50
    }
    at += 1
    east += speed
  }
  path.endSegment()
  return path
}

private func randomCosts(_ random: inout SplitMix64) -> EventCosts {
  var costs = EventCosts()
  costs.delivery = Double.random(in: 0...1, using: &random)
  costs.wake = Double.random(in: 0...2, using: &random)
  costs.launch = costs.wake + Double.random(in: 0...9, using: &random)
  costs.purgesAfter = 15
  (costs.awakeWatts, costs.workTime) = (0.3, 2)
  costs.acquisitionWatts = 1
  costs.firstAcquisitionWatts = 0.5
  costs.acquisitions = (0..<60).map { _ in Double.random(in: 0.1...4, using: &random) }
  costs.stayOnWatts = Double.random(in: 0.1...1, using: &random)
  return costs
}

@Suite("The optimum over random paths")
struct OptimumPropertyTests {
  private var rules: ScoringRules {
    var rules = ScoringRules()
    (rules.distance, rules.interval, rules.margin) = (100, 5, 5)
    return rules
  }

  /// The least joules of all schedules, each tried; `nil` if there are too many.
  private func exhaustive(_ windows: CrossingWindows, _ costs: EventCosts) -> Double? {
    let path = windows.path
    var least = Double.infinity
    var tried = 0
    func go(_ point: Int, _ sessions: Int, _ joules: Double) {
      tried += 1
      guard tried < 5_000 else { return }
      guard let window = windows.window(after: point) else {
        least = min(least, joules + costs.acquired(sessions))
        return
      }
      for next in window {
        let (before, now) = (path.points[point].at, path.points[next].at)
        let end = path.points[path.end(ofSegment: path.segment(of: next)) - 1].at
        let event = costs.event(
          at: now, before: before, left: EngineInstant.seconds(from: now, to: end))
        go(next, sessions + 1, joules + event)
        let stay = EngineInstant.seconds(from: before, to: now) * costs.stayOnWatts
        go(next, sessions, joules + event + stay)
      }
    }
    go(0, 1, costs.delivery + costs.session)
    return tried < 5_000 ? least : nil
  }

  @Test("It is the least of all schedules, tried one by one", arguments: 1...40)
  func exhaustive(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let path = randomPath(&random, points: 60)
    let costs = randomCosts(&random)
    let windows = CrossingWindows(path: path, rules: rules, delay: 3, margin: 3)
    let optimum = try #require(
      Optimum(over: path, from: .zero, rules: rules, delay: 3, costs: costs))
    guard let least = exhaustive(windows, costs) else { return }
    #expect(abs(optimum.energy - least) < 1e-9, "seed \(seed)")
  }

  @Test(
    "A run that misses nothing and is never late, delivering whenever it likes, is not below the bound",
    arguments: 1...40, [20.0, 10])
  func bound(seed: UInt64, margin: Double) throws {
    var random = SplitMix64(seed: seed &+ 1_000)
    var rules = rules
    rules.margin = 20
    let path = randomPath(&random, points: 600)
    var costs = randomCosts(&random)
    costs.stayOnWatts = .infinity
    let windows = CrossingWindows(path: path, rules: rules, delay: 10, margin: margin)
    var scorer = Scorer(rules: rules)
    // Delivers within the window of its last delivery, or earlier by a whim of every second run.
    var due: ClosedRange<Int>?
    var before: EngineInstant?
    var joules = 0.0
    var deliveries = 0
    for (index, point) in path.points.enumerated() {
      if path.segmentStarts.contains(index), index > 0 { scorer.endSegment() }
      scorer.pass(to: point)
      let isApart = before.map { EngineInstant.seconds(from: $0, to: point.at) >= 5 } ?? true
      let isLast = due.map { index == $0.upperBound } ?? false
      let mayDeliver = isApart && due.map { index < $0.lowerBound } ?? true
      let isWhim = seed % 2 == 0 && mayDeliver && Int.random(in: 0..<80, using: &random) == 0
      let isChosen = due?.contains(index) == true && Int.random(in: 0..<4, using: &random) == 0
      guard before == nil || isLast || isWhim || isChosen else { continue }
      scorer.deliver(ScoredDelivery(at: point.at, coordinate: point.coordinate, accuracy: nil))
      let end = path.points[path.end(ofSegment: path.segment(of: index)) - 1].at
      let left = EngineInstant.seconds(from: point.at, to: end)
      joules +=
        before.map { costs.event(at: point.at, before: $0, left: left) }
        ?? (costs.session + costs.delivery)
      deliveries += 1
      before = point.at
      due = windows.window(after: index)
    }
    scorer.finishTrace()
    joules += costs.acquired(deliveries)
    try #require(scorer.score.missed == 0, "seed \(seed): the run itself")
    #expect(scorer.score.latency.quantile(1) ?? 0 <= 10)
    let optimum = try #require(
      Optimum(over: path, from: .zero, rules: rules, delay: 10, costs: costs))
    #expect(optimum.boundEnergy <= joules + 1e-9, "seed \(seed)")
    #expect(optimum.boundEvents <= deliveries && optimum.boundEvents <= optimum.events)
    #expect(optimum.boundEnergy <= optimum.energy)
    if scorer.score.early + scorer.score.spurious == 0, scorer.score.longestWait <= 10 {
      #expect(optimum.energy <= joules + 1e-9, "seed \(seed)")
    }
  }

  @Test("Boxes find what a search point by point finds", arguments: 1...10)
  func boxes(seed: UInt64) {
    var random = SplitMix64(seed: seed &+ 2_000)
    let path = randomPath(&random, points: 9_000)
    let windows = CrossingWindows(path: path, rules: ScoringRules(), delay: 30, margin: 300)
    for _ in 0..<20 {
      let index = Int.random(in: 0..<path.points.count, using: &random)
      let frame = Path.frame
      let slow = path.points.indices[index...].first {
        frame.distance(to: path.points[$0].coordinate) >= 500
      }
      #expect(windows.path.firstFar(from: index, of: frame, 500) == slow)
    }
  }
}
