// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

@Suite("The causal bound: what a policy that knows the past only could have done")
struct CausalBoundTests {
  /// The seconds at which the bound could have a fix, on a device that rests from `stay` on and moves again at its end,
  /// with hints and tunnels where they are drawn.
  private func fixes(
    until end: Int, stay: Range<Int>, hints: Set<Int> = [], tunnel: Range<Int> = 0..<0,
    own: Set<Int> = [], copiesOwn: Bool = true
  ) -> [Int] {
    var honest = CausalReceiver(copiesOwn: copiesOwn)
    return (0...end).filter { second in
      honest.tick(
        .init(
          hasSky: !tunnel.contains(second), losesFix: false, stands: stay.contains(second),
          isHinted: hints.contains(second), hasOwnFix: own.contains(second)),
        own: .notDrawn, at: Path.instant(Double(second)))
    }
  }

  @Test("It sleeps while the device stands, and its fix comes a hint and an acquisition later")
  func departure() {
    //  0   30            180                      600     630  660
    //  on──fix fix fix fix┤ asleep                 moves   hint──fix
    let fixes = fixes(until: 700, stay: 180..<600, hints: [630])
    #expect(fixes.first == 30)
    // The launch is a hint of 180 s; the device stands from then on.
    #expect(fixes.filter { $0 < 600 } == Array(30..<180))
    // The run's receiver never had a fix here, so its start would be its first one: 30 s.
    #expect(fixes.first { $0 >= 600 } == 660)
  }

  @Test("Without a run it goes on with its own ephemeris: 8 s after the hint")
  func ownReceiver() {
    let fixes = fixes(until: 700, stay: 180..<600, hints: [630], copiesOwn: false)
    #expect(fixes.first { $0 >= 600 } == 638)
  }

  @Test("A false alarm wakes it for 180 s, and a tunnel hits it as it hits everybody")
  func alarmAndTunnel() {
    let fixes = fixes(
      until: 1_000, stay: 180..<900, hints: [300], tunnel: 400..<420, copiesOwn: false)
    #expect(
      fixes.filter { $0 >= 180 } == Array(308..<400) + Array(420..<480))
  }

  @Test("A fix of the run itself counts, and wakes it where the device moves")
  func ownFix() {
    let fixes = fixes(until: 700, stay: 180..<600, own: [300, 640])
    #expect(fixes.contains(300) && !fixes.contains(301))
    #expect(fixes.filter { $0 > 600 }.first == 640)
  }

  @Test("A device stands once it stayed 180 s within 50 m, and until it is further off")
  func standstill() {
    var standstill = Standstill()
    var stood: [Double] = []
    for point in Path((600, 0), (600, 10)).points {
      standstill.pass(
        to: TruePoint(at: Path.instant(point.at), coordinate: Path.place(point.east)))
      if standstill.stands { stood.append(point.at) }
    }
    // At 605 s it is 50 m off, at 606 s 60 m.
    #expect(stood.first == 180)
    #expect(stood.last.map { $0 == 604 || $0 == 605 } == true)
    #expect(stood.count >= 425)
  }

  /// A stay of 600 s, then 10 m/s: 500 m at 650 s. Points that could deliver are drawn.
  private func score(delivery: Double?, could: ClosedRange<Double>, hears: Bool = true) -> Score {
    var scorer = Scorer(judgesReach: true, hears: hears)
    scorer.deliver(Path.delivery(0))
    var isDelivered = false
    for point in Path((600, 0), (2_400, 10)).points {
      scorer.pass(to: TruePoint(at: Path.instant(point.at), coordinate: Path.place(point.east)))
      if (180...605).contains(point.at) { scorer.stands() }
      if could.contains(point.at) { scorer.couldDeliver() }
      if let delivery, point.at >= delivery, !isDelivered {
        isDelivered = true
        scorer.deliver(Path.delivery(delivery))
      }
    }
    scorer.finishTrace()
    return scorer.score
  }

  @Test("Latency beyond the bound is what the policy could have spared")
  func excess() {
    let score = score(delivery: 672, could: 660...661)
    let causal = score.causal
    // The second crossing, 300 s after the delivery, is missed; it was impossible to deliver.
    #expect(score.crossings == 2 && score.missed == 1)
    #expect(causal.crossings == 2 && causal.unreachable == 1 && causal.missedUnreachable == 1)
    #expect(near(causal.latency.quantile(0.5), 10))
    #expect(near(causal.overshoot.quantile(0.5), 100))
    #expect(near(causal.excessLatency.quantile(0.5), 12))
    #expect(near(causal.excessOvershoot.quantile(0.5), 120))
    #expect(score.latencyDeparting.count == 1 && score.latencyMoving.count == 0)
    #expect(near(score.latencyDeparting.quantile(0.5), 22))
  }

  @Test("A delivery that the bound would not have made moves the bound")
  func earlier() {
    let causal = score(delivery: 655, could: 660...661).causal
    #expect(near(causal.latency.quantile(0), 5))
    #expect(near(causal.excessLatency.quantile(0), 0))
  }

  @Test("A fix before the crossing says nothing of it, and a device without hints no departure")
  func limits() {
    let before = score(delivery: nil, could: 640...649).causal
    #expect(before.crossings == 1 && before.unreachable == 1)
    #expect(score(delivery: 672, could: 660...661, hears: false).causal.crossings == 1)
  }

  private func near(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 0.01 } ?? false
  }
}
