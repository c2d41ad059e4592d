// SPDX-License-Identifier: Apache-2.0

import Scoring

/// How late a configuration told of moves.
package enum Lateness: Sendable, Equatable {
  /// 95 % were told within so many seconds.
  case within(Double)
  /// More than one in twenty was never told, so 95 % were told within no time at all.
  case missed
  /// It told so often that no move fell due.
  case noneDue
  /// No move fell due, or only at the end, where it is not judged.
  case unjudged

  /// The share that is told, of which the delay is stated.
  static let share = 0.95

  /// `due` is how many moves fell due for the configuration for which most did: one that told more rarely
  /// and had none was not early.
  init(_ score: Score, delay: Distribution, deliveries: Int, due: Int) {
    guard score.crossings > 0 else {
      let isOften = due > 0 && deliveries >= due && score.unjudged == 0
      self = isOften ? .noneDue : .unjudged
      return
    }
    // In whole numbers: 1 of 20 missed are 95 % told.
    guard score.missed * 20 <= score.crossings, let delay = delay.quantile(Self.share) else {
      self = .missed
      return
    }
    self = .within(delay)
  }

  /// Seconds; `nil` where 95 % were not told, or nobody knows.
  package var delay: Double? {
    switch self {
    case .within(let seconds): seconds
    case .noneDue: 0
    case .missed, .unjudged: nil
    }
  }

  /// Seconds within which half were told; `nil` where they were not, or nobody knows.
  func median(of delay: Distribution, _ score: Score) -> Double? {
    switch self {
    case .within, .missed: score.missed * 2 > score.crossings ? nil : delay.quantile(0.5)
    case .noneDue: 0
    case .unjudged: nil
    }
  }
}
