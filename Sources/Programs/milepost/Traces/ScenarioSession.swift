// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// A scenario over a trace, shown as a timeline.
struct ScenarioSession {
  let scenario: Scenario
  /// The service with which its apps track unless they say otherwise.
  let plan: RunPlan
  let options: ReplayOptions

  /// The path and the format of the output.
  struct Output {
    let format: ReplayFormat
    let path: String?
    /// The picture's file.
    let html: String?

    /// Whether the picture is the only output on standard output.
    var isPictureAlone: Bool { html == "-" && (path ?? "-") == "-" }
  }

  func run(_ input: TraceInput, to target: Output) throws {
    let output = try OutputFile(path: target.path)
    var writer = ReplayWriter(format: target.format)
    let isText = target.format == .text
    if !isText { try output.write(writer.beginOutput()) }
    var timeline = Timeline(scenario)
    var comparison = Comparison(
      runs: runs(expecting: input.replayed.duration), options: options, summary: input.replayed,
      observed: input.observed)
    func drain() throws {
      let events = comparison.drainEvents(ofRun: 0)
      timeline.include(events: events)
      guard !isText else { return }
      for event in events { try output.write(writer.encode(event: event)) }
    }
    try input.forEachPiece { events in
      comparison.feed(events)
      try drain()
    }
    let result = comparison.finishTrace()
    try drain()
    guard let whole = result.runs.first, let curves = whole.curves else { return }
    let time = comparison.latest?.time ?? UTCInstant(microseconds: 0)
    let adds = result.runs.dropFirst().map {
      whole.energy.total.nominal - $0.energy.total.nominal
    }
    timeline.finish(at: curves.end, time, adding: adds)
    let totals = ReplayTotals(time: time, run: whole, judged: result.judged, options: options)
    let setting = TimelineSetting(
      trace: input.file.name, era: options.rules.era.title, device: options.device.name,
      totals: totals)
    if let html = target.html, let curves = whole.curves {
      try OutputFile.writeWhole(
        TimelinePage.document(timeline, setting, curves: curves), to: html)
    }
    if target.isPictureAlone { return }
    try output.write(
      isText
        ? Array(TimelineText.report(timeline, setting).text(Console.style).utf8)
        : writer.finish(totals: totals))
    try output.commit()
  }

  /// The scenario, and the same without each of its apps: an app's contribution is the difference.
  private func runs(expecting seconds: Double) -> [Run] {
    [
      Run(
        scenario, tracking: plan, options: options, records: [.events, .verdicts, .curves],
        expecting: seconds)
    ]
      + scenario.apps.map {
        Run(scenario.without($0.name), tracking: plan, options: options)
      }
  }
}
