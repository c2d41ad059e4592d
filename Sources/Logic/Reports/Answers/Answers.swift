// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceCore

// Theory
// ======
//
// In one world the answer to a purpose is the cheapest mode within the tolerance, or any that costs the same (within a
// tenth). Over all worlds it is, of the modes within it in the middle of them, the one that most worlds allow: where two
// cost about the same, a middle world would be a coin that falls anew with each draw. If none is within it, it is the
// cheapest of the nearest ones (within a tenth). Of equals the first that no other *dominates* is named: one that costs
// less, by 5 % or more, and by the printed figure is no worse. A mode's cost, and every figure given for it, is that of its
// middle world.
//
// Why the middle, and no maximum and no 95 % of all worlds together: one world of thirty decides both of these, and
// twenty worlds do not show it (if none of twenty does, one in seven may: 1 − 0.05^(1/20) = 14 %). The middle of twenty
// moves little when twenty others are drawn.
//
// Each world also answers by itself. An answer is *sure* if all but one in twenty of them allow it, the same mode and
// whether it is within the tolerance. That leaves room: an answer that other twenty worlds would not give 19 times
// in 20 is one that fewer than 70 % of all worlds give (P(Bin(20, 0.70) ≥ 11) = 0.95), and such a one is called sure in
// less than one draw of a hundred (P(≥ 19) = 0.008). It is *likely* if three in five agree: then other twenty worlds
// give it three times in four (P(Bin(20, 0.6) ≥ 11) = 0.76). Else it is *open*. One world, too few events or too short a
// trace (`Purpose.least`) make nothing sure.
//
// Of modes that work as often, but for one world in twenty, the first that costs the same in half of them, and that none of
// these dominates, is named, so that equals do not take turns. Near these limits they would: so an answer is not sure while
// a mode before it, its *rival*, is as good in more than one world of twenty and dominated in fewer than nine of ten, nor
// while one dominates it in more than one of ten: the middle says so in about half of them. (Of a mode that dominates
// another in three of ten worlds two of twenty or fewer show it in one draw of 28, P(Bin(20, 0.3) ≤ 2) = 0.035, and half
// of them in one of 21, P(≥ 10) = 0.048. One that is so in a quarter of all worlds is in one at most in one draw of 41,
// and named in one of 72: P(Bin(20, 0.25) ≤ 1) = 0.024, P(≥ 10) = 0.014. One in three quarters is sure in as few draws,
// and not named in one of 250.)
//
// Where it is not sure, the worlds that say otherwise are told: those in which the mode is not within the tolerance,
// with the cheapest one that is not so in at most one of twenty, or else those in which another one does it for less.
//
// With a budget the two change places: a world's answer is the mode with the best figure that the budget allows (among
// those within a tenth of it the cheapest), and if it allows none, the cheapest of all.
//
// It *turns* at the figures of the modes: with each of them as the tolerance the same rule chooses, and a turn is where
// the choice is another than at the next looser one, and no tighter one costs less.
//
// Modes that can be chosen go on in the pocket, delivered something in some world, and exist on the device: a phone has
// its system's modes, a host with its own receiver the policies that run on it. Modes with the same result in each world,
// like continuous updates with and without pausing on a drive, count as one: the first.
//
// The answer is set *against* one other mode, and every ratio that is printed is of this pair: continuous updates, or
// for continuous updates the cheapest other mode that could be chosen. It is that of the two printed energies.

/// Computes the answers.
struct Answers {
  private let rows: [ModeRow]
  private let choices: [Int]
  private let uncertainty: Uncertainty
  /// Joules; `nil` if the tolerance chooses.
  private let budget: Double?
  /// The number of worlds that vote; further ones repeat them (`SparseDetail`).
  private let voters: Int

  /// Ratio up to which two modes cost the same, or are as good [ours; the ranges are far wider].
  static let sameCost = 1.1
  /// Ratio from which on the cheaper of two such modes costs less [ours: half of a tenth; of the modes of a ride without
  /// stays, which cost the same, the ratio is up to 1.025 from draw to draw].
  static let lessCost = 1.05

  /// `lived` are the worlds that were lived; `nil`, all.
  init(
    _ rows: [ModeRow], device: DeviceProfile, lived: Int?, budget: Double?,
    _ uncertainty: Uncertainty
  ) {
    self.rows = rows
    self.budget = budget
    voters = lived ?? rows.first?.worlds.count ?? 0
    self.uncertainty = uncertainty
    choices = Self.choices(rows, on: device)
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

  fileprivate struct Choice {
    let row: Int
    /// Whether it is what was asked for.
    let isFound: Bool
    /// It, and the modes that are as good.
    let equals: [Int]

    fileprivate init(_ standing: Standing, isFound: Bool, among equals: [Standing]) {
      (row, self.isFound) = (standing.row, isFound)
      self.equals = equals.map(\.row)
    }

    /// Whether that row would do as well, if it is what was asked for in the same way.
    func allows(_ row: Int, isFound: Bool) -> Bool {
      isFound == self.isFound && equals.contains(row)
    }
  }

  /// What is asked for: to be within a tolerance, or within the budget.
  private enum Rule {
    case within(Double)
    case budget(Double)

    func holds(_ mode: Standing) -> Bool {
      guard let figure = mode.figure else { return false }
      return switch self {
      case .within(let most): figure <= most
      case .budget(let joules): mode.joules <= joules
      }
    }
  }

  /// The standing of a mode, in one world or in the middle of all.
  fileprivate struct Standing {
    let row: Int
    let joules: Double
    /// `nil` if nothing could be judged.
    let figure: Double?
    /// What is printed of it.
    private let words: String?

    init(_ row: Int, joules: Double, _ figure: Double?, for purpose: Purpose) {
      (self.row, self.joules, self.figure) = (row, joules, figure)
      words = figure.map { Tolerance.words($0, for: purpose) }
    }

    /// Whether it costs less than the other one, and by the printed figure is no worse.
    func dominates(_ other: Standing) -> Bool {
      // Where nothing costs anything, nothing costs less.
      guard joules < other.joules, Answers.lessCost * joules <= other.joules, let figure,
        let least = other.figure
      else { return false }
      return figure <= least || words == other.words
    }
  }

  /// The standings for a purpose.
  private struct Standings {
    let middle: [Standing]
    let worlds: [[Standing]]

    /// The number of worlds in which that row is not what is asked for.
    func fails(_ row: Int, _ rule: Rule) -> Int {
      worlds.count { !($0.first { $0.row == row }.map(rule.holds) ?? false) }
    }

    /// The number of worlds in which one row dominates another.
    func dominates(_ row: Int, _ other: Int) -> Int {
      worlds.count { world in
        guard let one = world.first(where: { $0.row == row }),
          let two = world.first(where: { $0.row == other })
        else { return false }
        return one.dominates(two)
      }
    }
  }

  private func standings(for purpose: Purpose) -> Standings {
    Standings(
      middle: choices.map {
        Standing($0, joules: rows[$0].joules, purpose.figure(rows[$0]), for: purpose)
      },
      worlds: (0..<voters).map { world in
        choices.map { row in
          let run = rows[row].worlds[world]
          return Standing(
            row, joules: run.energy.total.nominal, purpose.figure(run.whereabouts), for: purpose)
        }
      })
  }

  /// The answer within a tolerance, of a trace in which an app that hears nothing has this knowledge; `nil` if no mode
  /// can be chosen, or none could be judged.
  func answer(within tolerance: Tolerance, silence: Whereabouts) -> Answer? {
    let standings = standings(for: tolerance.purpose)
    let rule = budget.map(Rule.budget) ?? .within(tolerance.most)
    let votes = standings.worlds.map { choice(among: $0, by: rule) }
    guard let choice = choice(among: standings, of: votes, by: rule) else { return nil }
    var others: [Int: Int] = [:]
    var agreesIn = 0
    for vote in votes {
      guard let vote else { continue }
      if vote.allows(choice.row, isFound: choice.isFound) {
        agreesIn += 1
      } else {
        others[vote.row, default: 0] += 1
      }
    }
    others[choice.row] = nil
    // At equal votes, the mode that stands first.
    let other = others.min { ($1.value, $0.key) < ($0.value, $1.key) }
    let failsIn = standings.fails(choice.row, rule)
    let safer = standings.middle.map { (mode: $0, failsIn: standings.fails($0.row, rule)) }
      .filter { 20 * $0.failsIn <= votes.count && $0.failsIn < failsIn }
      .min { $0.mode.joules < $1.mode.joules }
    let against = opposite(choice.row)
    return Answer(
      tolerance: tolerance, row: choice.row,
      figure: standings.middle.first { $0.row == choice.row }?.figure, budget: budget,
      isFound: choice.isFound,
      judged: tolerance.purpose.judged(bySilence: silence),
      isThin: tolerance.purpose.isThin(bySilence: silence), agreesIn: agreesIn,
      worlds: votes.count, other: other?.key, otherIn: other?.value ?? 0,
      otherWorksIn: other.map { votes.count - standings.fails($0.key, rule) } ?? 0,
      failsIn: failsIn, rival: rival(of: choice, among: standings, of: votes, by: rule),
      safer: safer.map { ($0.mode.row, $0.failsIn) },
      against: against, ratio: against.flatMap { ratio(of: $0, to: choice.row) },
      drivers: against.map { uncertainty.drivers(ofRatio: $0, to: choice.row) } ?? [],
      turns: turns(standings, for: tolerance.purpose))
  }

  private func turns(_ standings: Standings, for purpose: Purpose) -> [Answer.Turn] {
    let figures = Set(standings.middle.compactMap(\.figure)).filter { !purpose.isMissed($0) }
      .sorted(by: >)
    var turns: [Answer.Turn] = []
    for most in figures {
      let votes = standings.worlds.map { choice(among: $0, by: .within(most)) }
      guard let row = choice(among: standings, of: votes, by: .within(most))?.row else {
        continue
      }
      // It is the choice from the tightest tolerance on that names it.
      if turns.last?.row == row { turns.removeLast() }
      turns.append(Answer.Turn(most: most, row: row))
    }
    var least = Double.infinity
    return turns.reversed().filter { turn in
      defer { least = min(least, rows[turn.row].joules) }
      return rows[turn.row].joules < least
    }.reversed()
  }

  /// Of the modes that are what was asked for in the middle, the one that most worlds allow; at equal votes by the rule. Of
  /// those that work as often, but for one in twenty, and cost the same in half of them the first that none of them
  /// dominates has its place: it is named in each draw.
  private func choice(
    among standings: Standings, of votes: [Choice?], by rule: Rule
  ) -> Choice? {
    let good = standings.middle.filter(rule.holds)
    guard let best = good.map({ votes.allowing($0.row) }).max() else {
      return choice(among: standings.middle, by: rule)
    }
    guard let named = choice(among: good.filter { votes.allowing($0.row) == best }, by: rule)
    else { return nil }
    let most = standings.fails(named.row, rule) + votes.count / 20
    let equals = good.filter {
      2 * votes.allowing($0.row) >= votes.count && standings.fails($0.row, rule) <= most
    }
    return equals.undominated.first.map { Choice($0, isFound: true, among: [$0]) } ?? named
  }

  /// The mode that other worlds may name instead.
  private func rival(
    of named: Choice, among standings: Standings, of votes: [Choice?], by rule: Rule
  ) -> Int? {
    guard named.isFound else { return nil }
    let count = votes.count
    let before = standings.middle.prefix { $0.row != named.row }.first {
      20 * votes.allowing($0.row) > count
        && 10 * (count - standings.dominates(named.row, $0.row)) > count
    }
    if let before { return before.row }
    let most = standings.fails(named.row, rule) + count / 20
    return standings.middle.first {
      rule.holds($0) && 10 * standings.dominates($0.row, named.row) > count
        && standings.fails($0.row, rule) <= most
    }?.row
  }

  private func choice(among all: [Standing], by rule: Rule) -> Choice? {
    let good = all.filter(rule.holds)
    if case .budget = rule {
      guard let least = good.compactMap(\.figure).min() else {
        return cheapest(of: all.filter { $0.figure != nil }, isFound: false)
      }
      let best = good.filter { $0.figure.map { $0 <= Self.sameCost * least } ?? false }
      return best.min { $0.joules < $1.joules }.map { Choice($0, isFound: true, among: best) }
    }
    if !good.isEmpty {
      let equals = cheap(good)
      return Choice(equals.undominated[0], isFound: true, among: equals)
    }
    guard let least = all.compactMap(\.figure).min() else { return nil }
    let near = all.filter { $0.figure.map { $0 <= Self.sameCost * least } ?? false }
    return cheapest(of: near, isFound: false)
  }

  private func cheapest(of modes: [Standing], isFound: Bool) -> Choice? {
    modes.min { $0.joules < $1.joules }.map {
      Choice($0, isFound: isFound, among: cheap(modes))
    }
  }

  /// Those that cost as much as the cheapest, in their order; there is one at least.
  private func cheap(_ modes: [Standing]) -> [Standing] {
    let least = modes.map(\.joules).min() ?? 0
    return modes.filter { $0.joules <= Self.sameCost * least }
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

extension [Answers.Standing] {
  /// Those that no other of them dominates: the cheapest at least.
  fileprivate var undominated: Self { filter { mode in !contains { $0.dominates(mode) } } }
}

extension [Answers.Choice?] {
  /// The number of worlds in which that row is what was asked for, and as good as any.
  fileprivate func allowing(_ row: Int) -> Int { count { $0?.allows(row, isFound: true) == true } }
}

extension ModeRow {
  /// Whether it goes on while the app is put away.
  var goesOnInPocket: Bool { plan.scenario == .pocket && plan.mode != .standard }

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
