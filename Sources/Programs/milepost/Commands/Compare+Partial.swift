// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationModel
import Replay
import Reports
import TraceFiles

/// `milepost compare --partial TRACE...`, `milepost compare --merge FILE...` and `milepost compare --stream`
extension Compare {
  func checkPartial() throws {
    if traces.isEmpty, !lines.stream {
      throw ValidationError("Missing expected argument '<trace> ...'")
    }
    try lines.check(
      traces,
      others: [
        ("--era all", setting.world.hasAllEras), ("a scenario's file", scenario?.path != nil),
        ("--html", told.html != nil), ("--card", told.card != nil),
        ("--baseline", told.baseline != nil),
        ("--truth", (lines.merge || lines.stream) && truth.truth != nil),
        ("--for", lines.partial && wish.purpose != nil),
      ] + told.flags.map { ("--" + $0.form.name, lines.partial || lines.stream) })
  }

  private func partialSettings(
    _ plans: [RunPlan], _ options: ReplayOptions
  ) -> [(name: String, value: String)] {
    ComparePartial.settings(of: plans, worlds: worlds, options)
  }

  /// Writes the sums over all traces as one line; `compare` returns `nil` for one that is left out.
  func writePartial(
    _ plans: [RunPlan], _ options: ReplayOptions, to output: OutputFile,
    compare: (String) throws -> ComparedTrace?
  ) throws {
    let settings = partialSettings(plans, options)
    var sum: ComparePartial?
    for path in traces {
      guard let trace = try compare(path) else { continue }
      let part = ComparePartial(trace, release: Release.version, settings: settings)
      if sum == nil { sum = part } else { sum? += part }
    }
    if let sum { try output.write(sum.line + [0x0A]) }
    try output.commit()
  }

  /// Prints the total of the lines in the files given in place of traces.
  func addUp(_ plans: [RunPlan], _ options: ReplayOptions) throws {
    var files = PartialFiles<ComparePartial>(
      settings: partialSettings(plans, options),
      shape: ComparePartial.shape(rows: plans.count, worlds: worlds))
    let sum = try files.total(of: traces)
    let output = try OutputFile(path: nil)
    if lines.partial {
      try output.write(sum.line + [0x0A])
      return try output.commit()
    }
    var total = sum.total(of: plans, worlds: worlds)
    total.assess(options, within: try wish.tolerances())
    try printForm(of: total, options, isFirst: true, to: output)
    if told.form?.hasFootnotes == true {
      let basis = Footnotes.report(
        total.rows, options: options, traceAsTruth: total.truth == "trace")
      try output.write("\n" + basis.text(Console.style))
    }
    try output.commit()
  }

  /// Compares the trips on standard input.
  func compareStream(_ plans: [RunPlan], _ options: ReplayOptions) throws {
    let settings = partialSettings(plans, options)
    let tolerances = try wish.tolerances()
    try TripStream<ComparePartial>(seconds: lines.tripSeconds, takesEvents: false).run { trip in
      var compared = try ComparisonSession(
        plans: plans, options: options, setting: setting, truth: truth, worlds: worlds,
        cores: .one, budget: trip.budget
      ).run(trip.path)
      compared.trace.assess(compared.options, within: tolerances)
      let sums = ComparePartial(compared.trace, release: Release.version, settings: settings)
      return (sums, { CompareTrip.line(compared.trace, compared.options, $0) })
    } failed: {
      CompareTrip.line($0)
    }
  }
}
