// SPDX-License-Identifier: Apache-2.0

import JSONText

// Theory
// ======
//
// A power profile holds currents above those of lower states; a device profile holds powers above the suspended floor.
// The battery's nominal voltage converts them: P = I · V, E = Q · V. Currents of the Wi-Fi controller are at its own voltage
// where that is stated (`wifi.controller.voltage`, mV): Android takes its energy for their product. `gps.voltage` changes
// nothing: Android counts the receiver's current times its seconds as charge of the battery (GnssPowerCalculator).
//
//   battery.capacity                      → battery,capacity  (usable 85 to 100 %)
//   gps.signalqualitybased [poor, good]   → gnss,track_poor and all searches; gnss,track_good
//   gps.on (older)                        → all of them
//   cpu.suspend, cpu.idle (newer)         → floor,suspended; soc,awake_idle (cpu.idle is additional)
//   cpu.idle, cpu.awake (older)           → floor,suspended; soc,awake_idle = cpu.awake − cpu.idle
//   cpu.active + cluster_power + the middle of core_power of cluster 0, or the middle of the array
//   cpu.active (older)                    → soc,active
//   wifi.controller.rx, or wifi.scan      → wifi,scan
//
// The vendor states no uncertainty; within an era phones spread by ×/÷ 1.6 [estimate], and that range is
// used. Numbers missing in a power profile (TTFF, the energy of a wake, motion) stay as they are in the base profile.
// The modem is the network profile's business and is not imported.

/// Factor up and down within which phones of an era spread.
let spread = 1.6

extension PowerProfileXML {
  /// The volts of the Wi-Fi controller; `nil` without a possible value.
  private var wifiVolts: Double? {
    items["wifi.controller.voltage"].map { $0 / 1_000 }.flatMap { $0 > 0 && $0 < 100 ? $0 : nil }
  }

  /// The rows of a device profile that it states, at a nominal battery voltage in volts.
  package func numbers(volts battery: Double) -> [ProfileNumber] {
    var numbers: [ProfileNumber] = []
    func power(
      _ component: String, _ states: [String], _ milliamperes: Double?, _ source: String,
      at own: Double? = nil
    ) {
      guard let milliamperes else { return }
      let volts = own ?? battery
      let text =
        "\(source) \(Decimal.text(milliamperes, decimals: 4, trimmed: true)) mA x "
        + "\(Decimal.text(volts, decimals: 3, trimmed: true)) V; range x/÷ 1.6"
      for state in states {
        numbers.append(
          .power(component, state, milliamperes * volts, spread: spread, .read, text))
      }
    }
    if let capacity = items["battery.capacity"] {
      numbers.append(
        .battery(
          capacity * battery * 3.6, .read,
          "battery.capacity \(Decimal.text(capacity, decimals: 1, trimmed: true)) mAh x "
            + "\(Decimal.text(battery, decimals: 3, trimmed: true)) V"))
    }
    let searching = searches + ["track_poor"]
    if let quality = arrays["gps.signalqualitybased"], quality.count >= 2 {
      power("gnss", searching, quality[0], "gps.signalqualitybased[0]")
      power("gnss", ["track_good"], quality[1], "gps.signalqualitybased[1]")
    } else {
      power("gnss", searching + ["track_good"], items["gps.on"], "gps.on")
    }
    if let awake = items["cpu.awake"] {
      let idle = items["cpu.idle"]
      power("floor", ["suspended"], idle, "cpu.idle")
      power("soc", ["awake_idle"], idle.map { max(0, awake - $0) }, "cpu.awake - cpu.idle")
    } else {
      power("floor", ["suspended"], items["cpu.suspend"], "cpu.suspend")
      power("soc", ["awake_idle"], items["cpu.idle"], "cpu.idle")
    }
    power("soc", ["active"], busyCore, "one busy core:")
    if let receiving = items["wifi.controller.rx"] {
      power("wifi", ["scan"], receiving, "wifi.controller.rx", at: wifiVolts)
    } else {
      power("wifi", ["scan"], items["wifi.scan"], "wifi.scan")
    }
    return numbers
  }

  private var busyCore: Double? {
    if let cores = arrays["cpu.core_power.cluster0"], !cores.isEmpty {
      return cores[cores.count / 2] + (items["cpu.active"] ?? 0)
        + (items["cpu.cluster_power.cluster0"] ?? 0)
    }
    guard let speeds = arrays["cpu.active"], !speeds.isEmpty else { return nil }
    return speeds[speeds.count / 2]
  }
}

/// The states in which a receiver searches.
let searches = ["acquire_cold", "acquire_warm", "acquire_hot", "acquire_assisted"]

extension ProfileNumber {
  /// Milliwatts, within a factor of `spread`.
  static func power(
    _ component: String, _ state: String, _ value: Double, spread: Double,
    _ confidence: Confidence, _ source: String
  ) -> Self {
    Self(
      ProfileKey(component, state, "power"),
      Quantity(nominal: value, low: value / spread, high: value * spread), unit: "mW",
      confidence: confidence, source: source)
  }

  /// Joules of a battery of which 85 to 100 % are usable.
  static func battery(_ joules: Double, _ confidence: Confidence, _ source: String) -> Self {
    Self(
      ProfileKey("battery", "capacity", "energy"),
      Quantity(nominal: joules, low: 0.85 * joules, high: joules), unit: "J",
      confidence: confidence, source: source + "; usable 85 to 100 %")
  }
}
