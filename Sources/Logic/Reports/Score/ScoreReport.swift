// SPDX-License-Identifier: Apache-2.0

package import Replay

/// A list of deliveries judged against a trace.
package struct ScoreReport: Sendable {
  /// Name of the trace, and identifier of its format; `nil` in a total over several formats.
  package var trace: (name: String, format: String?)
  /// Name of the truth file; `nil` if the trace is its own truth. For a total `trace` or a name, and `nil`
  /// if they differ.
  package var truth: String?
  /// Name of the list, its format, and its parts that made no delivery, by reason.
  package var events: (name: String, format: String?)
  package var skipped: [String: Int]
  package var rules: ScoringRules
  package var result: DeliveryScore
  /// The cheapest schedule of a clairvoyant, and the name of the device profile; `nil` if not computed.
  package var optimum: (profile: String, optimum: Optimum)?
  /// Whether every crossing is listed.
  package var listsCrossings = false
  /// The first lists in this total, and the number of all; none for one list.
  package var totalOf: [Pair] = []
  package var lists = 0

  /// A list, and its trace.
  package struct Pair: Sendable, Equatable {
    package let trace: String
    package let events: String
  }

  package init(
    trace: (name: String, format: String?), truth: String?,
    events: (name: String, format: String?),
    skipped: [String: Int], rules: ScoringRules, result: DeliveryScore
  ) {
    self.trace = trace
    self.truth = truth
    self.events = events
    self.skipped = skipped
    self.rules = rules
    self.result = result
  }
}
