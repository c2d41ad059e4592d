// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import Replay

/// Everything in `milepost info` about a trace.
package struct InfoReport: Sendable {
  package let name: String
  /// Identifier and name of the format.
  package let format: ComparedTrace.Format
  package let summary: TraceSummary
  package let ledger: TraceLedger
  /// The findings of the decoder, and those of the path.
  let oddities: [TraceLedger.Finding]
  /// Metres along the path, straight across gaps; `nil` if times run backwards.
  let distance: Double?
  /// Metres of it straight across gaps, 0 where fixes have no times.
  let acrossGaps: Double

  package init(
    name: String, format: ComparedTrace.Format, summary: TraceSummary, path: PathSurvey.Findings,
    ledger: TraceLedger
  ) {
    self.name = name
    self.format = format
    self.summary = summary
    self.ledger = ledger
    (distance, acrossGaps) =
      if summary.runsBackwards {
        (nil, 0)
      } else if summary.start == nil {
        (summary.timelessDistance, 0)
      } else {
        (path.way + path.acrossGaps, path.acrossGaps)
      }
    oddities = ledger.findings + Self.findings(path, summary)
  }

  private static func findings(
    _ path: PathSurvey.Findings, _ summary: TraceSummary
  ) -> [TraceLedger.Finding] {
    var findings: [TraceLedger.Finding] = []
    if !path.jumps.isEmpty {
      findings.append(
        .init(
          kind: "jump",
          text:
            "a position where the device cannot have been, as those around it say; a replay leaves it out",
          count: path.jumps.count, lines: path.jumps))
    }
    if !path.leaps.isEmpty {
      findings.append(
        .init(
          kind: "leap",
          text: "a step faster than anything flies, and no way made; a replay takes it as a gap",
          count: path.leaps.count, lines: path.leaps))
    }
    if summary.leavesOutCoarse {
      findings.append(
        .init(
          kind: "coarse",
          text: "a position off by more than 100 m by its own accuracy; a replay leaves it out",
          count: summary.coarseFixes, lines: []))
    }
    return findings
  }

  /// Seconds from the first to the last fix; `nil` if there are no times or they run backwards.
  var duration: Double? {
    summary.start == nil || summary.runsBackwards ? nil : summary.duration
  }
}
