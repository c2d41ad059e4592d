// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay

extension CompareForm {
  package static let json = Self(
    name: "json", help: "One JSON document per trace and line (schema milepost.compare/3)."
  ) { CompareJSON.line($0.trace, options: $0.options, curves: $0.curves) }
}

/// `milepost compare --json`.
package enum CompareJSON {
  package static var schema: JSONSchema { document.schema }

  /// One document on one line.
  ///
  /// With `curves`, one per row, each run carries everything that the HTML report draws.
  package static func line(
    _ trace: ComparedTrace, options: ReplayOptions, curves: [CurveRecord] = []
  ) -> [UInt8] {
    document.line(Compared(trace: trace, options: options, curves: curves))
  }

  private struct Compared {
    let trace: ComparedTrace
    let options: ReplayOptions
    let curves: [CurveRecord]

    var runs: [ComparedRun] {
      trace.figures(options).enumerated().map { index, figures in
        ComparedRun(
          figures: figures, curves: curves.indices.contains(index) ? curves[index] : nil)
      }
    }
  }

  /// A row of the comparison.
  struct ComparedRun {
    let figures: ModeFigures
    var curves: CurveRecord?
  }

  private static let document = JSONDocument<Compared>(
    "milepost.compare/3",
    "One line of milepost compare --json: one trace, or with total_of the sum over several."
  ) { compared in
    compared.value("trace", trace.output, \.trace)
    compared.value("profile", \.options.device.name)
    compared.value("network", \.options.network?.name)
    compared.value("era", \.options.rules.era.title)
    compared.value("seed", about: "Of the first world.") { Int(clamping: $0.options.seed) }
    compared.value(
      "worlds",
      about:
        "Simulated worlds, with seeds from seed on. A run's figures are those of the world in which its "
        + "energy is the median.", \.trace.worldCount)
    compared.value(
      "answers", AnswerTables.answers, about: "What to call by what the app must know."
    ) { AnswerTables.Subject(trace: $0.trace, device: $0.options.device) }
    compared.value(
      "unknowable", .array(of: AnswerTables.unknowable),
      about:
        "The first stretches, a thousand at most, in which nobody could know where the device was: no mode is judged by "
        + "them."
    ) { $0.trace.unknowable.spans }
    compared.optionalValue("receiver_hold_s", .number(in: 0...1e15, decimals: 3)) {
      $0.options.receiverHold > 0 ? $0.options.receiverHold : nil
    }
    compared.value(
      "settings", .texts,
      about:
        "Options and keys of the world file, as they would be written; for --baseline, which says which differ."
    ) { SavedSetting.texts(of: $0.options) }
    compared.value(
      "baseline", EnergyTables.rows, about: "What the device takes anyway.", \.trace.baseline)
    compared.value("runs", .array(of: run.output), { $0.runs })
    compared.optionalValue(
      "continuous_to_significant", ratio.output,
      about:
        "Energy of the first continuous run over that of the first significant one, over draws that are "
        + "common to both; absent where there is no such ratio.", \.trace.ratio)
    compared.optionalValue(
      "together", TogetherReport.table.output,
      about:
        "The modes' apps on one device at once (--details): adds is energy with an app minus energy "
        + "without it.", \.trace.together)
    compared.optionalValue(
      "total_of", [String].json,
      about:
        "Only in the last document over several traces: the first \(PartialSubjects.mostNames) of their names."
    ) { $0.trace.isTotal ? $0.trace.totalOf.names : nil }
    compared.optionalValue(
      "traces", .count,
      about:
        "Only there: their number. Figures are then the mean of all worlds, and energies those of the world in the middle."
    ) { $0.trace.isTotal ? $0.trace.totalOf.count : nil }
  }

  static let trace = JSONTable<ComparedTrace> { trace in
    trace.value(
      "name", about: "File name; stdin for standard input, total for several traces.", \.name)
    trace.value("format", about: "Null in a total over several formats.", \.format?.identifier)
    trace.value("fixes", \.fixes)
    trace.value("start", \.start)
    trace.value("end", \.end)
    trace.known(
      "duration_s", decimals: 3, about: "First to last fix; of several recordings, their sum.",
      \.duration)
    trace.known(
      "judged_s", decimals: 3,
      about: "Seconds of which the truth is known: all figures are over these.", \.judged)
    trace.known(
      "distance_m", decimals: 1, about: "True metres travelled in the judged time.", \.distance)
    trace.value("gaps", about: "Of the truth.", \.gaps)
    trace.known("gap_s", decimals: 3, \.gapSeconds)
    trace.optionalValue(
      "thinned",
      JSONTable<SparseDetail> { detail in
        detail.value("worlds", \.worlds)
        detail.value("one_of", \.oneOf)
        detail.known("stretch_s", decimals: 0, \.stretch)
      }.output,
      about:
        "Far-apart fixes: in how many worlds, and one of how many stretches is lived and judged.",
      \.thinned)
    trace.counts("skipped", about: "Lines or points that were not used, by reason.", \.skipped)
    trace.value(
      "truth", about: "trace, or the name of the truth file; null in a total where they differ.",
      \.truth)
  }

  static let run = JSONTable<ComparedRun> { run in
    run.include(identity, \.figures.row)
    run.include(JSONTable { $0.columns(CompareColumns.all) }, \.figures)
    run.include(AnswerTables.whereabouts, \.figures.row)
    run.include(ScoreTables.score(missed: "crossings_missed"), \.figures.row.score)
    run.value(
      "components", EnergyTables.rows, about: "Above the baseline.",
      \.figures.row.energy.components)
    run.object(
      "waste", about: "Part of energy_j that was for nothing.", \.figures.row.waste
    ) { waste in
      waste.known(
        "fixless_searches_j", decimals: 6,
        about: "Searches of the receiver that ended without a fix.",
        \.fixlessSearches.energy.nominal)
      waste.known(
        "unheard_sessions_j", decimals: 6,
        about:
          "Sessions of the receiver in which nothing was delivered, without those searches.",
        \.unheardSessions.energy.nominal)
      waste.known(
        "tails_j", decimals: 6,
        about: "Radios that stayed up behind a transfer, and the receiver's lingering.",
        \.tails.energy.nominal)
    }
    run.drivers { $0.figures.row.sureness?.drivers ?? [] }
    run.optionalValue(
      "curves", CurveTables.record.output,
      about:
        "What the report draws of the run (--details): bounded curves on a grid of step_s from the start, "
        + "unknown is null; lists hold the first ones, their counts all.", \.curves)
  }

  /// The identity of a row, also in another comparison of the same trace.
  static let identity = JSONTable<ModeRow> { row in
    row.value("mode", .word(among: RunPlan.Mode.allCases), \.plan.mode)
    row.value("scenario", .word(among: RunPlan.Scenario.allCases), { $0.plan.scenario })
    row.value(
      "policy", about: "Strategy of significant change; null for the other modes.", \.policyName)
    row.optionalValue(
      "interval_s", .number(in: 0...1e15, decimals: 3),
      about: "From one session or position to the next, as asked for; absent if that is not.",
      \.interval)
    row.optionalValue(
      "distance_m", .number(in: 0...1e9, decimals: 3),
      about: "From one position to the next, as asked for; absent if that is not.",
      \.plan.distanceFilter)
    row.value(
      "auto_pause",
      about:
        "Updates pause while the device is still; where the system does not resume them, and no phone's does, they end there.",
      \.plan.pausesAutomatically)
    row.optionalValue(
      "armed_by", .word(among: RunPlan.Arming.allCases),
      about: "What starts updates again that the app ended at a stay; absent if it does not.",
      \.plan.armedBy)
  }

  private static let ratio = JSONTable<ComparedTrace.Ratio> { ratio in
    ratio.value(
      "policy",
      about:
        "Of the significant change that missed the smallest share of crossings, then the cheapest.",
      \.policy)
    ratio.known("p5", decimals: 3, \.spread.p5)
    ratio.known("p50", decimals: 3, \.spread.p50)
    ratio.known("p95", decimals: 3, \.spread.p95)
    ratio.drivers(\.drivers)
  }
}

extension ModeRow {
  /// The name of its strategy of significant change; `nil` for the other modes.
  var policyName: String? { plan.mode == .significant ? plan.policy?.name : nil }
  /// Seconds from one session or position to the next, if they are asked for.
  var interval: Double? { plan.mode == .significant ? plan.policy?.interval : plan.interval }
}

extension JSONTable {
  /// `depends_on`: the numbers of the profile on which a result depends most, the strongest first.
  fileprivate mutating func drivers(_ drivers: @escaping @Sendable (Root) -> [Driver]) {
    objects(
      "depends_on",
      about: "The numbers that the result depends on most, the strongest first.", drivers
    ) { driver in
      driver.value(
        "number", about: "A row of the device or network profile: component,state,quantity.",
        \.number.key.description)
      driver.known(
        "share", in: 0...1, decimals: 4, about: "Of the variance over the draws.", \.share)
      driver.value("rises", about: "Whether the result grows with it.", \.rises)
    }
  }
}
