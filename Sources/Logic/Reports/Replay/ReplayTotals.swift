// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import RadioPower
package import Replay

/// The totals of a whole replay; its last line.
package struct ReplayTotals: Sendable {
  package let time: UTCInstant
  package let row: ModeRow
  /// Seconds with known truth.
  package let judged: Double
  /// The quality of the app's region events.
  package let regions: [RegionScore]
  /// The quality of its visit events; `nil` if it monitored none.
  package let visits: VisitScore?
  /// `nil` if no fetch and no keep-alive was called.
  package let sharedWakes: SharedWakes?

  /// `options` are those of the replay; its energy has the range of a comparison.
  package init(time: UTCInstant, run: RunResult, judged: Double, options: ReplayOptions) {
    self.time = time
    var row = ModeRow([run])
    row.assess(
      Uncertainty(
        of: [[run.usage]], device: options.device, network: options.network, seed: options.seed),
      as: 0, MeasuredDevices.ratios(of: options.device.platform))
    self.row = row
    self.judged = judged
    regions = run.regions
    visits = run.visits
    sharedWakes = SharedWakes(run.counters, on: options.device)
  }
}
