// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

@Suite("When a look is worth its price")
struct LookAheadTests {
  private let late = LookAhead.Want.Delay(SignificantService.Criteria(EngineRules()), again: 18)

  private func look(
    _ belief: PaceBelief, metres: Double, due: Double = 0, blindness: LookAhead.Outage? = nil,
    at now: EngineInstant = .zero
  ) -> Double {
    let want = LookAhead.Want(due: .zero.advanced(bySeconds: due), metres: metres, late: late)
    return LookAhead(belief: belief, wants: [want], hints: [], sources: [.receiver(out: blindness)])
      .look(from: now).seconds
  }

  /// A belief from sightings every `step` seconds at a speed.
  private func moving(_ speed: Double, every step: Double = 30, for count: Int = 6) -> PaceBelief {
    var belief = PaceBelief(sensing: nil)
    belief.fixed(way: nil, speed: speed, after: 0)
    for _ in 0..<count {
      belief.pass(step, cells: false)
      belief.fixed(way: (step * speed, 8), speed: speed, after: step)
    }
    return belief
  }

  @Test(
    "A second of delay is as dear as one of tracking each 300 s, and a twentieth of the distance as a look"
  )
  func delay() {
    // A look of 18 s of tracking, and an event each 300 s.
    #expect(late.seconds == 18 && late.metres == 25)
    var rules = EngineRules()
    (rules.significantDistance, rules.significantInterval) = (2_000, 900)
    let rare = LookAhead.Want.Delay(SignificantService.Criteria(rules), again: 18)
    #expect(abs(rare.seconds - 54) < 1e-9 && rare.metres == 100)
    // Every 10 s: 18 / 30.
    (rules.significantDistance, rules.significantInterval) = (100, 10)
    let dense = LookAhead.Want.Delay(SignificantService.Criteria(rules), again: 18)
    #expect(abs(dense.seconds - 0.6) < 1e-9 && dense.metres == 5)
  }

  @Test("At a steady pace the look comes where the way is made", arguments: [1.15, 16])
  func steady(pace: Double) {
    // 20 s from the border; distances spread by 0.2 of their length, and steps are up to 2.5 s long.
    let seconds = look(moving(pace), metres: 20 * pace)
    #expect((16...34).contains(seconds), "\(seconds) s")
    // Farther is later.
    #expect(look(moving(pace), metres: 40 * pace) > seconds)
  }

  @Test("A stale receiver waits until a look is surer to find the crossing")
  func stale() {
    let want = LookAhead.Want(due: .zero, metres: 300, late: late)
    var ahead = LookAhead(
      belief: moving(1.6), wants: [want], hints: [], sources: [.receiver()])
    let usual = ahead.look(from: .zero).seconds
    ahead.sources[0].age = 8 * 3_600
    #expect(ahead.look(from: .zero).seconds > usual)
  }

  @Test("Who is far enough is looked at as the interval ends")
  func interval() {
    for due in [0.0, 100, 300] {
      #expect(abs(look(moving(16), metres: -100, due: due) - due) < 0.2, "\(due) s")
    }
    // 300 s at 16 m/s are 4,800 m: surely covered by then, except for a stop.
    #expect((300...320).contains(look(moving(16), metres: 500, due: 300)))
  }

  @Test("At rest without any hint the look comes by the square-root law for polls")
  func poll() {
    let belief = moving(0, every: 3_600, for: 12)
    var ahead = belief
    for _ in 0..<30 { ahead.foresee(10, by: ahead.turnover) }
    // Crossings a second, in the first five minutes: mostly stays that end, once in 14,400 s each.
    let hazard = ahead.crossed(5).chance / 300
    #expect((0.5 / 14_400...4.0 / 14_400).contains(hazard))
    // A second of delay costs at most 0.15 of a look (3 / 20 s), and at least 0.7 / 50: the law is
    // √(2 / (h·λ)). A quarter more or less, since the hazard is not constant.
    func law(_ price: Double) -> Double { (2 / (hazard * price)).squareRoot() }
    let seconds = look(belief, metres: 5)
    let expected = 0.75 * law(0.15)...1.25 * law(0.014)
    #expect(expected.contains(seconds), "\(seconds) s, \(law(0.15)) s")
  }

  @Test("The longer a stay has lasted, the later the next look")
  func ages() {
    #expect(
      look(moving(0, every: 300, for: 1), metres: 500) < look(moving(0, every: 3_600), metres: 500))
  }

  @Test("Without sky the looks are the rarer the longer it has lasted")
  func blind() {
    var last = 0.0
    for age in [30.0, 300, 3_000] {
      let now = EngineInstant.zero.advanced(bySeconds: age)
      let seconds = look(
        moving(16), metres: -100, blindness: .init(since: .zero, until: now), at: now)
      #expect(seconds > last && seconds <= LookAhead.horizon, "\(age) s")
      last = seconds
    }
    let blindness = LookAhead.Outage(since: .zero, until: .zero.advanced(bySeconds: 100))
    // After Lindy: a state that has lasted 100 s ends within 100 s more with probability one half.
    #expect(abs(blindness.ends(by: .zero.advanced(bySeconds: 200)) - 0.5) < 0.01)
  }

  @Test("No look is later than the horizon, and none is in the past", arguments: 1...6)
  func bounds(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    let belief = moving([0, 0.5, 1.3, 10, 30].randomElement(using: &dice) ?? 0, for: 2)
    for metres in [-1_000.0, 1, 500, 100_000] {
      let due = Double.random(in: 0...600, using: &dice)
      let seconds = look(belief, metres: metres, due: due)
      #expect((due - 0.2...LookAhead.horizon).contains(seconds), "seed \(seed): \(seconds) s")
    }
    let nothing = LookAhead(belief: belief, wants: [], hints: [], sources: [.receiver()])
    #expect(nothing.look(from: .zero).seconds == LookAhead.horizon)
  }
}

@Suite("Times to first fix, as they are learnt")
struct AcquisitionMemoryTests {
  /// Median of a mean of 8 s: 8 / e^0.125.
  private static let median = 7.06
  private let memory = AcquisitionMemory(hot: 8, timeout: 120)

  @Test("The lead is the newsvendor's quantile of the log-normal")
  func lead() {
    #expect(abs(memory.again - 8) < 1e-9)
    // 8 / (8 + 30) = 0.2105, a normal's −0.8046: 7.06 e^(−0.4023) = 4.72; the logistic's is 0.07 s off.
    #expect(abs(memory.lead(orLate: 30) - 4.72) < 0.1)
    // Equally expensive: the median.
    #expect(abs(memory.lead(orLate: 8) - Self.median) < 0.01)
  }

  @Test("After 4 h without a fix, and before the first, a start takes ten thirds of a hot one")
  func stale() {
    #expect(AcquisitionMemory.staleness(age: 7_200) == 1)
    // Half way from 2 to 4 h: half of 7 / 3 more.
    #expect(abs(AcquisitionMemory.staleness(age: 10_800) - (1 + 7.0 / 6)) < 1e-9)
    #expect(abs(AcquisitionMemory.staleness(age: 14_400) - 10.0 / 3) < 1e-9)
    #expect(AcquisitionMemory.staleness(age: nil) == AcquisitionMemory.staleness(age: 86_400))
    let (hot, warm) = (memory.lead(orLate: 8), memory.lead(orLate: 8, age: 86_400))
    #expect(abs(warm - hot * 10 / 3) < 1e-9)
  }

  @Test("With assistance data every start is as a hot one, at any age")
  func assisted() {
    let memory = AcquisitionMemory(logMedian: memory.logMedian, timeout: 120, isAssisted: true)
    for age in [nil, 14_400, 86_400] as [Double?] {
      #expect(memory.lead(orLate: 8, age: age) == self.memory.lead(orLate: 8, age: 60))
      #expect(memory.patience(age: age) == self.memory.patience(age: 60))
      #expect(memory.silence(age: age) == 3)
      var learnt = memory
      learnt.learn(100, age: age)
      #expect(learnt.logMedian > memory.logMedian)
    }
  }

  @Test("995 of 1,000 hot starts are waited for; others get all there is, the first twice that")
  func patience() {
    // 7.06 × e^(2.58 × 0.5) = 25.6; × e^(1.28 × 0.5) = 13.4 without sky.
    #expect(abs(memory.patience(age: 60) - 25.6) < 0.1)
    #expect(abs(memory.patience(age: 60, isBlind: true) - 13.4) < 0.1)
    #expect(memory.patience(age: nil) == 240)
    #expect(memory.patience(age: nil, isBlind: true) == 120, "it has lost what it had collected")
    #expect(memory.patience(age: 7_201) == 120)
  }

  @Test("The logarithm moves an eighth of the way to each hot start, and to nothing else")
  func learning() {
    var memory = memory
    memory.learn(100, age: nil)
    memory.learn(100, age: 8_000)
    memory.learn(0, age: 10)
    memory.learn(121, age: 10)
    #expect(memory == self.memory)
    memory.learn(20, age: 300)
    // ln 7.06 + (ln 20 − ln 7.06) / 8 = 2.0846.
    #expect(abs(memory.logMedian - 2.0846) < 0.0005)
    for _ in 0..<60 { memory.learn(20, age: 300) }
    #expect(abs(exponential(memory.logMedian) - 20) < 0.1)
  }
}

extension LookAhead.Source {
  /// A receiver whose look in vain costs three others.
  static func receiver(out outage: LookAhead.Outage? = nil) -> Self {
    Self(name: .receiver, price: 1, vain: 3, outage: outage)
  }
}
