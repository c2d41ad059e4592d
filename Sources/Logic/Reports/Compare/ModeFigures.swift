// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract

// A battery figure is never given without its time: shares are of the judged time of the trace, and
// per day only if that is long enough.

/// A mode's figures, for every form: the row, and the inputs of its figures.
struct ModeFigures: Sendable {
  let row: ModeRow
  /// Joules: the mode's above the baseline, or the baseline's.
  let energy: EnergyRange
  /// Seconds with known truth.
  let judged: Double
  /// Joules of a full battery; 0 if there is none.
  let battery: Double

  init(_ row: ModeRow, energy: EnergyRange? = nil, judged: Double, battery: Double = 0) {
    self.row = row
    self.energy = energy ?? row.total
    self.judged = judged
    self.battery = battery
  }

  /// Mean power over the judged time, milliwatts.
  var averagePower: Double? { judged > 0 ? energy.nominal / judged * 1_000 : nil }

  /// Per cent of a full battery over the judged time.
  var batteryPercent: Double? { battery > 0 ? energy.nominal / battery * 100 : nil }

  var batteryPercentPerDay: Double? { ComparedTrace.perDay(batteryPercent, judged: judged) }

  /// Hours that a full battery would last at this mode's mean power, baseline included.
  var batteryLife: Double? {
    let joules = row.joules + row.energy.baselineTotal.nominal
    return judged > 0 && joules > 0 ? battery / (joules / judged) / 3_600 : nil
  }

  var receiverShare: Double? { judged > 0 ? row.receiverOn / judged : nil }

  /// `5.5–27` of the energy.
  var range: String { Figures.energyRange(energy.low, energy.high, around: energy.nominal) }
}

extension ComparedTrace {
  /// The figures of a row of this trace.
  func figures(of row: ModeRow, _ options: ReplayOptions) -> ModeFigures {
    ModeFigures(row, judged: judged, battery: options.device.battery.nominal)
  }

  /// The figures of every row.
  func figures(_ options: ReplayOptions) -> [ModeFigures] {
    rows.map { figures(of: $0, options) }
  }

  /// The baseline of every row; `nil` without a row.
  func baselineFigures(_ options: ReplayOptions) -> ModeFigures? {
    rows.first.map {
      ModeFigures(
        $0, energy: $0.energy.baselineTotal, judged: judged,
        battery: options.device.battery.nominal)
    }
  }
}
