// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import Scenarios
import TraceFiles

/// `milepost compare --eras`, and `--scenario FILE`: lives by the rules of one era or of all.
struct EraSession {
  /// `nil` is the usual apps.
  let scenario: Scenario?
  /// `nil` is that of the setting.
  let eras: [Era]?
  let setting: ReplaySetting
  let truth: TruthOption
  let isJSON: Bool

  func run(_ traces: [String]) throws {
    let options = try setting.options(playing: scenario)
    let output = try OutputFile(path: nil)
    for (index, path) in traces.enumerated() {
      let report = try report(path, options)
      if isJSON {
        try output.write(report.document + [0x0A])
      } else {
        try output.write((index > 0 ? "\n" : "") + report.text(Console.style))
      }
    }
    try output.commit()
  }

  private func report(_ path: String, _ options: ReplayOptions) throws -> EraReport {
    let input = try TraceInput(path: path, truthPath: truth.truth, reading: setting.reading)
    var options = options
    try setting.world.placeTowers(for: input, in: &options)
    let seconds = input.replayed.duration
    let subjects =
      scenario.map { EraSubject.rows(of: $0, on: options.device, seed: options.seed) }
      ?? EraSubject.usual(over: seconds, on: options.device, seed: options.seed)
    var comparison = EraComparison(
      subjects, eras: eras ?? [options.rules.era], options: options, summary: input.replayed,
      observed: input.observed)
    try input.forEachPiece { comparison.feed($0) }
    return EraReport(
      trace: input.file.name, device: options.device.name, result: comparison.finish())
  }
}
