// SPDX-License-Identifier: Apache-2.0

/// The measured power of whole phones, and trackers, over what the model says.
///
/// From the published measurements that nothing was fitted to; `Tools/check-meter --check` recomputes them and fails
/// if they differ. A host has been measured once, at rest, which says nothing of its location part.
package enum MeasuredDevices {
  package static let phones = 0.5...2.0
  package static let trackers = 0.2...1.7

  /// The least and the greatest; `nil` without measurements.
  package static func ratios(of platform: DeviceProfile.Platform) -> ClosedRange<Double>? {
    switch platform {
    case .phone: phones
    case .firmware: trackers
    case .linux: nil
    }
  }

  /// The same as a sentence about ranges, with a blank before it; empty without measurements.
  package static func widening(of platform: DeviceProfile.Platform) -> String {
    guard let ratios = ratios(of: platform) else { return "" }
    let name = platform == .phone ? "phones" : "trackers"
    return
      " They are widened to what measured \(name) drew, \(ratios.lowerBound) to \(ratios.upperBound) times the model."
  }
}
