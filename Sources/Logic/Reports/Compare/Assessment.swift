// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import RadioPower
package import Replay

// The uncertainty of a comparison: 1,000 seeded draws of a world and of the profile's numbers, the same for all modes,
// so the ratio of two modes has a separate interval (`Uncertainty`). What whole devices drew over the model widens the
// range of each energy, and not that of a ratio: it is of one device, and so of both modes.

extension ComparedTrace {
  /// The ratio of two modes that readers ask for first: continuous over significant change.
  package struct Ratio: Sendable {
    package let spread: Spread
    package let drivers: [Driver]
    /// The policy of the significant change.
    package let policy: String?
  }

  /// Computes the uncertainty of the figures, and the answers within these tolerances; `options` are those of the
  /// comparison.
  package mutating func assess(_ options: ReplayOptions, within tolerances: Tolerances = .usual) {
    self.tolerances = tolerances
    let uncertainty = Uncertainty(
      of: rows.map { $0.worlds.map(\.usage) }, device: options.device, network: options.network,
      seed: options.seed)
    let measured = MeasuredDevices.ratios(of: options.device.platform)
    for index in rows.indices { rows[index].assess(uncertainty, as: index, measured) }
    battery = options.device.battery.nominal
    let all = Answers(
      rows, device: options.device, lived: thinned?.worlds,
      budget: budget, uncertainty)
    answers = Purpose.allCases.filter(isTested).compactMap {
      all.answer(within: tolerances[$0], silence: silence)
    }
    let continuous = rows.firstIndex { $0.plan.mode == .continuous }
    guard let continuous, let significant = significantIndex,
      let spread = uncertainty.ratio(ofRun: continuous, to: significant)
    else { return }
    ratio = Ratio(
      spread: spread, drivers: uncertainty.drivers(ofRatio: continuous, to: significant),
      policy: rows[significant].plan.policy?.name)
  }
}

extension ModeRow {
  /// Takes the uncertainty of its energy: that of a run of `uncertainty`, and what whole devices drew over the model.
  mutating func assess(
    _ uncertainty: Uncertainty, as run: Int, _ measured: ClosedRange<Double>?
  ) {
    sureness = Sureness(
      spread: uncertainty.energy(ofRun: run), drivers: uncertainty.drivers(ofRun: run),
      measured: measured)
  }
}

extension Driver {
  /// The row of the profile in words: `soc awake_idle power`.
  var name: String { number.name }
}
