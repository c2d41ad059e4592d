// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationModel

/// Every number that the engine decides by.
package struct EngineRules: Sendable, Equatable, Codable {
  package var era = Era.usual
  package var lifecycle = LifecycleTiming()
  /// Metres from the previous notification that make a change significant [doc].
  package var significantDistance = 500.0
  /// Seconds that lie at least between two notifications [doc].
  package var significantInterval = 300.0
  /// Seconds without movement after which updates pause; about 10 min were measured [field].
  package var pausesAfter = 600.0
  /// Metres within which a device counts as still, or twice the accuracy where that is more [ours].
  package var stillRadius = 50.0
  /// A position coarser than this decides no significant change, metres [ours].
  package var coarsestAccuracy = 10_000.0

  /// Seconds after which a request for a single location ends with the best position that came, or with an
  /// error; about 10 s were measured [field].
  package var requestTimeout = 10.0

  /// What it is worth that a significant change is told in time.
  package var lateness: LatenessTerms {
    get { stated ?? .usual }
    set { stated = newValue == .usual ? nil : newValue }
  }
  /// `nil` for the usual ones, so that nothing is written of them.
  private var stated: LatenessTerms?

  /// Where the device does not want to be known to be.
  package var zones: [PrivacyZone] {
    get { hidden ?? [] }
    set { hidden = newValue.isEmpty ? nil : newValue }
  }
  /// `nil` where there are none, so that nothing is written of them.
  private var hidden: [PrivacyZone]?
  /// Whether anything is hidden; asked for every fix.
  var hidesPlaces: Bool { if case .some = hidden { true } else { false } }

  /// How many apps one engine serves; a further registration is ignored, and says so.
  package static let appLimit = 1_024

  package init() {}

  /// What a policy that keeps these rules says of them; `plain` writes a number.
  func limits(_ plain: (Double) -> String) -> String {
    "notified from \(plain(significantDistance)) m and \(plain(significantInterval)) s on."
  }
}

extension EngineRules {
  private enum CodingKeys: String, CodingKey {
    case era, lifecycle, significantDistance, significantInterval, pausesAfter, stillRadius
    case coarsestAccuracy, requestTimeout, hidden
    case stated = "lateness"
  }

  /// What an older release did not write has its default.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    era = try values.decode(Era.self, forKey: .era)
    lifecycle = try values.decode(LifecycleTiming.self, forKey: .lifecycle)
    significantDistance = try values.decode(Double.self, forKey: .significantDistance)
    significantInterval = try values.decode(Double.self, forKey: .significantInterval)
    pausesAfter = try values.decode(Double.self, forKey: .pausesAfter)
    stillRadius = try values.decode(Double.self, forKey: .stillRadius)
    coarsestAccuracy = try values.decode(Double.self, forKey: .coarsestAccuracy)
    requestTimeout =
      try values.decodeIfPresent(Double.self, forKey: .requestTimeout) ?? requestTimeout
    hidden = try values.decodeIfPresent([PrivacyZone].self, forKey: .hidden)
    stated = try values.decodeIfPresent(LatenessTerms.self, forKey: .stated)
  }
}
