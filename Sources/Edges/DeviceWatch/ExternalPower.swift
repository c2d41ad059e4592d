// SPDX-License-Identifier: Apache-2.0

import Host

// Theory
// ======
//
// Each entry of /sys/class/power_supply states something, or nothing (Documentation/ABI/testing/sysfs-class-power):
//
//   a line that is in use      type Mains, USB or Wireless, `online` 1 or 2     outside power
//   a line that is not         the same, `online` 0                             none by this line
//   a battery                  `status` Discharging                             none, whatever else is there
//                              Charging, Full, Not charging                     outside power
//                              Unknown                                          nothing
//
// A supply of the scope `Device` (a mouse, a headset) is not the machine's. A battery that discharges although a line
// is in use, as with too weak a charger, empties: that is no external power. The same holds for a machine on an
// uninterruptible supply, whose battery is of type UPS and is judged as one.

/// Whether a machine runs on power from outside.
package enum ExternalPower {
  /// The statement of one supply, from its files as returned by `file`; `nil` if it states nothing.
  static func said(by file: (String) -> String?) -> Said? {
    func word(_ name: String) -> String? { file(name).map { String($0.prefix { $0 != "\n" }) } }
    guard word("scope") ?? "System" == "System", word("present") ?? "1" == "1" else { return nil }
    switch word("type") {
    case "Battery", "UPS":
      switch word("status").flatMap(MachineBattery.Status.init) {
      case .discharging: return .used
      case .charging, .full, .notCharging: return .outside
      case .unknown, nil: return nil
      }
    case "Mains", "USB", "Wireless":
      switch word("online") {
      case "1", "2": return .outside
      case "0": return .offLine
      default: return nil
      }
    default: return nil
    }
  }

  enum Said: Sendable, Equatable {
    case outside
    case offLine
    /// A battery is discharging.
    case used
  }

  /// The statement of all supplies together; `nil` if none states anything.
  static func isThere(by said: [Said]) -> Bool? {
    guard !said.isEmpty else { return nil }
    return !said.contains(.used) && said.contains(.outside)
  }

  /// Whether this machine is on external power now; `nil` if unknown.
  package static func reading(in folder: String = MachineBattery.folder) -> Bool? {
    isThere(
      by: Directory.names(in: folder).sorted().compactMap { name in
        said { SmallFile.text(of: "\(folder)/\(name)/\($0)") }
      })
  }
}
