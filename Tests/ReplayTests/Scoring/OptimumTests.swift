// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

/// Costs of acquisitions alone: their seconds and their power in watts.
private func acquisitionCosts(_ seconds: Double, watts: Double) -> EventCosts {
  var costs = EventCosts()
  costs.acquisitions = Array(repeating: seconds, count: 100)
  costs.acquisitionWatts = watts
  costs.firstAcquisitionWatts = watts
  costs.awakeUntil = .never
  return costs
}

private func path(_ points: [(at: Double, east: Double)]) -> TruthPath {
  var path = TruthPath()
  for point in points {
    path.append(point: TruePoint(at: Path.instant(point.at), coordinate: Path.place(point.east)))
  }
  path.endSegment()
  return path
}

@Suite("The cheapest schedule of a clairvoyant")
struct OptimumTests {
  /// Vector T17: 10 m/s for an hour.
  private let line = path(Path((3_600, 10)).points)

  @Test("T17: 500 m and a delay of 300 s need 10 fixes and 16.92 J; 500 m and 300 s take 12")
  func line300() throws {
    var rules = ScoringRules()
    rules.interval = 0
    let costs = acquisitionCosts(12, watts: 0.141)
    let optimum = try #require(
      Optimum(over: line, from: .zero, rules: rules, delay: 300, costs: costs))
    // T17 does not count the position at the start; ours pays for it: 16.92 J and one more.
    #expect(optimum.events == 1 + 10)
    #expect(abs(optimum.energy - 12 * 0.141 - 16.92) < 1e-9)
    #expect(optimum.boundEvents == 1 + 10)
    // The rule of 500 m and 300 s, told at once: a delivery every 300 s.
    var scorer = Scorer()
    for point in line.points {
      scorer.pass(to: point)
      if point.at.seconds.truncatingRemainder(dividingBy: 300) == 0 {
        scorer.deliver(ScoredDelivery(at: point.at, coordinate: point.coordinate, accuracy: nil))
      }
    }
    scorer.finishTrace()
    #expect(scorer.score.deliveries == 1 + 12 && scorer.score.spurious == 0)
  }

  @Test("With the window at t* = 300 s and 30 s of delay the same line needs 10")
  func line30() throws {
    // t* 300 s after each delivery, so at best one every 330 s; the last t* that is judged is at 3,300 s:
    // 9 deliveries reach 2,970 s, t* = 3,270 s is due, and the tenth ends it.
    let optimum = try #require(
      Optimum(over: line, from: .zero, costs: acquisitionCosts(12, watts: 0.141)))
    #expect(optimum.events == 1 + 10 && optimum.boundEvents == 1 + 10)
  }

  @Test("What need not be judged is due as well, where its deadline lies before the end")
  func unjudged() throws {
    // t* at 300 s, the deadline at 330 s; the end at 500 s is too near to judge it.
    let costs = acquisitionCosts(12, watts: 0.141)
    let long = try #require(Optimum(over: path(Path((500, 10)).points), from: .zero, costs: costs))
    #expect(long.events == 2 && long.boundEvents == 1)
    #expect(abs(long.energy - 24 * 0.141) < 1e-9 && abs(long.boundEnergy - 12 * 0.141) < 1e-9)
    let short = try #require(Optimum(over: path(Path((329, 10)).points), from: .zero, costs: costs))
    #expect(short.events == 1)
  }

  @Test("At rest, and on a walk that comes back in time, nothing is due")
  func still() throws {
    let costs = acquisitionCosts(8, watts: 0.1)
    for legs in [Path((3_600, 0)), Path((300, 1.5), (300, -1.5), (3_000, 0))] {
      let optimum = try #require(Optimum(over: path(legs.points), from: .zero, costs: costs))
      #expect(optimum.events == 1)
      #expect(abs(optimum.energy - 0.8) < 1e-12)
    }
  }

  @Test("A short absence closes its window: the delivery must come before the return")
  func shortAbsence() throws {
    // 505 m away at 336.7 s, back at 500 m after 3.3 s at each side of the turn, then away for good.
    let legs = Path((337, 1.5), (100, -1.5), (800, 1.5), (400, 0))
    let windows = CrossingWindows(
      path: path(legs.points), rules: ScoringRules(), delay: 30, margin: 300)
    let window = try #require(windows.window(after: 0))
    // 500 m at 333.3 s; the turn is at 337 s, 505.5 m; 500 m again at 340.7 s.
    #expect(window == 334...340)
  }

  @Test("A delivery behind a gap is due from where the truth begins again")
  func gap() throws {
    var path = TruthPath()
    for second in 0...100 {
      path.append(point: TruePoint(at: Path.instant(Double(second)), coordinate: Path.place(0)))
    }
    path.endSegment()
    for second in 2_000...2_400 {
      path.append(point: TruePoint(at: Path.instant(Double(second)), coordinate: Path.place(9_000)))
    }
    path.endSegment()
    let windows = CrossingWindows(path: path, rules: ScoringRules(), delay: 30, margin: 300)
    // Point 101 is that of 2,000 s; the deadline is 2,030 s.
    #expect(windows.window(after: 0) == 101...131)
    #expect(path.seconds == 500)
  }

  @Test("Costs: an app that runs, one that is woken, one that must be started anew")
  func events() {
    var costs = EventCosts()
    (costs.delivery, costs.wake, costs.launch, costs.session) = (1, 10, 100, 1_000)
    (costs.awakeWatts, costs.workTime, costs.purgesAfter) = (0.5, 2, 600)
    costs.awakeUntil = Path.instant(65)
    func event(_ at: Double, after before: Double, left: Double = 100) -> Double {
      costs.event(at: Path.instant(at), before: Path.instant(before), left: left)
    }
    #expect(event(60, after: 30) == 1_001)
    #expect(event(66, after: 30) == 1_012)
    // Suspended at 65 s, purged at 665 s.
    #expect(event(665, after: 30) == 1_012)
    #expect(event(666, after: 30) == 1_102)
    #expect(event(500, after: 498) == 1_001)
    #expect(event(500, after: 400, left: 1) == 1_011.5)
  }

  @Test("Drawn times are taken in order: with a long second one, fewer deliveries are worth more")
  func draws() {
    var costs = EventCosts()
    costs.acquisitions = [50, 8, 30]
    (costs.firstAcquisitionWatts, costs.acquisitionWatts) = (0.1, 0.2)
    #expect(costs.acquired(1) == 5)
    #expect(abs(costs.acquired(2) - 6.6) < 1e-12)
    #expect(abs(costs.acquired(3) - 12.6) < 1e-12)
    // Not drawn: at least the shortest known.
    #expect(abs(costs.acquired(4) - 14.2) < 1e-12)
  }
}
