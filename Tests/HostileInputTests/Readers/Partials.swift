// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import ServiceCore
import TraceFiles

extension HostileReader {
  static let partials: [HostileReader] = [partialLine]

  /// Lines that `--partial` of `compare` and `score` wrote, each added to itself and reported. Promised: a summable
  /// line is written and read again as the same, and its total is reported in readable JSON.
  private static let partialLine = HostileReader(
    "partial-line", limit: 32_768, of: ["Reports", "Replay", "Scoring", "TraceFiles"]
  ) { bytes in
    for line in bytes.split(separator: 0x0A).map(Array.init) {
      do {
        if let partial = try head(of: ComparePartial.self, in: line) {
          try addUp(partial, PartialSums.comparison(in: line))
        } else if let partial = try head(of: ScorePartial.self, in: line) {
          try addUp(partial, PartialSums.score(in: line))
        }
      } catch let error as InputError {
        try promise(!error.message.isEmpty, "refused without a word")
      }
    }
  }

  /// `nil` if the line is of another kind; of any settings, made by release 0.
  private static func head<Line: PartialLine>(of kind: Line.Type, in line: [UInt8]) throws -> Line?
  {
    guard line.text.contains(kind.title) else { return nil }
    return try kind.read(line: line, release: "0", settings: [])
  }

  private static func addUp(_ partial: ComparePartial, _ comparison: ComparisonSums) throws {
    guard let device = try ProfileLibrary.device(named: "phone-2021-lte"),
      let policy = SignificantPolicy.named("milepost", for: device)
    else { throw BrokenPromise(description: "there is no phone") }
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    let plans = [RunPlan(.significant, .pocket, policy: policy)]
    guard let trace = partial.complete(with: comparison, of: plans, worlds: 1, options) else {
      return
    }
    let sums = try PartialSums.bytes(comparison)
    try promise(
      PartialSums.bytes(PartialSums.comparison(in: partial.line(sums, as: "sums"))) == sums,
      "\(sums.text) is read as others")
    var sum = ComparedSum()
    for _ in 0..<2 { sum.addTrace(trace) }
    guard var total = sum.total else { throw BrokenPromise(description: "no total of two") }
    total.assess(options)
    let subject = CompareForm.Subject(total, options, style: .plain)
    for form in [.text] + CompareForm.all { _ = form.bytes(subject, isFirst: true) }
    try tellsJSON(CompareForm.json.bytes(subject, isFirst: true))
    _ = Footnotes.text(total.rows, options: options, traceAsTruth: false, style: .plain)
  }

  private static func addUp(_ partial: ScorePartial, _ score: Replay.Score) throws {
    guard let report = partial.complete(with: score, ScoringRules()) else { return }
    let sums = try PartialSums.bytes(score)
    try promise(
      PartialSums.bytes(PartialSums.score(in: partial.line(sums, as: "score"))) == sums,
      "\(sums.text) is read as another")
    var sum = ScoredSum()
    for _ in 0..<2 { sum.addReport(report) }
    guard let total = sum.total else { throw BrokenPromise(description: "no total of two") }
    _ = ScoreText.text(total, style: .plain)
    try tellsJSON(ScoreJSON.document.line(total))
  }

  private static func tellsJSON(_ bytes: [UInt8]) throws {
    try promise((try? JSONValue.parse(bytes.span)) != nil, "\(bytes.text) is no JSON")
  }
}
