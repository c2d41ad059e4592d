// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// Another clock may run faster than the machine's, and only it knows how fast. Two readings tell, the better the
// further they are apart; so it is read at first, then after twice the time, and so on, up to a minute. In between the
// time is reckoned.
//
//   none ─read─► first ─read 0.2 s later or more─► rate known ─read─► rate known better
//                  ▲                                    │
//                  └── it shows what was not foretold ──┘  it was set: the rate stays until it is known anew
//
// A clock is set, by NTP's first step or by hand: then what it showed before says nothing about its rate any more.

/// What a clock that has a rate of its own shows, as far as readings of it tell.
package struct ClockReckoning: Sendable, Equatable {
  /// Seconds of it in one of the machine's, as far as was seen; at first as if it were the machine's.
  package private(set) var rate = 1.0
  private var first: Reading?
  private var latest: Reading?

  /// What it showed, and the machine's clock then, seconds.
  private struct Reading: Sendable, Equatable {
    let shown: UTCInstant
    let at: Double
  }

  /// Machine's seconds between two readings from which on they say how fast it is, and at most.
  package static let baseline = 0.2...60.0
  /// Seconds by which it may differ from what was foretold [ours]: a question for it takes that long at worst.
  private static let roughness = 1.0
  /// Rates that a clock may have: what lies outside was a step [ours]; scenarios are played 1 to 100 times as fast.
  private static let rates = 0.1...200.0

  package init() {}

  /// Whether it was seen how fast it is, and it was not set since.
  package var isKnown: Bool {
    guard let first, let latest else { return false }
    return latest.at > first.at
  }

  /// What it shows at `machine`, seconds of the machine's clock; `nil` where it has to be read.
  package func shown(at machine: Double) -> UTCInstant? {
    guard let first, let latest, rate != 1 || isKnown else { return nil }
    let next = min(max(latest.at - first.at, Self.baseline.lowerBound), Self.baseline.upperBound)
    return machine < latest.at + next ? reckoned(from: latest, at: machine) : nil
  }

  private func reckoned(from reading: Reading, at machine: Double) -> UTCInstant {
    reading.shown.advanced(bySeconds: (machine - reading.at) * rate)
  }

  /// It showed `shown` when the machine's clock had `machine`, which never goes back.
  package mutating func read(_ shown: UTCInstant, at machine: Double) {
    let reading = Reading(shown: shown, at: machine)
    guard let first, let latest else {
      (first, latest) = (reading, reading)
      return
    }
    guard machine - first.at >= Self.baseline.lowerBound else { return }
    let error = UTCInstant.seconds(from: reckoned(from: latest, at: machine), to: shown)
    let seen = UTCInstant.seconds(from: first.shown, to: shown) / (machine - first.at)
    guard !isKnown || abs(error) <= Self.roughness, Self.rates.contains(seen) else {
      (self.first, self.latest) = (reading, reading)
      return
    }
    // A twentieth is the roughness of the question.
    rate = abs(seen - 1) < 0.05 ? 1 : seen
    self.latest = reading
  }
}
