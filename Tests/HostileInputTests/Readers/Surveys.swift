// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import Replay
import Reports
import TraceFiles

extension HostileReader {
  static let surveys: [HostileReader] = [traceSurvey]

  /// What `milepost info` says of a trace in any format. Promised: whatever its times and places are, its spans are
  /// finite, each jump is a fix of it, and no control character reaches the terminal.
  private static let traceSurvey = HostileReader(
    "trace-survey", of: ["FixFormats", "GPXFormat", "JSONText", "Replay", "Reports"]
  ) { bytes in
    guard let format = try? TraceFormat.recognise(bytes.span) else { return }
    var options = DecodingOptions()
    options.allowsUndated = true
    var decoder = format.decoder(options: options)
    var events: [TraceEvent] = []
    do throws(TraceError) {
      try decoder.decode(bytes.span, into: &events)
      try decoder.finish(into: &events)
    } catch {
      return try promise(!error.message.isEmpty, "refused without a word")
    }
    var survey = TraceSurvey()
    var path = PathSurvey()
    survey.include(events: events)
    path.include(events: events)
    let summary = survey.finished()
    let fixes = events.count { if case .fix = $0 { true } else { false } }
    let found = path.finished(summary)
    try promise(found.jumps.count + found.leaps.count <= fixes, "more jumps than fixes")
    try promise(
      summary.fixes == fixes && summary.duration.isFinite && found.way.isFinite,
      "\(fixes) fixes are surveyed as \(summary)")
    let report = InfoReport(
      name: "x", format: .init(identifier: format.identifier, name: format.name), summary: summary,
      path: found, ledger: decoder.ledger)
    let text = InfoText.report(report).text(.plain)
    try promise(
      text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
      }, "a control character in \(text)")
    _ = InfoJSON.document.line(report)
  }
}
