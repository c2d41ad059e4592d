// SPDX-License-Identifier: Apache-2.0

// The reasons why gpsd names no device: its assigned devices, and the files that exist here.
//
// gpsd lists a device only once it could open it. So an empty list has three causes to be told apart: no device was
// assigned, the assigned one does not exist, or gpsd may not open it.

extension Diagnosis {
  static var nothingPlugged: Finding {
    let names = DeviceFile.prefixes.map { "/dev/\($0)*" }.joined(separator: ", ")
    return Finding(
      .noFile, "there is no file of a receiver here (\(names))",
      advice: "plug a receiver in; dmesg says whether the kernel knows it, and by which name")
  }

  mutating func judgeFiles(_ facts: DoctorFacts) {
    guard let ports = facts.ports else {
      noteFinding(
        .noDevice, "gpsd runs, but knows no receiver",
        advice: "plug a receiver into \(facts.host), or give gpsd there its path")
      return
    }
    let usable = ports.first { $0.file == .usable }
    for told in facts.assigned { judge(told, instead: usable) }
    guard facts.assigned.isEmpty else { return }
    if let usable {
      noteFinding(.noDevice, "gpsd runs, but knows no receiver", advice: Self.adviceToAdd(usable))
    } else if ports.isEmpty {
      noteFinding(.noDevice, "gpsd runs, but knows no receiver")
      findings.append(Self.nothingPlugged)
    } else {
      noteFinding(.noDevice, "gpsd runs, but knows no receiver")
      findings += ports.map { Self.noPermission($0.path, $0.file) }
    }
  }

  /// Judges a path that was assigned to gpsd and that it does not name.
  private mutating func judge(_ told: DoctorFacts.Port, instead port: DoctorFacts.Port?) {
    switch told.file {
    case .missing:
      noteFinding(
        .noFile, "gpsd was told to use \(told.path), which does not exist",
        advice: port.map { "if the receiver is now \($0.path): " + Self.adviceToAdd($0) }
          ?? "plug the receiver in; dmesg says by which name the kernel knows it")
    case .forbidden, .closed: findings.append(Self.noPermission(told.path, told.file))
    case .usable, .notAFile:
      noteFinding(
        .noDevice, "gpsd was told to use \(told.path), and does not name it",
        advice: "see why in its log (journalctl -u gpsd), then: gpsdctl add \(told.path)")
    }
  }

  private static func adviceToAdd(_ port: DoctorFacts.Port) -> String {
    "give it one that is here: gpsdctl add \(port.path) (for good: DEVICES=\"\(port.names.first ?? port.path)\" "
      + "in /etc/default/gpsd)"
  }

  static func noPermission(_ path: String, _ file: DoctorFacts.File) -> Finding {
    switch file {
    case .forbidden(let user, let group):
      Finding(
        .noPermission, "\(path) belongs to group \(group), and gpsd's user \(user) is not in it",
        advice: "usermod -aG \(group) \(user), then systemctl restart gpsd")
    case .closed(let user, let mode):
      Finding(
        .noPermission, "\(path) has the rights \(mode), and gpsd's user \(user) may not use it",
        advice: "chmod g+rw \(path), with a group that \(user) is in (for good: a rule of udev's)")
    case .usable, .notAFile, .missing:
      Finding(.noPermission, "\(path) cannot be used by gpsd")
    }
  }
}
