// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import Replay
import Reports
import TraceFiles

/// The reason why the app received nothing at one instant of a replay.
struct ReplayQuestion {
  let instant: UTCInstant
  let plan: RunPlan
  let options: ReplayOptions

  func answer(_ input: TraceInput, asJSON: Bool, to output: OutputFile) throws {
    let summary = input.replayed
    guard let start = summary.start, let end = summary.end, start <= instant, instant <= end else {
      throw Complaint(
        "\(input.file.name): \(instant.rfc3339) lies outside the trace, which goes from "
          + "\(summary.start?.rfc3339 ?? "?") to \(summary.end?.rfc3339 ?? "?")")
    }
    var comparison = Comparison(
      [plan], options: options, summary: summary, observed: input.observed,
      records: [.events, .verdicts], last: instant)
    var history = WhyAnswer.History()
    try input.forEachPiece { events in
      for event in events where !comparison.isPast {
        comparison.feed(event)
        history.include(events: comparison.drainEvents(ofRun: 0))
      }
    }
    if !comparison.isPast {
      _ = comparison.finishTrace()
      history.include(events: comparison.drainEvents(ofRun: 0))
    }
    var run = comparison.runs[0]
    let at = run.pass(toUTC: instant)
    history.include(events: run.drainEvents())
    guard let explanation = run.engine.explanation(for: AppID(1), at: at) else {
      throw Complaint(
        "\(input.file.name): nothing had begun at \(instant.rfc3339)"
          + (summary.backwardTimes > 0
            ? "; the trace's time goes back, and what follows can only be asked for in a file of its own"
            : ""))
    }
    let answer = WhyAnswer(
      time: instant, at: at, explanation: explanation, history: history,
      place: comparison.latest?.place, isInGap: comparison.isInGap)
    try output.write(asJSON ? WhyAnswer.document.line(answer) : Array(answer.text.utf8))
    try output.commit()
  }
}
