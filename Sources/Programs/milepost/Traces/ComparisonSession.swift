// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import Replay
import Reports
import ServiceContract
import TraceFiles

/// Runs side by side over one trace: from its path to their figures.
struct ComparisonSession {
  let plans: [RunPlan]
  /// Without the towers near the trace.
  let options: ReplayOptions
  let setting: ReplaySetting
  let truth: TruthOption
  var records: Run.Records = []
  let worlds: Int
  var cores = Cores.all
  var budget = TripBudget.none

  /// The trace, its figures, and the options with the towers near it.
  struct Outcome {
    let input: TraceInput
    let options: ReplayOptions
    var trace: ComparedTrace
  }

  func run(_ path: String) throws -> Outcome {
    var options = options
    // The apps know the places of the trip before it begins. Those of a dense trace are found while it is surveyed.
    let asks = options.places.isEmpty
    var places = TripPlaces(.dense, isRecorded: true, radius: options.placeRadius)
    let input = try TraceInput(path: path, truthPath: truth.truth, reading: setting.reading) {
      if asks { places.feed($0) }
      return asks
    }
    if asks {
      if !input.isSeen {
        places = TripPlaces(
          input.replayed, isRecorded: input.observed == nil, radius: options.placeRadius)
        try input.forEachPiece(isReported: false) {
          try budget.check(path)
          places.feed($0)
        }
      }
      options.places = places.finishTrace()
    }
    try setting.world.placeTowers(for: input, in: &options)
    var replay = comparison(options, input.replayed, input.observed)
    try input.forEachPiece {
      try budget.check(path)
      replay.feed($0)
    }
    return try outcome(of: replay, input, options)
  }

  private func comparison(
    _ options: ReplayOptions, _ summary: TraceSummary, _ observed: ObservedErrors?
  ) -> Comparison {
    Comparison(
      plans, options: options, summary: summary, observed: observed, records: records,
      worlds: worlds, on: cores)
  }

  private func outcome(
    of comparison: consuming Comparison, _ input: TraceInput, _ options: ReplayOptions
  ) throws -> Outcome {
    let result = comparison.finishTrace()
    guard result.judged > 0 else { throw nothingToJudge(input, result) }
    let trace = ComparedTrace(
      name: input.file.name,
      format: .init(identifier: input.file.format.identifier, name: input.file.format.name),
      truth: input.truthName, summary: input.summary, ledger: input.ledger, result: result)
    return Outcome(input: input, options: options, trace: trace)
  }

  private func nothingToJudge(_ input: TraceInput, _ result: ComparisonResult) -> Complaint {
    let limit = Figures.plain(input.replayed.gapThreshold)
    let jumps =
      result.leftOut > 0
      ? ", or leads to a jump that nothing confirms or that is undone, or to a fix off by more than 100 m "
        + "(\(Figures.count(result.leftOut)) left out)"
      : ""
    return Complaint(
      "\(input.file.name): nothing to judge: every step between its fixes is a gap (a segment's end, "
        + "or more than \(limit) s), in which nobody knows where the device was\(jumps)")
  }
}
