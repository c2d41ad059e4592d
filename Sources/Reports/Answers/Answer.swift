// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import Replay
import Scoring
import ServiceCore

// Theory
// ======
//
// The answer to a purpose is the cheapest mode that *will do*: that keeps the limit in more than half of the worlds.
// Of those that cost the same (within a tenth) it is the one that stands first. Where none will do, it is the cheapest
// of those that come nearest, which is within half as much again of the one that does. What a mode costs, and every
// figure that is told of it, is that of its middle world; so whoever reads the figures can give the answer himself.
//
// Why half, and no maximum and no 95 % of all worlds together: what happens in one world of thirty decides both of
// these, and twenty worlds do not show it (where none of twenty does, one in seven may: 1 − 0.05^(1/20) = 14 %). The
// middle of twenty moves little when twenty others are drawn.
//
// Each world also answers by itself. An answer is *sure* where all but one in twenty of them say the same, the same
// mode and whether it will do. That leaves room: an answer that other twenty worlds would not give 19 times in 20 is
// one that fewer than 70 % of all worlds give (P(Bin(20, 0.70) ≥ 11) = 0.95), and such a one is called sure in less
// than one draw of a hundred (P(≥ 19) = 0.008).
//
// Modes that can be chosen go on in the pocket, told something, and are to be had on the device: a phone has what its
// system gives, a host with a receiver of its own the policies that run on it. Modes that came to the same in each
// world, as continuous updates with and without pausing on a drive, are one: the first.
//
// The answer is set *against* one other mode, and every ratio that is printed is of this pair: continuous updates, or
// for continuous updates the cheapest other mode that could be chosen. It is that of the two energies that are told.

/// What to call for a purpose.
package struct Answer: Sendable {
  /// Energy of one mode over that of another: of the two middle worlds, and as far as the middle 90 % of the draws of
  /// world and profile lie, or it does.
  package struct Ratio: Sendable, Equatable {
    package let nominal: Double
    package let low: Double
    package let high: Double
  }

  package let purpose: Purpose
  /// The row of the mode.
  package let row: Int
  /// Whether it keeps within the purpose's limit.
  package let willDo: Bool
  /// How many worlds give this answer by themselves, out of how many.
  package let agreesIn: Int
  package let worlds: Int
  /// How many of the worlds say likewise that it will do, or that nothing will, whatever mode they name.
  package let sameVerdictIn: Int
  /// What most of the others say; `nil` where none does, or they only judge the same mode otherwise.
  package let other: Int?
  /// The row that it is set against; `nil` where there is no other mode.
  package let against: Int?
  /// Energy of that over energy of the answer; `nil` where there is none, or the answer may cost nothing.
  package let ratio: Ratio?
  /// What the ratio depends on most, the strongest first.
  package let drivers: [Driver]

  /// Whether other worlds would say the same; of one world nobody can tell.
  package var isSure: Bool { worlds > 1 && 20 * (worlds - agreesIn) <= worlds }

  /// The same of whether any mode will do.
  var isSureOfVerdict: Bool { worlds > 1 && 20 * (worlds - sameVerdictIn) <= worlds }
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

  init(_ rows: [ModeRow], device: DeviceProfile, _ uncertainty: Uncertainty) {
    self.rows = rows
    self.uncertainty = uncertainty
    choices = Self.choices(rows, on: device)
  }

  /// Those to the purposes that a trace tests; none where no mode can be chosen.
  func all(to purposes: [Purpose]) -> [Answer] {
    choices.isEmpty ? [] : purposes.compactMap(answer)
  }

  /// The rows that can be chosen, of equal ones the first.
  static func choices(_ rows: [ModeRow], on device: DeviceProfile) -> [Int] {
    var choices: [Int] = []
    for (index, row) in rows.enumerated()
    where row.goesOnInPocket && row.learned > 0 && device.offers(row.plan.policy) {
      if !choices.contains(where: { rows[$0].isEqual(to: row) }) { choices.append(index) }
    }
    return choices
  }

  private struct Choice: Equatable {
    let row: Int
    let willDo: Bool
  }

  /// How a mode stands, in one world or in the middle of all.
  private struct Standing {
    let row: Int
    let joules: Double
    let willDo: Bool
    /// `nil` where nothing could be judged.
    let figure: Double?
  }

  /// `nil` where no mode could be judged.
  private func answer(to purpose: Purpose) -> Answer? {
    let verdicts = choices.map { rows[$0].worlds.map { purpose.verdict(on: $0.whereabouts) } }
    let middle = zip(choices, verdicts).map { row, verdicts in
      Standing(
        row: row, joules: rows[row].joules,
        willDo: 2 * verdicts.count(where: \.isKept) > verdicts.count,
        figure: verdicts.map(\.figure).middle)
    }
    guard let choice = choice(among: middle) else { return nil }
    let worlds = rows[0].worlds.count
    var others: [Int: Int] = [:]
    var (agreesIn, sameVerdictIn) = (0, 0)
    for world in 0..<worlds {
      let alone = zip(choices, verdicts).map { row, verdicts in
        Standing(
          row: row, joules: rows[row].worlds[world].energy.total.nominal,
          willDo: verdicts[world].isKept, figure: verdicts[world].figure)
      }
      let vote = self.choice(among: alone)
      if vote?.willDo == choice.willDo { sameVerdictIn += 1 }
      if vote == choice { agreesIn += 1 } else if let vote { others[vote.row, default: 0] += 1 }
    }
    others[choice.row] = nil
    let against = opposite(choice.row)
    return Answer(
      purpose: purpose, row: choice.row, willDo: choice.willDo, agreesIn: agreesIn, worlds: worlds,
      sameVerdictIn: sameVerdictIn,
      // Of as many votes, the mode that stands first.
      other: others.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key,
      against: against, ratio: against.flatMap { ratio(of: $0, to: choice.row) },
      drivers: against.map { uncertainty.drivers(ofRatio: $0, to: choice.row) } ?? [])
  }

  private func choice(among all: [Standing]) -> Choice? {
    let good = all.filter(\.willDo)
    if let least = good.map(\.joules).min() {
      return good.first { $0.joules <= Self.sameCost * least }.map {
        Choice(row: $0.row, willDo: true)
      }
    }
    guard let least = all.compactMap(\.figure).min() else { return nil }
    let near = all.filter { $0.figure.map { $0 <= Self.samePlace * least } ?? false }
    return near.min { $0.joules < $1.joules }.map { Choice(row: $0.row, willDo: false) }
  }

  private func opposite(_ row: Int) -> Int? {
    let others = choices.filter { $0 != row }
    if rows[row].plan.mode != .continuous,
      let continuous = others.first(where: { rows[$0].plan.mode == .continuous })
    {
      return continuous
    }
    return others.min { rows[$0].joules < rows[$1].joules }
  }

  private func ratio(of row: Int, to other: Int) -> Answer.Ratio? {
    guard rows[other].joules > 0, let spread = uncertainty.ratio(ofRun: row, to: other) else {
      return nil
    }
    let nominal = rows[row].joules / rows[other].joules
    return Answer.Ratio(
      nominal: nominal, low: min(nominal, spread.p5), high: max(nominal, spread.p95))
  }
}

extension ModeRow {
  /// Whether it goes on while the app is put away.
  var goesOnInPocket: Bool { plan.scenario == .pocket && plan.mode != .standard }

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

extension Sequence<Double?> {
  /// The middle one, of an even number the greater of the two: more than half are no greater. Unknown ones are greater
  /// than any; `nil` where the middle one is unknown.
  var middle: Double? {
    let sorted = map { $0 ?? .infinity }.sorted()
    guard !sorted.isEmpty, sorted[sorted.count / 2].isFinite else { return nil }
    return sorted[sorted.count / 2]
  }
}
