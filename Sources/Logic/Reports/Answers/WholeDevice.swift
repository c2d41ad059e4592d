// SPDX-License-Identifier: Apache-2.0

import RadioPower

/// The measured power of whole phones, and trackers, over the meter's location part.
///
/// From the published measurements that no profile was made from; `Tools/check-meter --check` recomputes them and fails
/// if they differ. A host has been measured once, at rest, which says nothing of its location part.
enum WholeDevice {
  static let phones = (least: 1.1, most: 7.2)
  static let trackers = (least: 0.2, most: 1.7)

  /// `; whole phones drew 1.1 to 7.2 times as much`; empty without measurements.
  static func unlessWhole(_ platform: DeviceProfile.Platform) -> String {
    switch platform {
    case .phone: "; whole phones drew \(phones.least) to \(phones.most) times as much"
    case .firmware: "; trackers drew \(trackers.least) to \(trackers.most) times as much"
    case .linux: ""
    }
  }
}
