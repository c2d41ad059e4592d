// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension Run {
  /// The records kept besides the totals.
  package struct Records: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let events = Records(rawValue: 1)
    /// Events with a verdict for every fix.
    package static let verdicts = Records(rawValue: 2)
    package static let radioLog = Records(rawValue: 4)
    /// Curves, places, wakes and daily totals, bounded.
    package static let curves = Records(rawValue: 8)
    /// The causal bound of each crossing; for significant change only.
    package static let causal = Records(rawValue: 16)
    /// Every judged crossing; for significant change only.
    package static let crossings = Records(rawValue: 32)
  }

  /// Takes an event of the truth at the latest sample.
  mutating func note(_ event: TruthEvent) {
    judges.note(event, at: clock.now)
    recorder?.note(event, clock: judges.whereabouts.eventClock)
  }
}
