// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Replay
@testable import Reports

@Suite("The front: who beats whom, what one more mWh buys, and what is recommended")
struct FrontTests {
  /// `late` is `nil` if nothing could be judged, and from 1,800 s on if more than one in twenty was missed.
  private func place(
    _ name: String, _ energy: Double, _ late: Double?, isChoice: Bool = true
  ) -> ParetoFront.Place {
    let configuration = Configuration(
      name: name, plan: RunPlan(.significant, .pocket), isChoice: isChoice)
    return ParetoFront.Place(
      configuration: configuration, row: nil, energy: energy, low: energy, high: energy, late: late,
      median: late.map { $0 / 2 })
  }

  /// 100 s for 10, 50 s for 20 and 45 s for 40 mWh a day are the front.
  private var front: ParetoFront {
    ParetoFront(places: [
      place("late and dear", 15, 120), place("dear", 40, 45), place("middle", 20, 50),
      place("as late, dearer", 30, 50), place("cheap", 10, 100),
      place("a model", 12, 20, isChoice: false),
    ])
  }

  @Test("The front goes from the cheapest to the quickest, and names who beats the others")
  func order() {
    #expect(front.front.map(\.name) == ["cheap", "middle", "dear"])
    #expect(front.front.map(\.letter) == ["a", "b", "c"])
    #expect(front.others.map(\.name) == ["a model", "late and dear", "as late, dearer"])
    #expect(front.others.map(\.beatenBy) == [nil, "cheap", "middle"])
  }

  @Test("One more mWh buys the delay between two neighbours over their price")
  func exchange() {
    // (100 − 50) s / (20 − 10) mWh, (50 − 45) / (40 − 20), and nothing behind the last.
    #expect(front.front.map(\.buys) == [5, 0.25, nil])
  }

  @Test("A budget takes the quickest within it, a delay the cheapest that keeps it")
  func wishes() {
    func name(_ limits: AdviceLimits) -> String? {
      limits.choice(of: front).map { front.front[$0].name }
    }
    #expect(name(AdviceLimits(budget: 20)) == "middle")
    #expect(name(AdviceLimits(budget: 19.9)) == "cheap")
    #expect(name(AdviceLimits(budget: 9)) == nil)
    #expect(name(AdviceLimits(latest: 60)) == "middle")
    #expect(name(AdviceLimits(latest: 45)) == "dear")
    #expect(name(AdviceLimits(latest: 44)) == nil)
    #expect(name(AdviceLimits(budget: 40, latest: 60)) == "middle")
    #expect(name(AdviceLimits(budget: 15, latest: 60)) == nil)
    // Half-way of the line in logarithms is 67 s at 20 mWh; 50 s lie below it.
    #expect(name(AdviceLimits()) == "middle")
  }

  @Test("A front of one or two places has its cheapest for a knee, an empty one none")
  func smallFronts() {
    #expect(ParetoFront(places: [place("one", 1, 1)]).knee == 0)
    #expect(ParetoFront(places: [place("one", 1, 10), place("two", 2, 5)]).knee == 0)
    #expect(ParetoFront(places: []).knee == nil)
    #expect(AdviceLimits().choice(of: ParetoFront(places: [])) == nil)
  }

  @Test("One that misses too many, or of which nothing is known, beats nobody and is never chosen")
  func missing() {
    let front = ParetoFront(places: [
      place("misses", 5, 1_800), place("not judged", 6, nil), place("told", 10, 100),
      place("misses and is dear", 20, 1_800), place("always", 500, 0),
    ])
    #expect(front.front.map(\.name) == ["told", "always"])
    #expect(front.others.map(\.name) == ["misses", "not judged", "misses and is dear"])
    #expect(front.others.map(\.beatenBy) == [nil, nil, "told"])
    // A day: a missed one is not reported within any time.
    #expect(AdviceLimits(latest: 86_400).choice(of: front) == 0)
    #expect(AdviceLimits(budget: 9).choice(of: front) == nil)
  }

  @Test(
    "Budgets are read in every unit",
    arguments: [
      ("20 mWh/day", 20.0), ("20mWh/day", 20), ("0.5 Wh/day", 500), ("72 J/day", 20),
      ("0.36 kJ/day", 100), ("1.5 mW", 36), ("at most 20 mWh a day", 20), ("1 % a day", 150),
      // One per cent of 54,000 J are 540 J, 150 mWh.
      ("1 %/day", 150),
    ])
  func budgets(text: String, expected: Double) throws {
    #expect(abs(try Amount.budget(text, battery: 54_000) - expected) < 1e-9)
  }

  @Test(
    "Delays are read in every unit",
    arguments: [
      ("60 s", 60.0), ("2min", 120), ("0.5 h", 1_800), ("at most 60 s late", 60),
      ("5 min late", 300),
    ])
  func delays(text: String, expected: Double) throws {
    #expect(try Amount.delay(text) == expected)
  }

  @Test(
    "What cannot be read says why",
    arguments: [
      "", "s", "0 s", "-1 s", "nan s", "1e99 s", "60", "60 m", "at most", "at most s", "late",
      "60 s a day",
    ])
  func unreadable(text: String) {
    #expect(throws: Complaint.self) { try Amount.delay(text) }
  }

  @Test("A range is in the unit of its energy")
  func ranges() {
    func range(_ low: Double, _ energy: Double, _ high: Double) -> String {
      Figures.milliwattHourRange(low, high, around: energy)
    }
    // 4.6 Wh, 920 mWh and 1.0 Wh.
    #expect(range(2_800, 4_600, 6_600) == "2.8–6.6")
    #expect(range(570, 920, 1_300) == "570–1300")
    #expect(range(900, 1_040, 1_200) == "0.90–1.2")
  }

  @Test("Delays and energies are written with as many figures as they have")
  func words() {
    #expect(
      [0, 0.01, 0.4, 9.9, 12.4, 119, 120, 1_800].map(Figures.delay) == [
        "0 s", "<0.1 s", "0.4 s", "9.9 s", "12 s", "119 s", "2 min", "30 min",
      ])
    #expect([0.5, 18.2, 1_040].map(Figures.milliwattHours) == ["0.50 mWh", "18 mWh", "1.0 Wh"])
  }
}
