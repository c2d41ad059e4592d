// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The numbers of the definitions in `Scorer`.
package struct ScoringRules: Sendable, Equatable {
  /// Metres of true distance from the anchor that make a crossing, one of `distances`.
  package var distance = 500.0
  /// The range in which the scorer's flat frames hold [ours].
  package static let distances = 1.0...10_000
  /// The least time, seconds, between a delivery and the next crossing; 0 or more.
  package var interval = 300.0
  /// The delay allowed to a never-late policy, seconds: a tenth of the interval, 1 s or more.
  package var delay: Double { max(1, interval / 10) }
  /// The lead, seconds, of a bound on lateness that knows when each crossing comes (`PunctualReceiver`); `nil` for the
  /// quickest that knows the past only (`CausalReceiver`).
  package var lead: Double?
  /// Seconds after which a crossing without a delivery is missed.
  package var patience = 1_800.0
  /// Seconds before the end of a segment in which a crossing is not judged.
  package var margin = 300.0
  /// The most metres that two claimed accuracies may explain together.
  package var explained = 100.0

  /// What a stay of the truth is (`TruthEvents`).
  package enum Stay {
    /// Metres within which the device stays.
    package static let radius = 100.0
    /// The least seconds of a stay.
    package static let dwell = 300.0
    /// The seconds that suffice if a segment begins or ends in it [ours].
    package static let cut = 120.0
    /// The same if the trace itself begins or ends in it [ours].
    package static let pause = 30.0
  }

  package init() {}

  /// Whether an event at `at` is judged if its segment goes on to `end`, or ends there.
  func judges(_ at: EngineInstant, bySegmentEnd end: EngineInstant) -> Bool {
    EngineInstant.seconds(from: at, to: end) >= margin
  }
}
