// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The stand-ins told to one app in place of positions.
struct ToldPlace: Sendable, Equatable, Codable {
  /// The zone that it was told the device entered, and not yet left.
  var zone: String?
  /// The square that stands for the position, for an app of reduced accuracy.
  var reduced: ReducedPlace?
}

extension EngineApp {
  /// Whether it sees the position inside a zone of that name.
  func sees(_ zone: String) -> Bool { declaration.seesInside.contains(zone) }
}

extension PrivacyZone {
  /// A position within, as a policy sees it: the stand-in's place, with the receiver's accuracy, by which a look knows
  /// when it is over.
  func shown(_ fix: Fix) -> Fix {
    var shown = standIn(for: fix)
    shown.horizontalAccuracy = fix.horizontalAccuracy
    return shown
  }
}
