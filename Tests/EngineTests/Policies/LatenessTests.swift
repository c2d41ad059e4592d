// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import LocationEngine

@Suite("What lateness is worth")
struct LatenessTests {
  private typealias Delay = LookAhead.Want.Delay
  /// 500 m and 300 s, and a look of 20 s of tracking: 20 s and 25 m cost as much as a look.
  private let usual = Delay(SignificantService.Criteria(EngineRules()), again: 20)

  // MARK: Prices

  @Test(
    "A price in joules counts by what a look of this device costs, and metres go with the seconds")
  func price() {
    // A look of 1 J, at 0.1 J a second: 10 s; half of the usual 20 s, and so of 25 m.
    let dear = usual.priced(by: LatenessTerms(price: 0.1), look: 1)
    #expect(dear.seconds == 10 && abs(dear.metres - 12.5) < 1e-9)
    // At 0.025 J a second: 40 s, four times as many, and 50 m.
    let cheap = usual.priced(by: LatenessTerms(price: 0.025), look: 1)
    #expect(cheap.seconds == 40 && abs(cheap.metres - 50) < 1e-9)
    // At 0.01 J a second: 100 s, and 100 m, a fifth of 500.
    let cheapest = usual.priced(by: LatenessTerms(price: 0.01), look: 1)
    #expect(cheapest.seconds == 100 && cheapest.metres == 100)
    #expect(
      usual.priced(by: LatenessTerms(price: 0.1), look: nil) == usual, "nobody knows the look")
    #expect(usual.priced(by: LatenessTerms(longest: 30), look: 1) == usual)
  }

  @Test("On external power a joule counts a tenth, down to half a second and 5 m")
  func external() {
    let terms = LatenessTerms(isOnExternalPower: true)
    #expect(usual.priced(by: terms, look: nil) == usual.priced(by: terms, look: 1))
    let delay = usual.priced(by: terms, look: 1)
    #expect(abs(delay.seconds - 2) < 1e-9 && delay.metres == 5)
    let both = usual.priced(by: LatenessTerms(price: 0.2, isOnExternalPower: true), look: 1)
    #expect(abs(both.seconds - 0.5) < 1e-9 && both.metres == 5)
  }

  // MARK: The longest lateness

  private func look(
    _ belief: PaceBelief, metres: Double, due: Double = 0, _ terms: LatenessTerms,
    blindness: LookAhead.Outage? = nil
  ) -> Double {
    let want = LookAhead.Want(due: .zero.advanced(bySeconds: due), metres: metres, late: usual)
    return LookAhead(
      belief: belief, wants: [want], hints: [], sources: [.receiver(out: blindness)], terms: terms,
      lookEnergy: 1
    ).look(from: .zero).seconds
  }

  /// At rest for half a day, and without a sensor that would report a departure.
  private var resting: PaceBelief {
    var belief = PaceBelief(sensing: nil)
    belief.fixed(way: nil, speed: 0, after: 0)
    for _ in 0..<12 {
      belief.pass(3_600, cells: false)
      belief.fixed(way: (0, 8), speed: 0, after: 3_600)
    }
    return belief
  }

  @Test(
    "The look comes no later than that after a crossing may be open", arguments: [30.0, 60, 120])
  func longest(seconds longest: Double) {
    // Second by second: the time when the chance of a crossing first exceeds one in 20.
    var ahead = resting
    var open = 0.0
    while ahead.crossed(5).chance <= 0.05 {
      ahead.foresee(1, by: ahead.turnover)
      open += 1
    }
    // A look of 1 J at 1 mJ a second: by its price alone it comes far later.
    let free = look(resting, metres: 5, LatenessTerms(price: 0.001))
    #expect(free > open + longest)
    // The policy's own steps are up to an eighth of the time long, and the bound counts from their start; a chance that
    // is reckoned in longer steps is reached a little later.
    let bound = look(resting, metres: 5, LatenessTerms(longest: longest, price: 0.001))
    #expect(
      (open * 7 / 8 + longest - 10...open * 1.01 + longest).contains(bound), "\(bound), \(open)")
  }

  @Test("Where sky is missing it counts from the last look, for the crossing is open")
  func blind() {
    let blindness = LookAhead.Outage(
      since: EngineInstant(microseconds: -600_000_000), until: .zero)
    #expect(look(resting, metres: -100, .usual, blindness: blindness) > 60)
    let bound = look(resting, metres: -100, LatenessTerms(longest: 15), blindness: blindness)
    // In the last of its steps, which are up to 1.9 s long here.
    #expect((13...15).contains(bound), "\(bound)")
  }

  @Test("A look that comes sooner anyway stays where it is")
  func sooner() {
    let terms = LatenessTerms(longest: 600)
    #expect(
      look(resting, metres: -100, due: 50, terms) == look(resting, metres: -100, due: 50, .usual))
  }

  // MARK: The engine

  private static func settings(_ senses: Senses, joules: Double? = 1) -> PolicySettings {
    var settings = PolicySettings(
      name: "milepost", senses: senses, timeout: 120, hotStart: 11)
    settings.lookEnergy = joules
    return settings
  }

  /// An engine with one app that monitors, an hour after its only fix.
  private func monitoring(_ senses: Senses = []) throws -> Stage {
    var stage = Stage(policy: try #require(Self.settings(senses).policy))
    var declaration = AppDeclaration()
    declaration.authorization = .always
    stage.app(.registered(declaration))
    stage.app(LifecycleInput.launched)
    stage.app(.startMonitoringSignificantChanges)
    for second in 10..<16 {
      stage.pass(to: Double(second))
      stage.tell(.fix(Stage.fix(metres: 0, at: stage.now, speed: 0)))
    }
    return stage
  }

  @Test("Other terms count at once: the next look is nearer, and what was learnt stays")
  func atOnce() throws {
    var stage = try monitoring()
    let learnt = stage.engine.policy.settings
    let before = try #require(stage.engine.nextDeadline)
    let terms = LatenessTerms(isOnExternalPower: true)
    stage.engine.apply(latenessTerms: terms, at: stage.now, into: &stage.log)
    #expect(stage.engine.rules.lateness == terms)
    let after = try #require(stage.engine.nextDeadline)
    #expect(after < before)
    #expect(stage.engine.policy.settings == learnt)
    stage.engine.apply(latenessTerms: .usual, at: stage.now, into: &stage.log)
    #expect(stage.engine.nextDeadline == before)
  }

  @Test("Terms survive a snapshot")
  func snapshot() throws {
    var stage = try monitoring()
    stage.engine.apply(
      latenessTerms: LatenessTerms(longest: 30, price: 0.025, isOnExternalPower: true),
      at: stage.now,
      into: &stage.log)
    let bytes = try JSONEncoder().encode(stage.engine.snapshot)
    let read = try JSONDecoder().decode(LocationEngine.Snapshot.self, from: bytes)
    #expect(LocationEngine(restoring: read) == stage.engine)
  }

  @Test("With a modem that comes or goes, and after a restart, the times to first fix stay learnt")
  func learnt() throws {
    var stage = try monitoring()
    // Looks at rest, each with its first fix after 25 s: far from the expected 11 s.
    for _ in 0..<12 {
      stage.pass(to: (stage.engine.nextDeadline ?? stage.now).seconds)
      guard stage.engine.plan.isOn else { continue }
      stage.pass(to: stage.now.seconds + 25)
      stage.tell(.fix(Stage.fix(metres: 0, at: stage.now, speed: 0)))
    }
    let learnt = try #require(stage.engine.policy.settings.hotStart)
    let expected = try #require(Self.settings([]).hotStart)
    #expect(learnt > expected + 0.3)
    let policy = try #require(Self.settings(.cells).policy)
    stage.engine.reconfigure(
      rules: stage.engine.rules, policy: policy, at: stage.now, into: &stage.log)
    #expect(stage.engine.senses == .cells)
    #expect(stage.engine.policy.settings.hotStart == learnt)
    let bytes = try JSONEncoder().encode(stage.engine.snapshot)
    let read = try JSONDecoder().decode(LocationEngine.Snapshot.self, from: bytes)
    #expect(LocationEngine(restoring: read).policy.settings.hotStart == learnt)
  }

  /// As written by releases before the price was a setting, and after a change of the device's profile.
  @Test(
    "A policy that was stated otherwise is taken anew, with what was learnt", arguments: [nil, 4])
  func stated(joules: Double?) throws {
    var stage = try monitoring()
    let terms = LatenessTerms(price: 0.1)
    stage.engine.apply(latenessTerms: terms, at: stage.now, into: &stage.log)
    // A look of 1 J at 0.1 J a second; then one of unknown price, a start of 11 s, or of 4 J.
    #expect(stage.engine.lookWorth?.seconds == 10)
    for (joules, seconds) in [(joules, joules == nil ? 11.0 : 40), (1, 10)] {
      let policy = try #require(Self.settings([], joules: joules).policy)
      stage.engine.reconfigure(
        rules: stage.engine.rules, policy: policy, at: stage.now, into: &stage.log)
      #expect(stage.engine.lookWorth.map { abs($0.seconds - seconds) < 1e-9 } == true)
    }
  }

  @Test("A sensor's window that was learnt is a habit, of a sensor that is stated alike")
  func window() {
    func belief(_ window: Double) -> PaceBelief {
      PaceBelief(
        sensing: MotionSensing(window: window, steps: 0.9, ride: 0.9, smooth: 0.5, falseAlarms: 0.1)
      )
    }
    var before = belief(10)
    // The sensor fires each 30 s; after eight gaps that is its window.
    for _ in 1...8 { before.felt(after: 30, cells: false) }
    #expect(before.window == 30)
    var (alike, other) = (belief(10), belief(20))
    alike.takeHabits(of: before)
    other.takeHabits(of: before)
    #expect((alike.window, other.window) == (30, 20))
  }

  @Test("Who stops to monitor, and begins again, finds the terms and what was learnt")
  func again() throws {
    var stage = try monitoring()
    let terms = LatenessTerms(price: 0.1)
    stage.engine.apply(latenessTerms: terms, at: stage.now, into: &stage.log)
    stage.app(.stopMonitoringSignificantChanges)
    #expect(!stage.engine.plan.isOn)
    stage.app(.startMonitoringSignificantChanges)
    #expect(stage.engine.plan.isOn)
    // A look of 1 J at 0.1 J a second.
    #expect(stage.engine.lookWorth == LookWorth(seconds: 10, terms: terms))
  }
}
