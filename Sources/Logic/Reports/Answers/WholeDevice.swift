// SPDX-License-Identifier: Apache-2.0

import RadioPower

/// The measured power of whole phones, and trackers, over what the model says.
///
/// From the published measurements that nothing was fitted to; `Tools/check-meter --check` recomputes them and fails
/// if they differ. A host has been measured once, at rest, which says nothing of its location part.
enum WholeDevice {
  static let phones = (least: 0.5, most: 2.0)
  static let trackers = (least: 0.2, most: 1.7)

  /// `; measured phones drew 0.5 to 2.0 times as much`; empty without measurements.
  static func unlessWhole(_ platform: DeviceProfile.Platform) -> String {
    switch platform {
    case .phone: "; measured phones drew \(phones.least) to \(phones.most) times as much"
    case .firmware: "; measured trackers drew \(trackers.least) to \(trackers.most) times as much"
    case .linux: ""
    }
  }
}
