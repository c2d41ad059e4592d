// SPDX-License-Identifier: Apache-2.0

package import RadioPower
import Replay
import ServiceCore

/// The mode to call for a purpose.
package struct Answer: Sendable {
  package enum Certainty: String, Sendable, CaseIterable { case sure, likely, open }

  /// A tolerance from which on, towards looser ones, a mode is the choice.
  struct Turn: Sendable, Equatable {
    let most: Double
    let row: Int
  }

  package var purpose: Purpose { tolerance.purpose }
  package let tolerance: Tolerance
  /// The row of the mode.
  package let row: Int
  /// Its figure; `nil` if unknown in the middle world.
  let figure: Double?
  /// Whether that is within the tolerance.
  package var keeps: Bool { tolerance.holds(figure) }
  /// Joules that the mode may cost; `nil` if the tolerance chose.
  let budget: Double?
  /// Whether the mode is what was asked for: within the budget if there is one, else within the tolerance.
  let isFound: Bool
  /// The judged events of a world, or seconds.
  let judged: Double
  /// Whether that is too little for a sure answer.
  let isThin: Bool
  /// The number of worlds that by themselves allow this answer, and the number of all.
  package let agreesIn: Int
  package let worlds: Int
  /// The most frequent other answer; `nil` if there is none, or the others only judge the same mode otherwise.
  package let other: Int?
  /// The number of worlds that give that one, and of those in which it is what was asked for.
  let otherIn: Int
  let otherWorksIn: Int
  /// The number of worlds in which the mode is not what was asked for.
  let failsIn: Int
  /// A mode that stands before it, and is as good in more than one world of twenty, or that is cheaper and no worse in more
  /// than one of ten: other worlds may name that one instead; `nil` if there is none.
  let rival: Int?
  /// The cheapest mode that is it in more worlds, and in all but one in twenty; `nil` if there is none.
  let safer: (row: Int, failsIn: Int)?
  /// The row that it is set against; `nil` if there is no other mode.
  package let against: Int?
  /// Energy of that over energy of the answer: of the two middle worlds, with the middle 90 % of the draws of world and
  /// profile, extended to include it; `nil` if there is none, or its energy can be 0.
  package let ratio: Quantity?
  /// The numbers on which the ratio depends most, the strongest first.
  package let drivers: [Driver]
  /// From the loosest tolerance to the tightest.
  let turns: [Turn]

  package var certainty: Certainty {
    guard 5 * agreesIn >= 3 * worlds else { return .open }
    return isSame && !isThin && rival == nil ? .sure : .likely
  }

  /// Whether all worlds but one in twenty allow it.
  private var isSame: Bool { worlds > 1 && isSeldom(worlds - agreesIn) }

  /// Whether so many of the worlds are one in twenty at most.
  private func isSeldom(_ count: Int) -> Bool { 20 * count <= worlds }

  /// Whether only the little that was judged keeps it from being sure.
  var isThinAlone: Bool { isThin && isSame }

  /// The next tighter tolerance at which another mode is the choice; without one the next looser one, up to four times as
  /// loose [ours: who must know the way within 100 m has no use for what is 7 km off].
  var nextTurn: Turn? {
    let others = turns.filter { $0.row != row }
    if budget != nil { return figure.flatMap { own in others.first { $0.most < own } } }
    let looser = tolerance.most...4 * tolerance.most
    return others.first { $0.most < tolerance.most } ?? others.last { looser.contains($0.most) }
  }

  /// What the worlds say that do not agree.
  enum Doubt {
    /// The mode is not what was asked for, in so many of them.
    case fails(worlds: Int)
    /// Another one is, for less, or is the nearest there.
    case other(Int, worlds: Int)
    /// All allow it, and another one too, which may be named before it.
    case rival(Int)
  }

  var doubt: Doubt? {
    guard worlds > 1 else { return nil }
    if isSame { return rival.map { .rival($0) } }
    if isFound, !isSeldom(failsIn) { return .fails(worlds: failsIn) }
    return other.map { .other($0, worlds: otherIn) }
  }

  /// The rows that its shortest sentence names: the choice, what it is set against, and the other one of a toss-up or of
  /// equals.
  var chosen: [Int] {
    let equal: Int? = if case .rival(let row) = doubt { row } else { nil }
    return [row, against, certainty == .open ? other : equal].compactMap(\.self)
  }

  /// The number of worlds in which the mode is what was asked for.
  var worksIn: Int { worlds - failsIn }

  /// The rows that a sentence about it may name.
  var named: [Int] {
    let doubted: Int? =
      switch doubt {
      case .fails: safer?.row
      case .other(let other, _): other
      case .rival, nil: nil
      }
    return chosen + [doubted, nextTurn?.row].compactMap(\.self)
  }
}
