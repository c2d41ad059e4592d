// SPDX-License-Identifier: Apache-2.0

package import RadioPower

extension ComparisonResult {
  /// The uncertainty of the runs' energies and their ratios, with draws common to all runs; the runs
  /// are numbered as in `runs`. `options` are those of the comparison.
  package func uncertainty(
    _ options: ReplayOptions, draws: Int = Uncertainty.usualDraws
  ) -> Uncertainty {
    Uncertainty(
      of: runs.map { [$0.usage] }, device: options.device, network: options.network,
      seed: options.seed, draws: draws)
  }
}
