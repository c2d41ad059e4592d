// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import Replay

/// What a whole replay came to; its last line.
package struct ReplayTotals: Sendable {
  package let time: UTCInstant
  package let row: ModeRow
  /// Seconds of which the truth is known.
  package let judged: Double

  package init(time: UTCInstant, run: RunResult, judged: Double) {
    self.time = time
    row = ModeRow(run)
    self.judged = judged
  }
}
