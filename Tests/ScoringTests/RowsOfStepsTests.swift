// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import SeededRandom
import Testing

@testable import Scoring

@Suite("Rows of steps are counted at once, and the sums are those of one step after the other")
struct RowsOfStepsTests {
  /// A device that stands, strolls, rides and is carried far away, with a receiver that errs.
  private struct Trip {
    var dice: SplitMix64
    private(set) var steps: [PathStep] = []
    private(set) var deliveries: [ScoredDelivery] = []
    private var place = LocalFrame(
      origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 179.99))
    private var at = 0.0
    private var speed = 0.0

    init(seed: UInt64) { dice = SplitMix64(seed: seed) }

    private mutating func uniform() -> Double { Double(dice.below(1_000_000)) / 1_000_000 }

    mutating func go() {
      if dice.below(60) == 0 { speed = [0, 0, 1.3, 15, 300][dice.below(5)] }
      let isFirst = steps.isEmpty
      let elapsed = isFirst ? 0 : dice.below(40) == 0 ? 0.25 : 1.0
      at += elapsed
      let way = speed * elapsed
      place = LocalFrame(
        origin: place.point(east: way * (uniform() < 0.9 ? 1 : -1), north: 0))
      let now = EngineInstant.zero.advanced(bySeconds: at)
      steps.append(
        PathStep(to: place, at: now, elapsed: elapsed, travelled: way, stands: speed == 0))
      let error = dice.below(200) == 0 ? 2_000.0 : 20
      deliveries.append(
        ScoredDelivery(
          at: now, coordinate: place.point(east: error * uniform(), north: error * uniform()),
          accuracy: dice.below(10) == 0 ? nil : 5 + 100 * uniform()))
    }
  }

  /// All that judges a row: an app's knowledge, and a score.
  private struct Judges: Equatable {
    var known = Whereabouts(blindDistance: 500)
    var scorer: Scorer

    init(_ rules: ScoringRules) { scorer = Scorer(rules: rules, keepsCrossings: true) }

    mutating func note(_ event: TruthEvent) { known.note(event) }

    mutating func endSegment() {
      known.endSegment()
      scorer.endSegment()
    }
  }

  @Test("Whatever comes, over 60 seeds", arguments: [1.0, 20, 300])
  func same(interval: Double) {
    var rules = ScoringRules()
    rules.interval = interval
    for seed in 0..<UInt64(60) {
      var trip = Trip(seed: seed)
      for _ in 0..<4_000 { trip.go() }
      var (each, rows) = (Judges(rules), Judges(rules))
      var next = 0
      while next < trip.steps.count {
        let end = min(trip.steps.count, next + 1 + trip.dice.below(300))
        let isTold = trip.dice.below(2) == 0
        Self.pass(trip, next..<end, isTold: isTold, rules, each: &each, rows: &rows)
        if trip.dice.below(30) == 0 {
          each.endSegment()
          rows.endSegment()
        } else if let event = [TruthEvent.crossed, .mayArrive, .arrived, .mayDepart, .departed]
          .randomElement(using: &trip.dice)
        {
          each.note(event)
          rows.note(event)
        }
        #expect(each == rows, "seed \(seed), steps \(next) to \(end)")
        guard each == rows else { return }
        next = end
      }
      #expect(each.scorer.score.deliveries > 500 && each.known.offBy.seconds > 3_000)
    }
  }

  private static func pass(
    _ trip: Trip, _ range: Range<Int>, isTold: Bool, _ rules: ScoringRules, each: inout Judges,
    rows: inout Judges
  ) {
    for number in range {
      each.known.pass(along: trip.steps[number])
      each.scorer.pass(along: trip.steps[number])
      guard isTold else { continue }
      let told = trip.deliveries[number]
      each.known.learned(told.coordinate, age: 0, at: told.at)
      each.scorer.deliver(told)
    }
    guard isTold else {
      rows.known.pass(along: trip.steps[range])
      return rows.scorer.pass(along: trip.steps[range])
    }
    var tellings: [Telling] = []
    for number in range {
      tellings.append(
        Telling(trip.deliveries[number], at: trip.steps[number], after: tellings.last, rules))
    }
    rows.known.pass(along: trip.steps[range], told: tellings[...])
    rows.scorer.pass(along: trip.steps[range], told: tellings[...])
  }
}
