// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay

// A battery figure is never given without the time that it is over: shares are of the judged time of
// the trace, and per day only where that is long enough.

extension ComparedTrace {
  /// Mean power of `joules` over the judged time, milliwatts.
  func averageMilliwatts(_ joules: Double) -> Double? {
    judged > 0 ? joules / judged * 1_000 : nil
  }

  /// What a mode took of a full battery over this trace, above the baseline, per cent.
  func batteryPercent(_ row: ModeRow, _ options: ReplayOptions) -> Double? {
    percent(row.energy.printedTotal.nominal, options)
  }

  /// `joules` as per cent of a full battery.
  func percent(_ joules: Double, _ options: ReplayOptions) -> Double? {
    let battery = options.device.battery.nominal
    return battery > 0 ? joules / battery * 100 : nil
  }

  /// Hours that a full battery would last at this mode's mean power, baseline included.
  func batteryLife(_ row: ModeRow, _ options: ReplayOptions) -> Double? {
    let joules = row.energy.printedTotal.nominal + row.energy.baselineTotal.nominal
    guard judged > 0, joules > 0 else { return nil }
    return options.device.battery.nominal / (joules / judged) / 3_600
  }
}
