// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import Replay
import Reports
import TraceFiles

/// The events of a replay as text, as JSON lines, or its deliveries as a trace.
struct ReplayWriter {
  private enum Form {
    case text
    case lines(ReplayJSONLines)
    case deliveries(TraceWriter)
  }

  private var form: Form
  private var count = 0

  init(format: ReplayFormat) {
    form =
      switch format {
      case .text: .text
      case .jsonl: .lines(ReplayJSONLines())
      case .deliveries(let format): .deliveries(TraceWriter(format: format))
      }
  }

  /// The bytes before the first event.
  mutating func beginOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    guard case .deliveries(var writer) = form else { return bytes }
    writer.begin(into: &bytes)
    form = .deliveries(writer)
    return bytes
  }

  mutating func encode(event: ReplayEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    switch form {
    case .text: bytes += (ReplayText.line(event: event) + "\n").utf8
    case .lines(var lines):
      lines.writeEvent(event, into: &bytes)
      form = .lines(lines)
    case .deliveries(var writer):
      count += 1
      switch event.kind {
      case .decided(.deliver(_, let delivery)):
        writer.encode(.fix(delivery.fix, line: count), into: &bytes)
      case .gap: writer.encode(.segmentEnd(line: count), into: &bytes)
      case .decided, .callbacks, .radio, .user, .did, .sent, .refused, .notPlayed: break
      }
      form = .deliveries(writer)
    }
    return bytes
  }

  /// The bytes after the last step of a recording.
  func finish(recording: DecidedRecording) -> [UInt8] {
    finishOutput(recording.text) { $0.finish(recording: recording, into: &$1) }
  }

  /// The bytes after the last event.
  func finish(totals: ReplayTotals) -> [UInt8] {
    finishOutput(ReplayText.totals(totals).text(.plain)) { $0.finish(totals: totals, into: &$1) }
  }

  private func finishOutput(
    _ text: @autoclosure () -> String,
    _ end: (inout ReplayJSONLines, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    switch form {
    case .text: bytes += text().utf8
    case .lines(var lines): end(&lines, &bytes)
    case .deliveries(var writer): writer.finish(into: &bytes)
    }
    return bytes
  }
}
