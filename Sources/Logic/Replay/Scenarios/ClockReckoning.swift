// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// Another clock may run faster than the machine's, at an unknown rate. Two readings reveal it, the better the further
// they are apart; so the clock is read at first, then after twice the time, and so on, up to a minute. In between the
// time is computed.
//
//   none ─read─► first ─read 0.2 s later or more─► rate known ─read─► rate known better
//                  ▲                                    │
//                  └── it shows what was not foretold ──┘  it was set: the rate stays until it is known anew
//
// A clock is set, by NTP's first step or by hand: its earlier readings then say nothing about its rate.

/// The reading of a clock with a separate rate, as derived from readings of it.
package struct ClockReckoning: Sendable, Equatable {
  /// Seconds of it in one of the machine's, as observed; at first the machine's rate.
  package private(set) var rate = 1.0
  private var first: Reading?
  private var latest: Reading?

  /// A reading of the clock, and of the machine's clock then, seconds.
  private struct Reading: Sendable, Equatable {
    let shown: UTCInstant
    let at: Double
  }

  /// Machine seconds between two readings: the least that determine the rate, and the most.
  package static let baseline = 0.2...60.0
  /// The allowed difference from the prediction, seconds [ours]: a reading takes that long at worst.
  private static let roughness = 1.0
  /// The rates that a clock can have: a rate outside was a step [ours]; scenarios are played 1 to 100 times as fast.
  private static let rates = 0.1...200.0

  package init() {}

  /// Whether the rate was observed and the clock not set since.
  package var isKnown: Bool {
    guard let first, let latest else { return false }
    return latest.at > first.at
  }

  /// The clock's reading at `machine`, seconds of the machine's clock; `nil` if it must be read.
  package func shown(at machine: Double) -> UTCInstant? {
    guard let first, let latest, rate != 1 || isKnown else { return nil }
    let next = min(max(latest.at - first.at, Self.baseline.lowerBound), Self.baseline.upperBound)
    return machine < latest.at + next ? reckoned(from: latest, at: machine) : nil
  }

  private func reckoned(from reading: Reading, at machine: Double) -> UTCInstant {
    reading.shown.advanced(bySeconds: (machine - reading.at) * rate)
  }

  /// Takes the reading `shown` at the machine's time `machine`, which never goes back.
  package mutating func takeReading(_ shown: UTCInstant, at machine: Double) {
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
    // The reading is only accurate to a twentieth.
    rate = abs(seen - 1) < 0.05 ? 1 : seen
    self.latest = reading
  }
}
