// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// `milepost compare --era all`, and `--scenario FILE`: lives by the rules of one era or of all.
struct EraSession {
  /// `nil` uses the usual apps.
  let scenario: Scenario?
  /// `nil` uses that of the setting.
  let eras: [Era]?
  let setting: ReplaySetting
  let truth: TruthOption
  /// `nil` if only the page is written.
  let form: CompareForm?
  /// The path of the page; `nil` writes none.
  let html: String?

  func run(_ traces: [String]) throws {
    let options = try setting.options(playing: scenario)
    let output = try OutputFile(path: nil)
    var reports: [EraReport] = []
    var failed = FailedTraces(among: traces, truth: truth)
    defer { failed.tell() }
    for path in traces {
      guard let report = try failed.attempt(path, { try report(path, options) }) else { continue }
      switch form?.name {
      case nil: break
      case CompareForm.json.name: try output.write(EraReport.document.line(report))
      default: try output.write((reports.isEmpty ? "" : "\n") + report.report.text(Console.style))
      }
      reports.append(report)
    }
    try output.commit()
    if let html, !reports.isEmpty {
      try OutputFile.writeWhole(EraPage.document(reports), to: html)
    }
    try failed.check()
  }

  private func report(_ path: String, _ options: ReplayOptions) throws -> EraReport {
    let input = try TraceInput(path: path, truthPath: truth.truth, reading: setting.reading)
    var options = options
    try setting.world.placeTowers(for: input, in: &options)
    input.tellFaults()
    let seconds = input.replayed.duration
    let subjects =
      scenario.map { EraSubject.rows(of: $0, on: options.device, seed: options.seed) }
      ?? EraSubject.usual(over: seconds, on: options.device, seed: options.seed)
    var comparison = EraComparison(
      subjects, eras: eras ?? [options.rules.era], options: options, summary: input.replayed,
      observed: input.observed)
    try input.forEachPiece { comparison.feed($0) }
    return EraReport(
      trace: input.file.name, device: options.device.name, result: comparison.finishTrace())
  }
}
