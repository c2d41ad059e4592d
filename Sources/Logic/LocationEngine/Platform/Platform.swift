// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A platform is what decides *when* an app hears of regions and visits.
//
//   a machine   runs the service itself, with a receiver and perhaps a modem. Regions and visits are clients of the
//               policy of significant changes: they are judged by the positions that it sees (`LocationEngine+Places`)
//   a phone     has one daemon for all services of all its apps (`PhoneDaemon`): it knows roughly where the phone is, and
//               tells whoever asked. Its senses are shared: motion coprocessor, Wi-Fi scans, receiver. The policy of
//               significant changes is another client of the same senses, and has no say in regions and visits
//
// A phone's rules are numbers (`PhoneTerms`), one table for each measured system; everything else is the same for all.
// Another system is another row.

/// What decides when an app hears of regions and visits.
package enum Platform: Sendable, Equatable, Codable {
  /// A machine that runs the service itself: a position is judged when the policy of significant changes sees one.
  case machine
  /// A phone of this system; `seed` is for what its daemon draws.
  case phone(PhoneSystem, seed: UInt64)

  /// The rules of the phone's daemon; `nil` for a machine.
  var phone: PhoneTerms? {
    if case .phone(let system, _) = self { system.terms } else { nil }
  }

  /// The rule by which a position beyond a region's border counts.
  var regions: RegionTerms { phone?.regions ?? .documented }
}

/// A phone's system.
package enum PhoneSystem: String, Sendable, CaseIterable, Codable {
  /// As measured: iPhone 6 with iOS 12.
  case iOS = "ios"
  /// As measured: Nexus 6 with Android 6.
  case android6
  /// As documented since Android 8.
  case android

  package var isAndroid: Bool {
    switch self {
    case .iOS: false
    case .android6, .android: true
    }
  }

  package var terms: PhoneTerms {
    switch self {
    case .iOS: .iOS12
    case .android6: .android6
    case .android: .android(.usual)
    }
  }
}

/// When a crossing of a border counts.
package struct RegionTerms: Sendable, Equatable {
  /// Metres beyond the border.
  package var cushion: Double
  /// A position decides if its distance from the border is at least this many times its accuracy.
  package var certainty: Double
  /// Or if its accuracy is no worse than this, or than the radius, whichever is less, metres.
  package var fine: Double

  /// The documented cushion, and any position that lies on one side of the border with its whole circle.
  static let documented = Self(
    cushion: MonitoredRegion.cushion, certainty: 1, fine: MonitoredRegion.cushion)

  /// Metres beyond the border that a crossing needs; inwards at most a quarter of the radius [ours]: a small circle
  /// has no room for more.
  func cushion(of region: MonitoredRegion, outwards: Bool) -> Double {
    outwards ? cushion : min(cushion, region.radius / 4)
  }
}
