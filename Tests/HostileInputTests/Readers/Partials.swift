// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import ServiceCore

extension HostileReader {
  static let partials: [HostileReader] = [partialLine]

  /// Lines that `--partial` of `compare` and `score` wrote, each added to itself and reported. Promised: a line is
  /// written and read again as the same, and its total is reported in readable JSON.
  private static let partialLine = HostileReader(
    "partial-line", limit: 32_768, of: ["Reports", "Replay", "Scoring", "LocationModel"]
  ) { bytes in
    for line in bytes.split(separator: 0x0A).map(Array.init) {
      do {
        if line.text.contains(ComparePartial.title) {
          try addUp(line, ComparePartial.shape(rows: 1, worlds: 1), tellComparison)
        } else if line.text.contains(ScorePartial.title) {
          try addUp(line, ScorePartial.shape, tellScore)
        }
      } catch let error as InputError {
        try promise(!error.message.isEmpty, "refused without a word")
      }
    }
  }

  private static func addUp<Line: PartialLine>(
    _ line: [UInt8], _ shape: ExactSums, _ tell: (Line) throws -> Void
  ) throws {
    func read(_ line: [UInt8]) throws -> Line {
      try Line.read(line: line, release: "0", settings: [], shape: shape)
    }
    let partial = try read(line)
    try promise(read(partial.line).line == partial.line, "\(line.text) is read as another")
    var sum = partial
    sum += partial
    try tell(sum)
  }

  private static func tellComparison(_ sum: ComparePartial) throws {
    guard let device = try ProfileLibrary.device(named: "phone-2021-lte"),
      let policy = SignificantPolicy.named("milepost", for: device)
    else { throw BrokenPromise(description: "there is no phone") }
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    var total = sum.total(of: [RunPlan(.significant, .pocket, policy: policy)], worlds: 1)
    total.assess(options)
    let subject = CompareForm.Subject(total, options, style: .plain)
    for form in [.text] + CompareForm.all { _ = form.bytes(subject, isFirst: true) }
    try tellsJSON(CompareForm.json.bytes(subject, isFirst: true))
    _ = Footnotes.report(total.rows, options: options, traceAsTruth: false).text(.plain)
  }

  private static func tellScore(_ sum: ScorePartial) throws {
    let total = sum.total(ScoringRules())
    _ = ScoreText.report(total).text(.plain)
    try tellsJSON(ScoreJSON.document.line(total))
  }

  private static func tellsJSON(_ bytes: [UInt8]) throws {
    try promise((try? JSONValue.parse(bytes.span)) != nil, "\(bytes.text) is no JSON")
  }
}
