// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Between two fixes that are minutes or hours apart nothing was measured: what a world makes there is drawn, and a second
// of it costs as much as one that was recorded. So the legs of a sparse trace have a budget of seconds over all worlds:
//
//     fewer worlds first     down to `fewest`
//     then fewer stretches   one of so many is lived, from the start on; nothing is judged in the others, as in a gap
//
// A stretch is a day, or ten usual steps if these last longer. A trace whose long legs last less, such as a day of a phone
// that is silent at rest, is lived as a whole in all worlds.

/// In how many worlds a trace with long legs is lived, and how much of it.
package struct SparseDetail: Sendable, Equatable {
  /// The seconds of long legs in all worlds together [ours: some ten seconds of a processor].
  static let budget = 3_500_000.0
  /// The least number of worlds, if more were asked for [ours].
  static let fewest = 5
  /// The number of worlds that are lived.
  package let worlds: Int
  /// Of so many stretches one is lived; 1 if all are.
  package let oneOf: Int
  /// Seconds of a stretch [ours: people, ships and birds have habits of a day].
  package let stretch: Double

  /// `worlds`: as many as were asked for, at least one.
  package init(_ summary: TraceSummary, worlds asked: Int) {
    let seconds = summary.longLegSeconds
    worlds = seconds * Double(asked) <= Self.budget ? asked : min(asked, Self.fewest)
    stretch = max(86_400, 10 * (summary.medianInterval ?? 0))
    oneOf = max(1, Int((seconds * Double(worlds) / Self.budget).rounded(.up)))
  }

  /// Whether a point is lived, `seconds` behind the start.
  func lives(at seconds: Double) -> Bool {
    let number = (seconds / stretch).rounded(.down)
    return number.truncatingRemainder(dividingBy: Double(oneOf)) == 0
  }
}
