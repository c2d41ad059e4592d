// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import LocationModel
import RadioPower
package import Replay
import ServiceContract

/// One trace, or several together, with the result of each mode.
package struct ComparedTrace: Sendable {
  /// File name without its folders; `-` is standard input.
  package var name: String
  /// Identifier and name of the format; `nil` for several traces together.
  package var format: Format?
  package var fixes: Int
  package var start: UTCInstant?
  package var end: UTCInstant?
  /// Seconds from the first to the last fix.
  package var duration: Double
  /// Seconds and metres with known truth: all figures cover these.
  package var judged: Double
  package var distance: Double
  package var gaps: Int
  package var gapSeconds: Double
  package var skipped: [String: Int]
  /// What an app knows that hears nothing after its launch.
  package var silence: Whereabouts
  /// What nobody could know of it.
  package var unknowable: Unknowable
  /// What the answers are within.
  package internal(set) var tolerances = Tolerances.usual
  /// `trace`, or the name of the truth file.
  package var truth: String?
  /// Points left out as unconfirmed.
  package var leftOut: Int
  /// The clock of its time stamps; `nil` if they are in UTC or state no zone.
  package var statedClock: LocalClock?
  /// All findings of the decoder; of several traces together, none.
  package var oddities: [TraceLedger.Finding]
  package var rows: [ModeRow]
  /// In what of the worlds and days it was lived; `nil` if in all, or of several traces.
  package var thinned: SparseDetail?
  /// Continuous over significant change; `nil` before `assess`, or if one of them is missing.
  package internal(set) var ratio: Ratio?
  /// Joules of the device's full battery; 0 if it has none, and before `assess`.
  var battery = 0.0
  /// The call for each purpose; empty before `assess`.
  package internal(set) var answers: [Answer] = []
  /// The modes' apps on one device at once; `nil` if not requested, and for a total.
  package var together: DeviceSharingResult?
  /// The traces in this total; none for a trace.
  package internal(set) var totalOf = PartialSubjects()
  package var isTotal: Bool { totalOf.count > 0 }

  package struct Format: Sendable, Equatable {
    package var identifier: String
    package var name: String

    package init(identifier: String, name: String) {
      self.identifier = identifier
      self.name = name
    }
  }

  /// The result of one trace. `truth` is `nil` if the trace is its own truth.
  package init(
    name: String, format: Format, truth: String?, summary: TraceSummary, ledger: TraceLedger,
    result: ComparisonResult
  ) {
    self.name = name
    self.format = format
    self.truth = truth ?? "trace"
    fixes = summary.fixes
    (start, end, duration) = (summary.start, summary.end, summary.duration)
    (judged, distance) = (result.judged, result.distance)
    (gaps, gapSeconds) = (result.gaps, result.gapSeconds)
    skipped = ledger.skipped
    silence = result.silence
    unknowable = result.unknowable
    statedClock = ledger.utcOffset.map(LocalClock.init(statedMinutes:))
    leftOut = result.leftOut
    oddities = ledger.findings
    rows = result.runs.indices.map { index in ModeRow(result.worlds.map { $0[index] }) }
    thinned = result.thinned
  }

  /// Empty: the start of reading.
  init() {
    (name, fixes, duration, judged, distance) = ("", 0, 0, 0, 0)
    (gaps, gapSeconds, skipped, leftOut) = (0, 0, [:], 0)
    silence = Whereabouts(blindDistance: .infinity)
    unknowable = Unknowable()
    (oddities, rows) = ([], [])
  }

  /// The sum over several traces that were compared with the same options, in any order; `nil` without one.
  package init?(totalOf traces: [ComparedTrace]) {
    guard let first = traces.first else { return nil }
    var sum = ComparePartial(first)
    for trace in traces.dropFirst() { sum += ComparePartial(trace) }
    self = sum.total(of: first.rows.map(\.plan), worlds: first.worldCount)
  }

  /// Walks over the sums, without those of its rows.
  mutating func walkSums(_ walk: inout SumWalk) {
    walk.count(&fixes)
    walk.quantity(&duration)
    walk.quantity(&judged)
    walk.quantity(&distance)
    walk.count(&gaps)
    walk.quantity(&gapSeconds)
    walk.count(&leftOut)
    silence.walkSums(&walk)
    unknowable.walkSums(&walk)
  }

  /// Whether it can distinguish modes for a purpose.
  func isTested(_ purpose: Purpose) -> Bool {
    !hasTwoDates && purpose.figure(silence).map { !tolerances[purpose].holds($0) } ?? false
  }

  /// Whether a part of its positions is dated 1024 weeks before the others, and so was left out: no receiver ever
  /// saw such a life.
  var hasTwoDates: Bool {
    ["week_rollover", "time_backwards"].allSatisfy { kind in oddities.contains { $0.kind == kind } }
  }

  /// The number of worlds that were lived, fewer than were compared of a sparse trace.
  var livedWorlds: Int { thinned?.worlds ?? worldCount }

  /// Its name, or the number of traces that it is the total of.
  var title: String {
    isTotal ? "total of \(Figures.count(totalOf.count, "trace", "traces"))" : name
  }

  /// The number of compared worlds.
  package var worldCount: Int { rows.first?.worlds.count ?? 1 }

  /// The least judged time, seconds, for figures per day.
  static let longEnoughForDays = 20.0 * 3_600

  /// Whether figures per day are given.
  var isLong: Bool { judged >= Self.longEnoughForDays }

  /// `percent` of `judged` seconds as per cent of a day; `nil` if that is too short.
  static func perDay(_ percent: Double?, judged: Double) -> Double? {
    guard judged >= longEnoughForDays, let percent else { return nil }
    return percent * 86_400 / judged
  }

  /// The significant change in sentences and ratios: of several, the one that missed the smallest share of crossings,
  /// then the cheapest; one that delivered nothing only if all did.
  var significantIndex: Int? {
    rows.indices.filter { rows[$0].plan.mode == .significant }
      .min { rank(rows[$0]) < rank(rows[$1]) }
  }

  private func rank(_ row: ModeRow) -> (Int, Double, Double) {
    let share = row.score.crossings > 0 ? Double(row.score.missed) / Double(row.score.crossings) : 0
    return (row.deliveries > 0 ? 0 : 1, share, row.joules)
  }

  /// Baseline of every row; the same device lay under each of them.
  var baseline: [EnergyReport.Row] { rows.first?.energy.baseline ?? [] }
}
