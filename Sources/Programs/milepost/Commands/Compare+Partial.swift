// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationModel
import Replay
import Reports
import TraceFiles

/// `milepost compare --partial TRACE...` and `milepost compare --merge FILE...`
extension Compare {
  func checkPartial() throws {
    try lines.check(
      traces,
      others: [
        ("--era all", setting.world.hasAllEras), ("a scenario's file", scenario?.path != nil),
        ("--html", told.html != nil), ("--card", told.card != nil),
        ("--baseline", told.baseline != nil), ("--truth", lines.merge && truth.truth != nil),
        ("--for", lines.partial && wish.purpose != nil),
      ] + told.flags.map { ("--" + $0.form.name, lines.partial) })
  }

  /// Writes the result of `compare` for each trace as a line of sums.
  func writePartials(
    _ plans: [RunPlan], _ options: ReplayOptions, to output: OutputFile,
    compare: (String) throws -> ComparedTrace
  ) throws {
    let settings = ComparePartial.settings(of: plans, worlds: worlds, options)
    for path in traces {
      do {
        let partial = ComparePartial(
          try compare(path), release: Release.version, settings: settings)
        let sums = try PartialSums.bytes(partial.sums)
        try output.write(partial.line(sums, as: "sums") + [0x0A])
      } catch {
        // Earlier comparisons are useful without the rest.
        try output.commit()
        throw error
      }
    }
    try output.commit()
  }

  /// Prints the total of the lines in the files given in place of traces.
  func addUp(_ plans: [RunPlan], _ options: ReplayOptions) throws {
    let files = try PartialFiles<ComparePartial>(
      traces, settings: ComparePartial.settings(of: plans, worlds: worlds, options))
    var sum = ComparedSum()
    var traceAsTruth = false
    try files.forEach { partial, line in
      let sums = try PartialSums.comparison(in: line)
      guard let trace = partial.complete(with: sums, of: plans, worlds: worlds, options) else {
        throw InputError("'sums' is not as --partial writes it; make the line again")
      }
      traceAsTruth = traceAsTruth || trace.truth == "trace"
      sum.addTrace(trace)
    }
    guard var total = sum.total else { return }
    total.assess(options, within: try wish.tolerances())
    let output = try OutputFile(path: nil)
    try printForm(of: total, options, isFirst: true, to: output)
    if told.form?.hasFootnotes == true {
      let text = Footnotes.text(
        total.rows, options: options, traceAsTruth: traceAsTruth, style: Console.style)
      try output.write("\n" + text)
    }
    try output.commit()
  }
}
