// SPDX-License-Identifier: Apache-2.0

import JSONText

// Theory
// ======
//
// A power profile holds currents above those of lower states; a device profile holds powers above the suspended floor.
// The battery's nominal voltage converts them: P = I · V, E = Q · V.
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
// The vendor states no uncertainty; within an era phones spread by ×/÷ 1.6 (power model, section 13), and that range is
// used. Numbers missing in a power profile (TTFF, the energy of a wake, motion) stay as they are in the base profile.
// The modem is the network profile's business and is not imported.

/// One row of a device profile from a power profile.
package struct ImportedNumber: Sendable, Equatable {
  /// `component,state,quantity`, as in the profile.
  package let key: String
  package let value: Double
  package let low: Double
  package let high: Double
  package let unit: String
  package let source: String
  /// Whether the device itself measured it; otherwise its vendor states it.
  package var isMeasured = false

  /// Factor up and down within which phones of an era spread.
  static let spread = 1.6

  /// All numbers in `profile`, at a nominal battery voltage in volts.
  package static func all(of profile: PowerProfileXML, volts: Double) -> [ImportedNumber] {
    var numbers: [ImportedNumber] = []
    func power(_ keys: [String], _ milliamperes: Double?, _ source: String) {
      guard let milliamperes else { return }
      let value = milliamperes * volts
      let text =
        "\(source) \(Decimal.text(milliamperes, decimals: 4, trimmed: true)) mA x "
        + "\(Decimal.text(volts, decimals: 3, trimmed: true)) V; range x/÷ 1.6"
      for key in keys {
        numbers.append(
          ImportedNumber(
            key: "\(key),power", value: value, low: value / spread, high: value * spread,
            unit: "mW", source: text))
      }
    }
    if let capacity = profile.items["battery.capacity"] {
      let joules = capacity * volts * 3.6
      numbers.append(
        ImportedNumber(
          key: "battery,capacity,energy", value: joules, low: 0.85 * joules, high: joules,
          unit: "J",
          source: "battery.capacity \(Decimal.text(capacity, decimals: 1, trimmed: true)) mAh x "
            + "\(Decimal.text(volts, decimals: 3, trimmed: true)) V; usable 85 to 100 %"))
    }
    let searches = ["acquire_cold", "acquire_warm", "acquire_hot", "acquire_assisted"]
    let searching = (searches + ["track_poor"]).map { "gnss,\($0)" }
    if let quality = profile.arrays["gps.signalqualitybased"], quality.count >= 2 {
      power(searching, quality[0], "gps.signalqualitybased[0]")
      power(["gnss,track_good"], quality[1], "gps.signalqualitybased[1]")
    } else {
      power(searching + ["gnss,track_good"], profile.items["gps.on"], "gps.on")
    }
    if let awake = profile.items["cpu.awake"] {
      let idle = profile.items["cpu.idle"]
      power(["floor,suspended"], idle, "cpu.idle")
      power(["soc,awake_idle"], idle.map { max(0, awake - $0) }, "cpu.awake - cpu.idle")
    } else {
      power(["floor,suspended"], profile.items["cpu.suspend"], "cpu.suspend")
      power(["soc,awake_idle"], profile.items["cpu.idle"], "cpu.idle")
    }
    power(["soc,active"], busyCore(profile), "one busy core:")
    if let receiving = profile.items["wifi.controller.rx"] {
      power(["wifi,scan"], receiving, "wifi.controller.rx")
    } else {
      power(["wifi,scan"], profile.items["wifi.scan"], "wifi.scan")
    }
    return numbers
  }

  private static func busyCore(_ profile: PowerProfileXML) -> Double? {
    if let cores = profile.arrays["cpu.core_power.cluster0"], !cores.isEmpty {
      return cores[cores.count / 2] + (profile.items["cpu.active"] ?? 0)
        + (profile.items["cpu.cluster_power.cluster0"] ?? 0)
    }
    guard let speeds = profile.arrays["cpu.active"], !speeds.isEmpty else { return nil }
    return speeds[speeds.count / 2]
  }
}
