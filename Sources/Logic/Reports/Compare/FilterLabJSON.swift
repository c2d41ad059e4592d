// SPDX-License-Identifier: Apache-2.0

package import JSONText
import RadioPower
package import Replay

/// What `filter-lab` writes of one trace: the runs of significant change, as `milepost compare --json` has them, with
/// every judged crossing and what no policy can do better.
package enum FilterLabJSON {
  package static var schema: JSONSchema { document.schema }

  /// One document on one line.
  package static func line(_ trace: ComparedTrace, options: ReplayOptions) -> [UInt8] {
    document.line(Judged(trace: trace, options: options))
  }

  private struct Judged {
    let trace: ComparedTrace
    let options: ReplayOptions
  }

  private static let document = JSONDocument<Judged>(
    "milepost.filter-lab/1", "One line of filter-lab: one trace in one world."
  ) { lab in
    lab.value("trace", CompareJSON.trace.output, \.trace)
    lab.value("profile", \.options.device.name)
    lab.value("seed") { Int(clamping: $0.options.seed) }
    lab.value(
      "known_ahead_s", .nullable(.number(in: 0...300, decimals: 3)),
      about:
        "How long before each crossing the bound on lateness knows of it; null where it does not.",
      \.options.scoring.lead)
    lab.value("settings", .texts, about: "As in milepost compare --json.") {
      SavedSetting.texts(of: $0.options)
    }
    lab.value("runs", .array(of: run.output)) {
      $0.trace.figures($0.options).map { CompareJSON.ComparedRun(figures: $0) }
    }
  }

  private static let run = JSONTable<CompareJSON.ComparedRun> { run in
    run.include(CompareJSON.run) { $0 }
    run.bounds(\.figures.row.optimum, \.figures.row.score.causal, isRequired: false)
    run.optionalValue(
      "crossing_list", .array(of: ScoreTables.crossing.output),
      about: "Every judged crossing, in order.", \.figures.row.crossings)
  }
}
