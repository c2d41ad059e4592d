// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// A scenario of Android apps over a trace, told as an account, and drawn if that is asked for.
struct AndroidSession {
  let script: AndroidScript
  let title: String
  let options: ReplayOptions

  /// `html` is the file of the picture.
  func run(_ input: TraceInput, asJSON: Bool, to path: String?, html: String?) throws {
    let output = html == "-" && (path ?? "-") == "-" ? nil : try OutputFile(path: path)
    var run = AndroidRun(
      script, options: options, summary: input.replayed, observed: input.observed)
    var lines = ReplayJSONLines()
    var timeline = AndroidTimeline(script)
    func drain() throws {
      for line in run.drainLines() {
        timeline.include(line: line)
        guard asJSON else { continue }
        var bytes: [UInt8] = []
        lines.writeAndroid(line, into: &bytes)
        try output?.write(bytes)
      }
    }
    try input.forEachPiece { events in
      run.feed(events)
      try drain()
    }
    let energy = run.finishTrace()
    try drain()
    let result = run.result(energy)
    timeline.finish(at: result.time)
    let told = AndroidReport(
      timeline, result, of: script, title: title, trace: input.file.name, device: options.device)
    if let html { try OutputFile.writeWhole(told.page, to: html) }
    if asJSON {
      var bytes: [UInt8] = []
      lines.finish(android: result, into: &bytes)
      try output?.write(bytes)
    } else {
      try output?.write(told.report.text(Console.style))
    }
    try output?.commit()
  }
}

extension ExpectationSession {
  /// One life of Android apps.
  func live(
    _ script: AndroidScript, over input: TraceInput, _ options: ReplayOptions
  ) throws -> Life {
    var judge = ExpectationJudge(scenario)
    var account: [ReplayEvent] = []
    var run = AndroidRun(
      script, options: options, summary: input.replayed, observed: input.observed)
    func drain() {
      let lines = run.drainLines()
      judge.takeAccount(lines)
      account += lines.filter(\.isForPeople).map(\.event)
    }
    try input.forEachPiece(isReported: false) { events in
      judge.takeTruth(events)
      run.feed(events)
      drain()
    }
    let energy = run.finishTrace()
    drain()
    return (judge.failures(joules: energy.total.nominal), account, energy)
  }
}

extension AndroidLine {
  /// As a line of the account around a failure.
  fileprivate var event: ReplayEvent {
    let isOfPhone =
      switch what {
      case .need, .dozed: true
      case .state, .woken, .notWoken, .startRefused, .told, .crossed, .activity, .workLost, .act,
        .notPlayed, .gap:
        false
      }
    let words = (isOfPhone ? "the phone " : "") + what.words
    return ReplayEvent(at: .zero, time: time, kind: .did(words), name: app)
  }
}
