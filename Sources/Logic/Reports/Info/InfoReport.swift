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

  package init(
    name: String, format: ComparedTrace.Format, summary: TraceSummary, ledger: TraceLedger
  ) {
    self.name = name
    self.format = format
    self.summary = summary
    self.ledger = ledger
  }

  /// Seconds from the first to the last fix; `nil` if there are no times or they run backwards.
  var duration: Double? {
    summary.start == nil || summary.runsBackwards ? nil : summary.duration
  }

  /// Metres along the fixes; `nil` if times run backwards.
  var distance: Double? { summary.runsBackwards ? nil : summary.distance }

  /// The findings of the decoder and of the survey of times.
  var oddities: [TraceLedger.Finding] { ledger.findings }
}
