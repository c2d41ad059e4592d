// SPDX-License-Identifier: Apache-2.0

import DeviceWatch
import JSONText
import MessageBus
import ServiceContract

// The background execution that this machine supports (memory pressure, Low Power Mode, notifications), and what is
// missing.

extension Diagnosis {
  mutating func judgeMachine(_ facts: DoctorFacts) {
    if let device = facts.device {
      findings.append(Self.finding(device.pressure))
      findings.append(Self.battery(device))
    }
    switch facts.notifier {
    case nil: break
    case .shown(let server):
      noteFinding(.notifier, "notifications of apps are shown by \(server)")
    case .notShown(let reason):
      noteFinding(.noNotifier, "notifications of apps go to the service's journal: \(reason)")
    }
    if facts.device != nil { findings.append(Self.byHand) }
  }

  /// No part of such a machine reports these events.
  private static let byHand = Finding(
    .byHand,
    "pushes, newsstand issues, accessories, Bluetooth, calls and the first unlock are played by hand: "
      + "milepost apps send, milepost apps device")

  private static func finding(_ pressure: DeviceSurvey.Pressure) -> Finding {
    switch pressure {
    case .told(let share):
      return Finding(
        .pressure,
        "the kernel tells when memory is short: in the last 10 s programs waited for it "
          + "\(Decimal.text(share, decimals: 1, trimmed: true)) % of the time")
    case .notTold(let trouble):
      return Finding(
        .noPressure,
        "memory pressure is not watched: \(trouble.words); suspended apps are ended after "
          + "purge_after_s alone")
    }
  }

  private static func battery(_ device: DeviceSurvey) -> Finding {
    guard let battery = device.battery else {
      return Finding(
        .noBattery, "there is no battery: Low Power Mode is left to milepost apps device low-power")
    }
    return Finding(
      .battery,
      "the battery is at \(Decimal.text(battery.percent, decimals: 0)) %, and is "
        + (battery.isCharging ? "on its charger" : "being used"))
  }
}
