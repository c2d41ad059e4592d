// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// One replay of a trace from its first to its last event, written progressively.
struct ReplaySession {
  let plan: RunPlan
  let options: ReplayOptions
  let format: ReplayFormat
  let why: Bool
  /// Times the trace's own speed; `nil` is as fast as possible.
  let speed: Double?

  func run(_ input: TraceInput, output path: String?, radioLog: String?) throws {
    let output = try OutputFile(path: path)
    // Only a stream shows an event at once; a file appears when it is complete.
    let flushes = speed != nil && (path ?? "-") == "-"
    let log = try radioLog.map { try OutputFile(path: $0) }
    var records: Run.Records = [.events]
    if why { records.insert(.verdicts) }
    if log != nil { records.insert(.radioLog) }
    var comparison = Comparison(
      [plan], options: options, summary: input.replayed, observed: input.observed,
      records: records)
    var writer = ReplayWriter(format: format)
    try output.write(writer.beginOutput())
    try input.forEachPiece { events in
      for event in events {
        guard !output.isClosed else { return }
        comparison.feed(event)
        try writeEvents(comparison.drainEvents(ofRun: 0), with: &writer, to: output, flushes)
        try writeActivities(comparison.drainRadioLog(ofRun: 0), to: log)
      }
    }
    let result = comparison.finishTrace()
    try writeEvents(comparison.drainEvents(ofRun: 0), with: &writer, to: output, flushes)
    try writeActivities(comparison.drainRadioLog(ofRun: 0), to: log)
    if let run = result.runs.first {
      let end = comparison.latest?.time ?? UTCInstant(microseconds: 0)
      try output.write(
        writer.finish(
          totals: ReplayTotals(time: end, run: run, judged: result.judged, options: options)))
    }
    try output.commit()
    try log?.commit()
  }

  private func writeEvents(
    _ events: [ReplayEvent], with writer: inout ReplayWriter, to output: OutputFile,
    _ flushes: Bool
  ) throws {
    for event in events {
      guard !output.isClosed else { return }
      if let speed { Pace.wait(until: event.at.seconds / speed) }
      try output.write(writer.encode(event: event))
      if flushes { try output.commit() }
    }
  }

  private func writeActivities(_ activities: [Activity], to log: OutputFile?) throws {
    guard let log else { return }
    let writer = ActivityLogWriter()
    var bytes: [UInt8] = []
    for activity in activities { writer.write(activity: activity, into: &bytes) }
    try log.write(bytes)
  }
}

/// The clock of a paced replay.
enum Pace {
  private static let start = ContinuousClock.now

  /// Sleeps until that many seconds after the first call.
  static func wait(until seconds: Double) {
    while true {
      let left = start + .seconds(seconds) - ContinuousClock.now
      guard left > .zero else { return }
      let (whole, fraction) = left.components
      var span = timespec(tv_sec: Int(whole), tv_nsec: Int(fraction / 1_000_000_000))
      // A signal ends the sleep early; the loop checks the clock again.
      nanosleep(&span, nil)
    }
  }
}
