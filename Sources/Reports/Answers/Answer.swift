// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import Replay
import Scoring
import SeededRandom
import ServiceCore

// Theory
// ======
//
// The answer to a purpose is the cheapest mode that will do; of those that cost the same (within a tenth) the one
// that serves it best. Where none will do it is the cheapest of those that come nearest, which is within half as
// much again of the one that does. It is that of all worlds together, so that 95 % are 95 % of what may happen.
//
// Whether it hangs on the draw is asked twice: each world answers by itself, and the worlds are drawn again, with
// replacement, as other twenty might have come (Efron's bootstrap). An answer is sure where in both cases at most
// one in twenty says something else, and where there were events enough: what did not happen in twenty worlds,
// no drawing of these twenty shows.
//
// Modes that can be chosen go on in the pocket, delivered something, and are to be had on the device: a phone
// has what its system gives, a host with a receiver of its own the policies that run on it. Modes that came to
// the same in each world, as continuous updates with and without pausing on a drive, are one: the first.
//
// The answer is set *against* one other mode, and every ratio that is printed is of this pair: continuous
// updates, or for continuous updates the cheapest other mode that could be chosen.

/// What to call for a purpose.
package struct Answer: Sendable {
  package let purpose: Purpose
  /// The row of the mode.
  package let row: Int
  /// Whether it keeps within the purpose's limit.
  package let willDo: Bool
  /// How many worlds give this answer by themselves, out of how many.
  package let agreesIn: Int
  package let worlds: Int
  /// The share of worlds drawn again, pooled as these are, that gives this answer.
  package let redrawn: Double
  /// Whether there are events enough to tell that it will do, and that what is cheaper will not.
  package let hasEvents: Bool
  /// What most of the others say; `nil` where none does.
  package let other: Int?
  /// The row that it is set against; `nil` where there is no other mode.
  package let against: Int?
  /// Energy of that over energy of the answer; `nil` where there is none, or the answer may cost nothing.
  package let ratio: Spread?
  /// What the ratio depends on most, the strongest first.
  package let drivers: [Driver]

  /// Whether at most one world in twenty says something else, and at most one draw in twenty.
  package var agrees: Bool { 20 * (worlds - agreesIn) <= worlds && redrawn >= 0.95 }

  /// Whether other worlds would say the same; of one world nobody can tell.
  package var isSure: Bool { worlds > 1 && agrees && hasEvents }
}

/// Works the answers out.
struct Answers {
  private let rows: [ModeRow]
  private let choices: [Int]
  private let uncertainty: Uncertainty

  /// Ratio up to which two modes cost the same [ours; the ranges are far wider].
  static let sameCost = 1.1
  /// The same of what the limit is about, for modes that do not keep it [ours].
  private static let samePlace = 1.5
  /// How often the worlds are drawn again.
  private static let draws = 100

  init(_ rows: [ModeRow], device: DeviceProfile, _ uncertainty: Uncertainty) {
    self.rows = rows
    self.uncertainty = uncertainty
    choices = Self.choices(rows, on: device)
  }

  var all: [Answer] {
    guard !choices.isEmpty else { return [] }
    let again = redrawn()
    return Purpose.allCases.map { answer(to: $0, again) }
  }

  /// The rows that can be chosen, of equal ones the first.
  static func choices(_ rows: [ModeRow], on device: DeviceProfile) -> [Int] {
    var choices: [Int] = []
    for (index, row) in rows.enumerated()
    where row.goesOnInPocket && row.deliveries > 0 && device.offers(row.plan.policy) {
      if !choices.contains(where: { rows[$0].isEqual(to: row) }) { choices.append(index) }
    }
    return choices
  }

  private struct Choice {
    let row: Int
    let willDo: Bool
  }

  /// By purpose, how many draws of the worlds say what.
  private func redrawn() -> [Purpose: [Int: Int]] {
    let worlds = rows[0].worlds.count
    guard worlds > 1 else { return [:] }
    var random = SplitMix64(seed: 1)
    var found: [Purpose: [Int: Int]] = [:]
    for _ in 0..<Self.draws {
      let draw = (0..<worlds).map { _ in Int.random(in: 0..<worlds, using: &random) }
      var pooled: [Int: (joules: Double, known: Whereabouts)] = [:]
      for row in choices { pooled[row] = rows[row].pooled(draw) }
      for purpose in Purpose.allCases {
        let choice = choice(for: purpose) { pooled[$0] ?? (0, rows[$0].whereabouts) }
        found[purpose, default: [:]][choice.row, default: 0] += 1
      }
    }
    return found
  }

  private func answer(to purpose: Purpose, _ again: [Purpose: [Int: Int]]) -> Answer {
    let choice = choice(for: purpose) { (rows[$0].joules, rows[$0].whereabouts) }
    var votes: [Int: Int] = [:]
    let worlds = rows[0].worlds.count
    for world in 0..<worlds {
      let alone = self.choice(for: purpose) {
        (rows[$0].worlds[world].energy.total.nominal, rows[$0].worlds[world].whereabouts)
      }
      votes[alone.row, default: 0] += 1
    }
    let drawn = again[purpose] ?? [choice.row: Self.draws]
    let others = votes.merging(drawn) { $0 * Self.draws + $1 }.filter { $0.key != choice.row }
    // Of as many votes, the mode that stands first.
    let other = others.min { ($1.value, $0.key) < ($0.value, $1.key) }
    let against = opposite(choice.row)
    return Answer(
      purpose: purpose, row: choice.row, willDo: choice.willDo,
      agreesIn: votes[choice.row] ?? 0, worlds: worlds,
      redrawn: Double(drawn[choice.row] ?? 0) / Double(Self.draws),
      hasEvents: hasEvents(for: purpose, upTo: rows[choice.row].joules), other: other?.key,
      against: against, ratio: against.flatMap { uncertainty.ratio(ofRun: $0, to: choice.row) },
      drivers: against.map { uncertainty.drivers(ofRatio: $0, to: choice.row) } ?? [])
  }

  /// Whether it is certain of each mode that costs no more whether it will do; of a single world nobody asks.
  private func hasEvents(for purpose: Purpose, upTo joules: Double) -> Bool {
    rows[0].worlds.count == 1
      || choices.allSatisfy {
        rows[$0].joules > Self.sameCost * joules || purpose.hasEvents(rows[$0].whereabouts)
      }
  }

  /// The answer where `figures` are what a mode cost and what an app knew.
  private func choice(
    for purpose: Purpose, by figures: (Int) -> (joules: Double, known: Whereabouts)
  ) -> Choice {
    let all = choices.map { row in
      let (joules, known) = figures(row)
      return (row: row, joules: joules, fit: purpose.fit(known))
    }
    let good = all.filter(\.fit.willDo)
    guard let least = good.map(\.joules).min() else {
      let least = all.map(\.fit.figure).min() ?? 0
      let near = all.filter { $0.fit.figure <= Self.samePlace * least }
      let nearest = near.min { $0.joules < $1.joules }
      return Choice(row: nearest?.row ?? choices[0], willDo: false)
    }
    let cheap = good.filter { $0.joules <= Self.sameCost * least }
    let best = cheap.min { ($0.fit.figure, $0.joules) < ($1.fit.figure, $1.joules) }
    return Choice(row: best?.row ?? choices[0], willDo: true)
  }

  private func opposite(_ row: Int) -> Int? {
    let others = choices.filter { $0 != row }
    if rows[row].plan.service != .continuous,
      let continuous = others.first(where: { rows[$0].plan.service == .continuous })
    {
      return continuous
    }
    return others.min { rows[$0].joules < rows[$1].joules }
  }
}

extension ModeRow {
  /// Whether it goes on while the app is put away.
  var goesOnInPocket: Bool { plan.scenario == .pocket && plan.service != .standard }

  /// Mean joules, and what the app knew, over the worlds of these numbers.
  func pooled(_ numbers: [Int]) -> (joules: Double, known: Whereabouts) {
    var known = worlds[numbers[0]].whereabouts
    for number in numbers.dropFirst() { known += worlds[number].whereabouts }
    let joules = numbers.reduce(0) { $0 + worlds[$1].energy.total.nominal }
    return (joules / Double(numbers.count), known)
  }

  /// Whether it came to the same in every world.
  func isEqual(to other: ModeRow) -> Bool {
    zip(worlds, other.worlds).allSatisfy { a, b in
      a.counters.deliveries == b.counters.deliveries
        && (a.energy.total.nominal - b.energy.total.nominal).magnitude
          <= 0.001 * a.energy.total.nominal
        && a.whereabouts.offBy == b.whereabouts.offBy
    }
  }
}
