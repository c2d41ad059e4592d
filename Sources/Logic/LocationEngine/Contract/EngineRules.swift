// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The numbers of the engine that a configuration, a command or an era may set. A number that nobody sets is a constant
/// beside its rule: the jump's seconds in `JumpGate`, for one, and the belief's in `FilterNumbers`.
package struct EngineRules: Sendable, Equatable, Codable {
  package var era = Era.usual
  package var lifecycle = LifecycleTiming()
  /// Metres from the previous notification that make a change significant [doc].
  package var significantDistance = 500.0
  /// The least interval between two notifications, seconds [doc].
  package var significantInterval = EngineRules.usualInterval
  /// Seconds without movement after which updates pause; about 10 min were measured [field].
  package var pausesAfter = 600.0
  /// Metres within which a device counts as still, or twice the accuracy if that is more [ours].
  package var stillRadius = 50.0
  /// A position coarser than this decides no significant change, metres [ours].
  package var coarsestAccuracy = 10_000.0
  /// Seconds after which a request for a single location ends with the best position that came, or with an
  /// error; about 10 s were measured [field].
  package var requestTimeout = 10.0
  /// Whether the device has a motion sensor. Without one updates pause only if the app monitors places too, and motion
  /// is what positions show.
  package var feelsMotion = true
  /// What decides when an app hears of regions and visits.
  package var platform = Platform.machine
  /// Whether the network locates the device by Wi-Fi: a phone. A request for 100 m then asks it first.
  package var hasWiFi = false
  /// The value of a timely significant change.
  package var lateness = LatenessTerms.usual
  /// The zones in which the device's position is hidden.
  package var zones: [PrivacyZone] = []
  /// Whether anything is hidden; asked for every fix.
  var hidesPlaces: Bool { !zones.isEmpty }

  /// The least interval between two notifications that is usual, seconds [doc].
  package static let usualInterval = 300.0
  /// The number of apps that one engine serves; a further registration is ignored with a report.
  package static let appLimit = 1_024

  package init() {}

  /// Every number at its default, which stands above, and nowhere else.
  package static let usual = Self()

  /// What a policy that keeps these rules says of them; `plain` writes a number.
  func limits(_ plain: (Double) -> String) -> String {
    "notified from \(plain(significantDistance)) m and \(plain(significantInterval)) s on."
  }
}
