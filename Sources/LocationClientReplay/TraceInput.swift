// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Replay
import TraceFiles

/// A surveyed trace, with its truth where one lies beside it.
struct TraceInput: @unchecked Sendable {
  // `TraceFile` is opened anew for each pass, so nothing mutable is shared.
  private let path: String
  private let summary: TraceSummary
  private var truth: Truth?

  private struct Truth {
    var events: [TraceEvent]
    var summary: TraceSummary
    var observed: ObservedErrors
  }

  init(path: String) throws {
    self.path = path
    let fixes: [Fix]
    (summary, fixes) = try Self.survey(path, keepsFixes: TraceFile.truthPath(beside: path) != nil)
    guard let beside = TraceFile.truthPath(beside: path) else { return }
    var events: [TraceEvent] = []
    let truthSummary = try Self.survey(beside, keepsFixes: false) { events += $0 }.0
    guard let start = summary.start, let end = summary.end, let first = truthSummary.start,
      let last = truthSummary.end, first <= end, start <= last
    else {
      throw ReplayError("\(beside): the truth is of another time than the trace beside it")
    }
    truth = Truth(
      events: events, summary: truthSummary,
      observed: ObservedErrors(trace: fixes, truth: events.compactMap(\.fix)))
  }

  var replayed: TraceSummary { truth?.summary ?? summary }
  var observed: ObservedErrors? { truth?.observed }

  func forEachChunk(_ body: ([TraceEvent]) throws -> Void) throws {
    if let truth { return try body(truth.events) }
    let file = try Self.open(path)
    _ = try file.read(options: DecodingOptions()) { events in try body(events) }
  }

  private static func survey(
    _ path: String, keepsFixes: Bool, _ also: ([TraceEvent]) -> Void = { _ in }
  ) throws -> (TraceSummary, [Fix]) {
    let file = try open(path)
    var survey = TraceSurvey()
    var fixes: [Fix] = []
    do {
      _ = try file.read(options: DecodingOptions()) { events in
        survey.include(events)
        if keepsFixes { fixes += events.compactMap(\.fix) }
        also(events)
      }
    } catch let error as TraceFileError {
      throw ReplayError(error.message)
    }
    let summary = survey.finished()
    guard summary.fixes > 0, summary.duration > 0 else {
      throw ReplayError(
        "\(file.name): a trace to replay needs fixes at two times or more (milepost info tells what "
          + "is in it)")
    }
    return (summary, fixes)
  }

  private static func open(_ path: String) throws -> TraceFile {
    do {
      return try TraceFile(path: path)
    } catch let error as TraceFileError {
      throw ReplayError(error.message)
    }
  }
}

extension TraceEvent {
  fileprivate var fix: Fix? {
    if case .fix(let fix, _) = self { fix } else { nil }
  }
}
