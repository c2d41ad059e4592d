// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The stand-ins that one app was told in place of positions.
struct ToldPlace: Sendable, Equatable, Codable {
  /// The zone of which it was told that the device entered it, and not yet that it left.
  var zone: String?
  /// The square that stands for the device's place, of an app of reduced accuracy.
  var reduced: ReducedPlace?
}

extension EngineApp {
  /// Whether it sees where the device is inside a zone of that name.
  func sees(_ zone: String) -> Bool { declaration.seesInside.contains(zone) }
}

extension PrivacyZone {
  /// A position within as a policy sees it: the stand-in's place, with the accuracy that the receiver had, by
  /// which a look knows when it is over.
  func shown(_ fix: Fix) -> Fix {
    var shown = standIn(for: fix)
    shown.horizontalAccuracy = fix.horizontalAccuracy
    return shown
  }
}
