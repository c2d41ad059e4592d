// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Replay
import TraceFiles

/// A trace that has been surveyed and can be replayed, with progress on standard error.
struct TraceInput {
  let file: TraceFile
  private let surveyed: SurveyedTrace
  private let progress: Progress

  /// Opens and surveys the trace at `path`.
  ///
  /// `truthPath` is the argument of `--truth`; `nil` takes the file beside the trace if there is one, `none` takes
  /// none. A recording of the service is a trace if its receiver was never switched off.
  /// A dense trace may be looked through while it is read: see `SurveyedTrace`.
  init(
    path: String, truthPath: String?, reading: ReadingOptions,
    look: (_ events: [TraceEvent]) -> Bool = { _ in false }
  ) throws {
    try self.init(
      TraceFile.open(path), path: path, truthPath: truthPath,
      reading: reading, look: look)
  }

  /// Surveys an open trace; `path` is the path with which it was opened.
  init(
    _ file: TraceFile, path: String, truthPath: String?, reading: ReadingOptions,
    look: (_ events: [TraceEvent]) -> Bool = { _ in false }
  ) throws {
    try RecordingFile(file)?.checkIsTrace()
    let progress = Progress(file.name)
    let truth = truthPath == "none" ? nil : truthPath ?? TraceFile.truthPath(beside: path)
    do {
      surveyed = try SurveyedTrace(
        file, truthPath: truth, options: reading.decoding,
        progress: { progress.report(read: $0) }, look: look)
    } catch {
      // What is said of it begins a line.
      progress.clear()
      throw error
    }
    self.file = file
    self.progress = progress
  }

  /// Whether all events were looked through while the trace was read.
  var isSeen: Bool { surveyed.isSeen }
  var summary: TraceSummary { surveyed.summary }
  var ledger: TraceLedger { surveyed.ledger }
  /// Name of the truth file; `nil` if the trace is its own truth.
  var truthName: String? { surveyed.truthName }
  /// The summary of the replayed trace: the truth's, or the trace's own.
  var replayed: TraceSummary { surveyed.replayed }
  /// The receiver's errors against the truth, if there is one.
  var observed: ObservedErrors? { surveyed.observed }

  /// Hands the events to the replay in pieces, and reports its progress if `isReported`.
  func forEachPiece(
    isReported: Bool = true, _ body: (_ events: [TraceEvent]) throws -> Void
  ) throws {
    defer { progress.clear() }
    try surveyed.forEachPiece(
      of: file, progress: { if isReported { progress.report(replayed: $0) } }, body)
  }
}
