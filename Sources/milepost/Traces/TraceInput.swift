// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Replay
import TraceFiles

// Theory
// ======
//
// A trace is read twice: the first pass surveys it (the gap threshold depends on its median interval),
// the second replays it. With a truth file the replay runs over the truth instead, and the trace tells
// what the receiver saw of it: both are then in memory once.

/// A trace that has been surveyed and can be replayed.
struct TraceInput {
  let file: TraceFile
  let summary: TraceSummary
  let ledger: TraceLedger
  /// Name of the truth file; `nil` where the trace is its own truth.
  private(set) var truthName: String?

  private let options: DecodingOptions
  private let progress: Progress
  private var truth: Truth?

  private struct Truth {
    var events: [TraceEvent]
    var summary: TraceSummary
    var observed: ObservedErrors
  }

  /// Opens and surveys the trace at `path`.
  ///
  /// `truthPath` is what `--truth` said; `nil` takes the file beside the trace if there is one, `none`
  /// takes none.
  /// A recording of the engine is a trace where its receiver was never switched off.
  init(path: String, truthPath: String?, reading: ReadingOptions) throws {
    try self.init(TraceFile(path: path), path: path, truthPath: truthPath, reading: reading)
  }

  /// Surveys an open trace; `path` is where it was opened.
  init(_ file: TraceFile, path: String, truthPath: String?, reading: ReadingOptions) throws {
    try RecordingFile(file)?.checkIsTrace()
    let progress = Progress(file.name)
    let options = reading.decoding
    var survey = TraceSurvey()
    ledger = try file.read(options: options, progress: { progress.report($0, pass: 1) }) { events in
      survey.include(events)
    }
    summary = survey.finished()
    self.file = file
    self.options = options
    self.progress = progress
    try Self.check(summary, ledger, file.name)
    guard let path = try Self.truthPath(truthPath, beside: path) else { return }
    (truth, truthName) = try Self.truth(at: path, of: file, options, summary)
  }

  /// What the replay runs over: the truth's summary, or the trace's own.
  var replayed: TraceSummary { truth?.summary ?? summary }

  /// What the receiver saw of the truth, where there is one.
  var observed: ObservedErrors? { truth?.observed }

  /// Hands the events to replay over, chunk by chunk.
  func forEachChunk(_ body: (_ events: [TraceEvent]) throws -> Void) throws {
    defer { progress.clear() }
    guard let truth else {
      _ = try file.read(options: options, progress: { progress.report($0, pass: 2) }) { events in
        try body(events)
      }
      return
    }
    try body(truth.events)
  }

  private static func check(
    _ summary: TraceSummary, _ ledger: TraceLedger, _ name: String
  ) throws {
    let read = "\(ledger.read) \(ledger.unit.rawValue) were read"
    guard summary.fixes > 0 else {
      throw Complaint(
        "\(name): no fix in this trace: \(read), with \(summary.noFixEpochs) epochs without a "
          + "position (milepost info tells what is in it)")
    }
    guard summary.duration > 0 else {
      throw Complaint(
        "\(name): all \(summary.fixes) fixes have the same time; a trace to replay needs at least two "
          + "times (milepost info tells what is in it)")
    }
  }

  private static func truthPath(_ said: String?, beside path: String) throws -> String? {
    switch said {
    case nil: TraceFile.truthPath(beside: path)
    case "none": nil
    case let said?: said
    }
  }

  private static func truth(
    at path: String, of trace: TraceFile, _ options: DecodingOptions, _ summary: TraceSummary
  ) throws -> (Truth, String) {
    let file = try TraceFile(path: path)
    var events: [TraceEvent] = []
    var survey = TraceSurvey()
    _ = try file.read(options: DecodingOptions()) { part in
      survey.include(part)
      events += part
    }
    let truthSummary = survey.finished()
    try check(truthSummary, TraceLedger(unit: .lines), file.name)
    guard let start = summary.start, let end = summary.end,
      let first = truthSummary.start, let last = truthSummary.end, first <= end, start <= last
    else {
      throw Complaint(
        "\(file.name): the truth is of another time than \(trace.name); --truth none replays the trace "
          + "as it is")
    }
    var fixes: [Fix] = []
    _ = try trace.read(options: options) { part in fixes += part.compactMap(\.fix) }
    let observed = ObservedErrors(trace: fixes, truth: events.compactMap(\.fix))
    return (Truth(events: events, summary: truthSummary, observed: observed), file.name)
  }
}

extension TraceEvent {
  fileprivate var fix: Fix? {
    if case .fix(let fix, _) = self { fix } else { nil }
  }
}
