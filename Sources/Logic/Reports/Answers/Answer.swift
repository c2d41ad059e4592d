// SPDX-License-Identifier: Apache-2.0

package import RadioPower
import Replay
import ServiceCore

// Theory
// ======
//
// The answer to a purpose is the cheapest mode that *will do*: one that keeps the limit in more than half of the
// worlds. Among equals (within a tenth) it is the one that stands first. If none will do, it is the
// cheapest of the nearest ones, those within half as much again of the nearest. A mode's cost, and every figure given
// for it, is that of its middle world; so a reader of the figures can derive the answer.
//
// Why half, and no maximum and no 95 % of all worlds together: one world of thirty decides both of these, and twenty
// worlds do not show it (if none of twenty does, one in seven may: 1 − 0.05^(1/20) = 14 %). The middle of twenty moves
// little when twenty others are drawn.
//
// Each world also answers by itself. An answer is *sure* if all but one in twenty of them give the same, the same mode
// and whether it will do. That leaves room: an answer that other twenty worlds would not give 19 times in 20 is one
// that fewer than 70 % of all worlds give (P(Bin(20, 0.70) ≥ 11) = 0.95), and such a one is called sure in less than
// one draw of a hundred (P(≥ 19) = 0.008).
//
// Modes that can be chosen go on in the pocket, delivered something in some world, and exist on the device: a phone has its system's
// modes, a host with its own receiver the policies that run on it. Modes with the same result in each world, like
// continuous updates with and without pausing on a drive, count as one: the first.
//
// The answer is set *against* one other mode, and every ratio that is printed is of this pair: continuous updates, or
// for continuous updates the cheapest other mode that could be chosen. It is that of the two printed energies.

/// The mode to call for a purpose.
package struct Answer: Sendable {
  package let purpose: Purpose
  /// The row of the mode.
  package let row: Int
  /// Whether it keeps within the purpose's limit.
  package let willDo: Bool
  /// The number of worlds that give this answer alone, and the number of all.
  package let agreesIn: Int
  package let worlds: Int
  /// The number of worlds that agree that it will do, or that nothing will, whatever mode they name.
  package let sameVerdictIn: Int
  /// The most frequent other answer; `nil` if there is none, or the others only judge the same mode otherwise.
  package let other: Int?
  /// The row that it is set against; `nil` if there is no other mode.
  package let against: Int?
  /// Energy of that over energy of the answer: of the two middle worlds, with the middle 90 % of the draws of world and
  /// profile, extended to include it; `nil` if there is none, or its energy can be 0.
  package let ratio: Quantity?
  /// The numbers on which the ratio depends most, the strongest first.
  package let drivers: [Driver]

  /// Whether other worlds would agree; unknown, so false, for one world.
  package var isSure: Bool { worlds > 1 && 20 * (worlds - agreesIn) <= worlds }

  /// Whether three worlds in four agree.
  var isLikely: Bool { 4 * agreesIn >= 3 * worlds }

  /// Whether it is said without reserve: it is sure, or one world allows no comparison.
  var stands: Bool { isSure || worlds == 1 }

  /// The same as `isSure` for whether any mode will do.
  var isSureOfVerdict: Bool { worlds > 1 && 20 * (worlds - sameVerdictIn) <= worlds }
}

/// Computes the answers.
struct Answers {
  private let rows: [ModeRow]
  private let choices: [Int]
  private let uncertainty: Uncertainty

  /// Ratio up to which two modes cost the same [ours; the ranges are far wider].
  static let sameCost = 1.1
  /// The same for the figure of the limit, for modes that do not keep it [ours].
  private static let samePlace = 1.5

  init(_ rows: [ModeRow], device: DeviceProfile, _ uncertainty: Uncertainty) {
    self.rows = rows
    self.uncertainty = uncertainty
    choices = Self.choices(rows, on: device)
  }

  /// The answers to the purposes that a trace tests; empty if no mode can be chosen.
  func all(to purposes: [Purpose]) -> [Answer] {
    choices.isEmpty ? [] : purposes.compactMap(answer)
  }

  /// The rows that can be chosen, only the first of equal ones.
  static func choices(_ rows: [ModeRow], on device: DeviceProfile) -> [Int] {
    var choices: [Int] = []
    for (index, row) in rows.enumerated()
    where row.goesOnInPocket && row.worlds.contains(where: { $0.counters.learned > 0 })
      && device.offers(row.plan.policy)
    {
      if !choices.contains(where: { rows[$0].isEqual(to: row) }) { choices.append(index) }
    }
    return choices
  }

  private struct Choice: Equatable {
    let row: Int
    let willDo: Bool
  }

  /// The standing of a mode, in one world or in the middle of all.
  private struct Standing {
    let row: Int
    let joules: Double
    let willDo: Bool
    /// `nil` if nothing could be judged.
    let figure: Double?
  }

  /// `nil` if no mode could be judged.
  private func answer(to purpose: Purpose) -> Answer? {
    let best = rows.first(where: \.isAlwaysOn)
    let verdicts = choices.map { row in
      rows[row].worlds.indices.map { world in
        purpose.verdict(
          on: rows[row].worlds[world].whereabouts, best: best?.worlds[world].whereabouts)
      }
    }
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
      // At equal votes, the mode that stands first.
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

  private func ratio(of row: Int, to other: Int) -> Quantity? {
    guard rows[other].joules > 0, let spread = uncertainty.ratio(ofRun: row, to: other) else {
      return nil
    }
    return spread.range(including: rows[row].joules / rows[other].joules)
  }
}

extension ModeRow {
  /// Whether it goes on while the app is put away.
  var goesOnInPocket: Bool { plan.scenario == .pocket && plan.mode != .standard }

  /// Whether it is what a receiver that is always on knows, the most that can be known.
  var isAlwaysOn: Bool {
    goesOnInPocket && plan.mode == .continuous && !plan.pausesAutomatically
      && plan.desiredAccuracy < 0
  }

  /// Whether it has the same result in every world.
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
  /// than any; `nil` if the middle one is unknown.
  var middle: Double? {
    let sorted = map { $0 ?? .infinity }.sorted()
    guard !sorted.isEmpty, sorted[sorted.count / 2].isFinite else { return nil }
    return sorted[sorted.count / 2]
  }
}
