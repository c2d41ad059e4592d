// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// A scenario of Android apps over a trace, told as an account.
struct AndroidSession {
  let script: AndroidScript
  let title: String
  let options: ReplayOptions

  func run(_ input: TraceInput, to output: OutputFile) throws {
    var run = AndroidRun(
      script, options: options, summary: input.replayed, observed: input.observed)
    try output.write(
      Array(AndroidText.head(title, script, trace: input.file.name, device: options.device).utf8))
    func drain() throws {
      for line in run.drainLines() { try output.write(Array(AndroidText.line(line).utf8)) }
    }
    try input.forEachPiece { events in
      run.feed(events)
      try drain()
    }
    let energy = run.finishTrace()
    try drain()
    try output.write(
      Array(
        AndroidText.end(run.totals, energy, receiverOn: run.receiverOnSeconds, options.device).utf8)
    )
    try output.commit()
  }
}
