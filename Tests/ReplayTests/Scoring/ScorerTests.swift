// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

private func expectNear(
  _ value: Double?, _ expected: Double, within tolerance: Double = 0.001,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    value.map { abs($0 - expected) <= tolerance } == true, "\(value as Any), not \(expected)",
    sourceLocation: sourceLocation)
}

@Suite("Scoring: crossings and deliveries drawn over time")
struct ScorerTests {
  @Test("Distance decides: a walk at 1.5 m/s crosses 500 m after 333.3 s")
  func distance() {
    // 0 s       300 s     333.3 s          353 s                    900 s
    // A──────────┼─────────t*───────────────D────────────────────────
    let scorer = Path((900, 1.5)).score([Path.delivery(0), Path.delivery(353)])
    #expect(scorer.score.crossings == 1)
    #expect(scorer.score.missed == 0 && scorer.score.spurious == 0)
    #expect(scorer.crossings[0].decision == .distance)
    // 500 m / 1.5 m/s; 353 s − 333.333 s; 353 s × 1.5 m/s − 500 m.
    expectNear(scorer.crossings[0].at.seconds, 333.3333)
    expectNear(scorer.score.latency.quantile(0.5), 19.6667)
    expectNear(scorer.score.overshoot.quantile(0.5), 29.5)
    // The next one, 500 m from there at 686.3 s, has 213.7 s to go and is not judged.
    #expect(scorer.score.unjudged == 1)
  }

  @Test("A judged crossing without a delivery is missed where the trace ends")
  func missedAtTheEnd() {
    // From the delivery at 353 s: 500 m at 686.333 s. With an end at 990 s it has 303.7 s.
    let judged = Path((990, 1.5)).score([Path.delivery(0), Path.delivery(353)])
    #expect(judged.score.crossings == 2 && judged.score.missed == 1)
    // With an end at 980 s it has 293.7 s: not judged.
    let unjudged = Path((980, 1.5)).score([Path.delivery(0), Path.delivery(353)])
    #expect(unjudged.score.crossings == 1 && unjudged.score.missed == 0)
    #expect(unjudged.score.unjudged == 1)
  }

  @Test("A crossing just before the end is not judged even where it was detected")
  func unjudgedDetection() {
    let scorer = Path((600, 1.5)).score([Path.delivery(0), Path.delivery(340)])
    // t* = 333.3 s, end − t* = 266.7 s.
    #expect(scorer.score.crossings == 0 && scorer.score.unjudged == 1)
    #expect(scorer.score.latency.quantile(0.5) == nil)
  }

  @Test("The interval decides on a drive: the crossing is at 300 s and has no overshoot")
  func interval() {
    // At 10 m/s the device is 500 m away after 50 s and may be told of it after 300 s.
    let scorer = Path((1_000, 10)).score([Path.delivery(0), Path.delivery(312)])
    #expect(scorer.crossings[0].decision == .interval)
    expectNear(scorer.crossings[0].at.seconds, 300)
    expectNear(scorer.score.latency.quantile(0.5), 12)
    #expect(scorer.score.overshoot.quantile(0.5) == nil)
    // A delivery at 200 s: 2,000 m away, so not spurious, but before t*; it anchors: t* is 500 s.
    let early = Path((1_000, 10)).score([Path.delivery(0), Path.delivery(200), Path.delivery(501)])
    #expect(early.score.spurious == 0)
    expectNear(early.crossings[0].at.seconds, 500)
  }

  @Test("Both options are options")
  func options() {
    var rules = ScoringRules()
    rules.distance = 100
    rules.interval = 0
    let scorer = Path((400, 10)).score([Path.delivery(0), Path.delivery(15)], rules: rules)
    // 100 m after 10 s; again 10 s after the delivery at 15 s: missed at the end, 375 s later.
    #expect(scorer.score.crossings == 2 && scorer.score.missed == 1)
    expectNear(scorer.score.latency.quantile(0.5), 5)
    expectNear(scorer.score.overshoot.quantile(0.5), 50)
    expectNear(scorer.crossings[1].at.seconds, 25)
  }

  @Test("Came back within 500 m without a delivery: missed, and the next absence counts anew")
  func cameBack() {
    // out 600 m in 400 s, back 600 m, out again: t* = 333.3 s and 1,133.3 s; at 500 m again at 466.7 s.
    let path = Path((400, 1.5), (400, -1.5), (400, 1.5), (400, 0))
    let scorer = path.score([Path.delivery(0), Path.delivery(1_143)])
    #expect(scorer.score.crossings == 2 && scorer.score.missed == 1)
    expectNear(scorer.crossings[0].at.seconds, 333.3333)
    #expect(scorer.crossings[0].detected == nil)
    expectNear(scorer.score.latency.quantile(0.5), 9.6667)
    // A delivery at 700 s is 150 m from A: spurious, and it anchors there.
    let spurious = path.score([Path.delivery(0), Path.delivery(700)])
    #expect(spurious.score.spurious == 1)
  }

  @Test("Half an hour without a delivery is missed once, however long the device stays away")
  func patience() {
    let path = Path((400, 1.5), (7_200, 0))
    // t* = 333.3 s; the patience is over at 2,133.3 s.
    let late = path.score([Path.delivery(0), Path.delivery(2_134)])
    #expect(late.score.crossings == 1 && late.score.missed == 1 && late.score.spurious == 0)
    let inTime = path.score([Path.delivery(0), Path.delivery(2_133)])
    #expect(inTime.score.crossings == 1 && inTime.score.missed == 0)
    expectNear(inTime.score.latency.quantile(0.5), 1_799.6667)
    #expect(path.score([Path.delivery(0)]).score.missed == 1)
  }

  @Test("Both claimed accuracies explain a delivery that comes too near, up to 100 m together")
  func spurious() {
    // At 310 s and 1.5 m/s the device is 465 m from A; 35 m are missing.
    func spurious(_ first: Double?, _ second: Double?) -> Int {
      Path((700, 1.5)).score([
        Path.delivery(0, accuracy: first), Path.delivery(310, accuracy: second),
      ]).score.spurious
    }
    #expect(spurious(20, 16) == 0)
    #expect(spurious(20, 14) == 1)
    // A delivery without a claim explains nothing.
    #expect(spurious(nil, 30) == 1)
    #expect(spurious(nil, nil) == 1)
    // 390 m away, 110 m missing: 3,000 m of a network position explain no more than 100 m.
    let coarse = Path((700, 1.5)).score([
      Path.delivery(0, accuracy: 3_000), Path.delivery(260, accuracy: 3_000),
    ])
    #expect(coarse.score.spurious == 1)
  }

  @Test("A delivery that the accuracies made early is its crossing, at latency 0, no overshoot")
  func early() {
    // At 310 s and 1.5 m/s the device is 465 m from A; 20 m and 16 m explain the 35 that are missing.
    func scorer(_ end: Double) -> Scorer {
      Path((end, 1.5)).score([Path.delivery(0, accuracy: 20), Path.delivery(310, accuracy: 16)])
    }
    let told = scorer(900)
    #expect(told.score.early == 1 && told.score.spurious == 0)
    #expect(told.score.crossings == 1 && told.score.missed == 0)
    #expect(told.crossings[0].decision == .distance)
    expectNear(told.crossings[0].at.seconds, 310)
    #expect(told.score.latency.quantile(0.5) == 0)
    #expect(told.score.overshoot.quantile(0.5) == 0)
    // The next one is 500 m from there: 310 s + 333.3 s, and missed where the trace goes on for 300 s.
    #expect(scorer(950).score.missed == 1)
    // 290 s before the end it is not judged.
    #expect(scorer(600).score.crossings == 0 && scorer(600).score.unjudged == 1)
    // Before the interval is over by any clock: at 2 m/s and 240 s it is 480 m off, and no crossing.
    let hasty = Path((560, 2)).score([
      Path.delivery(0, accuracy: 20), Path.delivery(240, accuracy: 20),
    ])
    #expect(hasty.score.early == 1 && hasty.score.spurious == 0)
    #expect(hasty.score.crossings == 0 && hasty.score.unjudged == 1)
  }

  @Test("A cached delivery neither anchors, nor detects, nor is spurious (pitfall 11)")
  func cached() {
    let scorer = Path((1_000, 1.5)).score([
      Path.delivery(0, cached: true), Path.delivery(60), Path.delivery(200, cached: true),
      Path.delivery(395, cached: true), Path.delivery(400),
    ])
    // The anchor is that of 60 s (90 m): t* = 60 + 333.333 s.
    expectNear(scorer.crossings[0].at.seconds, 393.3333)
    expectNear(scorer.score.latency.quantile(0.5), 6.6667)
    #expect(scorer.score.spurious == 0)
    #expect(scorer.score.cached == 3 && scorer.score.deliveries == 2)
  }

  @Test("Without an anchor there is no crossing, and the first delivery is never spurious")
  func first() {
    let scorer = Path((2_000, 1.5)).score([Path.delivery(1_000)])
    // Nothing before 1,000 s; then 500 m at 1,333.3 s, missed at the end.
    #expect(scorer.score.crossings == 1)
    expectNear(scorer.crossings[0].at.seconds, 1_333.3333)
    #expect(scorer.score.spurious == 0)
    #expect(Path((2_000, 1.5)).score([]).score.crossings == 0)
  }

  @Test("A slow walk at 0.5 m/s from fix to fix is one crossing from the anchor (pitfall 14)")
  func slowWalk() {
    // 500 m take 1,000 s.
    let scorer = Path((1_600, 0.5)).score([Path.delivery(0), Path.delivery(1_004)])
    expectNear(scorer.crossings[0].at.seconds, 1_000)
    expectNear(scorer.score.latency.quantile(0.5), 4)
    expectNear(scorer.score.overshoot.quantile(0.5), 2)
  }

  @Test("A delivery between two points of the truth is placed between them")
  func between() {
    // At 353.5 s: 530.25 m.
    let scorer = Path((1_000, 1.5)).score([Path.delivery(0), Path.delivery(353.5)])
    expectNear(scorer.score.overshoot.quantile(0.5), 30.25)
    // The next crossing is computed from there: 530.25 m + 500 m at 686.833 s.
    expectNear(scorer.crossings[1].at.seconds, 686.8333)
  }

  @Test("The other side of a tunnel is a crossing that the gap decided (pitfall 15)")
  func tunnel() {
    // 10 m/s throughout; there is no truth between 100 s and 700 s.
    let scorer = Path((1_500, 10)).score(
      [Path.delivery(0), Path.delivery(705)], gaps: [100...700])
    // The truth begins again at 700 s, 7,000 m away; delivered 5 s later.
    #expect(scorer.crossings[0].decision == .gap)
    expectNear(scorer.crossings[0].at.seconds, 700)
    expectNear(scorer.score.latency.quantile(0.5), 5)
    #expect(scorer.score.overshoot.quantile(0.5) == nil)
  }

  @Test("A crossing within 300 s before a gap is not judged, and is due again behind it")
  func beforeGap() {
    // t* = 333.3 s; the gap begins at 400 s.
    let scorer = Path((2_000, 1.5)).score(
      [Path.delivery(0), Path.delivery(1_010)], gaps: [400...1_000])
    #expect(scorer.score.unjudged == 1)
    expectNear(scorer.crossings[0].at.seconds, 1_000)
    expectNear(scorer.score.latency.quantile(0.5), 10)
    // One that was open for 300 s is missed, and is not due again after the gap.
    let missed = Path((2_000, 1.5)).score(
      [Path.delivery(0), Path.delivery(1_010)], gaps: [700...1_000])
    #expect(missed.crossings[0].detected == nil)
    // 1,010 s + 333.3 s is the next.
    expectNear(missed.crossings[1].at.seconds, 1_343.3333)
  }

  @Test("A delivery in a gap is judged no further; the position that it claims is the anchor")
  func deliveryInGap() {
    // Claimed at 700 s: 1,050 m, which is where 1.5 m/s lead.
    let scorer = Path((2_000, 1.5)).score(
      [Path.delivery(0), Path.delivery(700, east: 1_050)], gaps: [200...900])
    #expect(scorer.score.outside == 1 && scorer.score.spurious == 0)
    // 1,550 m at 1,033.3 s; 300 s since 700 s are over.
    expectNear(scorer.crossings[0].at.seconds, 1_033.3333)
    #expect(scorer.crossings[0].decision == .distance)
  }

  @Test(
    "The first anchor is where a delivery's true place is known, though one in a gap came before")
  func firstDeliveryInGap() {
    let scorer = Path((2_000, 1.5)).score(
      [Path.delivery(700, east: 1_050), Path.delivery(1_100)], gaps: [200...900])
    #expect(scorer.score.anchoredAt == Path.instant(1_100))
    #expect(scorer.score.isSpaced)
    // 299 s after the previous one.
    #expect(!Path((2_000, 1.5)).score([Path.delivery(700), Path.delivery(999)]).score.isSpaced)
  }

  @Test("Deliveries before the first and after the last point are counted and nothing else")
  func outside() {
    let scorer = Path((400, 0)).score([
      Path.delivery(-10, east: 90_000), Path.delivery(5), Path.delivery(500),
    ])
    #expect(scorer.score.outside == 2 && scorer.score.deliveries == 1)
    #expect(scorer.score.crossings == 0 && scorer.score.spurious == 0)
  }

  @Test("A day at rest with three deliveries has two spurious ones and no crossing (pitfall 12)")
  func still() {
    let scorer = Path((86_400, 0)).score([
      Path.delivery(30, accuracy: 15), Path.delivery(20_000, accuracy: 15),
      Path.delivery(50_000, accuracy: 15),
    ])
    #expect(scorer.score.crossings == 0 && scorer.score.spurious == 2)
  }

  @Test("Passing A within one second leaves and returns within one leg")
  func chord() {
    // 600 m/s straight over A, from −600 m at 350 s to 600 m at 352 s, as one leg.
    var scorer = Scorer(keepsCrossings: true)
    scorer.begin(at: TruePoint(at: Path.instant(0), coordinate: Path.place(0)))
    scorer.deliver(Path.delivery(0))
    for (at, east) in [(100.0, -600.0), (350, -600), (352, 600), (700, 600), (800, 600)] {
      scorer.pass(to: TruePoint(at: Path.instant(at), coordinate: Path.place(east)))
    }
    scorer.finishTrace()
    // Away at 300 s (interval), back at −500 m = 350.1667 s, away again at 500 m = 351.8333 s.
    #expect(scorer.score.crossings == 2 && scorer.score.missed == 2)
    expectNear(scorer.crossings[0].at.seconds, 300)
    expectNear(scorer.crossings[1].at.seconds, 351.8333)
  }
}
