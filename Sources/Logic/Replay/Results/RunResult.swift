// SPDX-License-Identifier: Apache-2.0

/// The costs, deliveries and misses of one run.
@dynamicMemberLookup
package struct RunResult: Sendable, Equatable {
  package let plan: RunPlan
  /// The sums over traces; their members are read as the run's own.
  package private(set) var sums: RunSums
  /// The quality of the app's region events, in the order of its regions.
  package private(set) var regions: [RegionScore] = []
  /// The quality of its visit events; `nil` if it monitors none.
  package private(set) var visits: VisitScore?
  /// The judged crossings in order; `nil` if not requested.
  package private(set) var crossings: [Crossing]?
  /// The data for a picture of the run; `nil` if not requested.
  package var curves: CurveRecord?
  /// The needs of a clairvoyant; only for significant change, and if requested.
  package internal(set) var optimum: Optimum?

  package subscript<Value>(dynamicMember path: KeyPath<RunSums, Value>) -> Value {
    sums[keyPath: path]
  }

  /// Seconds and metres during which the app did not know its place.
  package var blindSeconds: Double { sums.whereabouts.blindSeconds }
  package var blindMetres: Double { sums.whereabouts.blindMetres }
}
