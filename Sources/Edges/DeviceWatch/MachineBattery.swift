// SPDX-License-Identifier: Apache-2.0

import Host
package import ServiceContract

/// One entry of /sys/class/power_supply (Documentation/ABI/testing/sysfs-class-power).
package struct MachineBattery: Sendable, Equatable {
  /// Per cent.
  package let capacity: Double
  package let status: Status

  package enum Status: String, Sendable {
    case charging = "Charging"
    case discharging = "Discharging"
    case notCharging = "Not charging"
    case full = "Full"
    case unknown = "Unknown"
  }

  /// The battery of the machine itself, from its files as returned by `file`; `nil` for anything else, such as a mains
  /// adapter, or the battery of a mouse (scope `Device`).
  package init?(_ file: (String) -> String?) {
    func word(_ name: String) -> String? {
      file(name).map { text in
        String(text.prefix { $0 != "\n" })
      }
    }
    guard word("type") == "Battery", word("scope") ?? "System" == "System",
      word("present") ?? "1" == "1", let capacity = word("capacity").flatMap(Double.init),
      (0...100).contains(capacity)
    else { return nil }
    self.capacity = capacity
    status = word("status").flatMap(Status.init) ?? .unknown
  }

  /// Several batteries as one: their mean charge, charging if none discharges and one is charging or full.
  package static func reading(of batteries: [MachineBattery]) -> BatteryReading? {
    guard !batteries.isEmpty else { return nil }
    let sum = batteries.reduce(0) { $0 + $1.capacity }
    let isCharging =
      batteries.contains { $0.status == .charging || $0.status == .full }
      && !batteries.contains { $0.status == .discharging }
    return BatteryReading(percent: sum / Double(batteries.count), isCharging: isCharging)
  }

  package static let folder = "/sys/class/power_supply"

  /// The machine's battery now; `nil` if it has none.
  package static func reading(in folder: String = folder) -> BatteryReading? {
    let names = Directory.names(in: folder)
    return reading(
      of: names.sorted().compactMap { name in
        MachineBattery { SmallFile.text(of: "\(folder)/\(name)/\($0)") }
      })
  }
}
