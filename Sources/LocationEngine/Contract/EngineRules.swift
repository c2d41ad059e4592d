// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationModel

/// Every number that the engine decides by.
package struct EngineRules: Sendable, Equatable, Codable {
  package var era = Era.ios4
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

  /// How many apps one engine serves; a further registration is ignored, and says so.
  package static let appLimit = 1_024

  package init() {}
}
