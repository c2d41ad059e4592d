// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// What fails is tried again: soon, for most failures are short, and ever more rarely, for the others cost work, energy
// or a radio's tail each time. So each wait is twice the one before, up to a longest one:
//
//   failures in a row       1       2        3        4   …
//   wait                first   2·first  4·first  8·first …  longest, longest, …
//
// Success begins the ladder again; what counts as success is for the one who waits to say. Many that lost the same
// server must not come back in step: then the wait is a drawn share of the ladder's, evenly from `shares`.
//
// Someone who keeps the number of failures elsewhere, as in a store, asks `wait(after:)`; others let it count.

/// The waits between attempts, seconds: a ladder that doubles, and the place on it.
package struct Backoff: Sendable, Equatable {
  /// The wait after one failure, and the longest, seconds; above 0.
  package let first: Double
  package let longest: Double
  /// The shares of a wait that are drawn from; 1 to 1 without chance.
  package let shares: ClosedRange<Double>
  /// The failures since the last success.
  package private(set) var failures = 0

  package init(first: Double, longest: Double, shares: ClosedRange<Double> = 1...1) {
    self.first = first
    self.longest = longest
    self.shares = shares
  }

  /// The wait after that many failures in a row, 1 or more; `luck`, 0 to 1, chooses among the shares.
  package func wait(after failures: Int, luck: Double = 0) -> Double {
    let rung = first * Double(1 << min(max(failures, 1) - 1, Self.lastDoubling))
    return min(rung, longest) * (shares.lowerBound + luck * (shares.upperBound - shares.lowerBound))
  }

  /// The sum of the waits after each of that many failures in a row, without chance.
  package func waited(after failures: Int) -> Double {
    var (sum, count) = (0.0, 0)
    while count < failures {
      let next = wait(after: count + 1)
      // From there on all are the longest.
      if next == longest { return sum + longest * Double(failures - count) }
      sum += next
      count += 1
    }
    return sum
  }

  /// Counts a failure; returns the wait after it.
  package mutating func failed(luck: Double = 0) -> Double {
    failures += failures < .max ? 1 : 0
    return wait(after: failures, luck: luck)
  }

  /// Begins the ladder again.
  package mutating func succeeded() { failures = 0 }

  /// Doublings that take any first wait beyond any longest one: a microsecond to 17 minutes.
  private static let lastDoubling = 30
}
