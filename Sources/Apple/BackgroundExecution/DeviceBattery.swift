// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The machine's battery, as the kernel reports it.
struct DeviceBattery {
  var level: Float
  var state: UIDevice.BatteryState

  /// The first battery of the machine itself in `folder` (`/sys/class/power_supply`, kernel documentation,
  /// ABI/testing/sysfs-class-power); `nil` if there is none.
  init?(in folder: URL) {
    func word(_ device: URL, _ name: String) -> String? {
      try? String(contentsOf: device.appending(path: name), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let devices = names.sorted().map { folder.appending(path: $0) }
    let battery = devices.first {
      // `scope` is `Device` for a mouse's.
      word($0, "type") == "Battery" && word($0, "scope") != "Device"
    }
    guard let battery, let percent = word(battery, "capacity").flatMap(Float.init),
      (0...100).contains(percent)
    else { return nil }
    level = percent / 100
    state =
      switch word(battery, "status") {
      case "Charging": .charging
      case "Full", "Not charging": .full
      case "Discharging": .unplugged
      default: .unknown
      }
  }
}
