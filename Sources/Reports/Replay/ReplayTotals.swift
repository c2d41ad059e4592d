// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import RadioPower
package import Replay
package import Scoring

/// What a whole replay came to; its last line.
package struct ReplayTotals: Sendable {
  package let time: UTCInstant
  package let row: ModeRow
  /// Seconds of which the truth is known.
  package let judged: Double
  /// How well the app was told of its regions.
  package let regions: [RegionScore]
  /// How well it was told of visits; `nil` where it monitored none.
  package let visits: VisitScore?
  /// `nil` where no fetch and no keep-alive was called.
  package let sharedWakes: SharedWakes?

  /// `options` are those of the replay; its energy has the range that a comparison gives it.
  package init(time: UTCInstant, run: RunResult, judged: Double, options: ReplayOptions) {
    self.time = time
    var row = ModeRow([run])
    row.assess(
      Uncertainty(
        of: [[run.usage]], device: options.device, network: options.network, seed: options.seed),
      as: 0)
    self.row = row
    self.judged = judged
    regions = run.regions
    visits = run.visits
    sharedWakes = SharedWakes(run.counters, on: options.device)
  }
}
