// SPDX-License-Identifier: Apache-2.0

/// The rules in which releases of Android differ, as values (the page "I write an Android app" has the table).
///
/// Code asks a field of this, never which release it is. `AndroidRule.all` states, once, each field's meaning, source and
/// value in each release. What is the same in all of them stands where it is used.
package struct AndroidRelease: Sendable, Hashable {
  /// The number of the release: 14 of Android 14.
  package let version: Int

  // MARK: Life

  /// Seconds for which a service without a notification runs on after its app is left; `nil` is for ever.
  package var plainServiceLasts: Double?
  /// Whether *while in use* and *always* are two permissions.
  package var hasBackgroundPermission = false
  /// Whether a foreground service gives a location only if its type is `location`.
  package var serviceNeedsLocationType = false
  /// Whether a foreground service that began unseen gives a location only with *always*.
  package var whileInUseStartsVisible = false
  /// Whether an app that nobody sees starts a foreground service only by an exemption (`ServiceExemption`).
  package var unseenStartNeedsExemption = false
  /// Whether a start of type `location` throws without a location at that moment.
  package var startChecksPermission = false
  /// Whether the user can stop an app with a foreground service from the notification shade.
  package var userStopsServices = false
  /// Seconds from becoming cached until the process is frozen; `nil` is never.
  package var freezesAfter: Double?
  /// Whether a forced stop cancels what was promised to the app (`PendingIntent`).
  package var stopCancelsPromises = false

  // MARK: Location

  /// Seconds between two locations of an app that nobody sees, at least; `nil` is no limit.
  package var unseenInterval: Double?
  /// Seconds between two looks for geofences while the phone moves and nobody sees the app.
  package var geofenceLooks = 0.0
  /// Whether the user can give an app that asks for its precise location an approximate one.
  package var userChoosesApproximate = false
  package var saverLocation = SaverLocation.receiverOffWithScreen

  // MARK: Power

  /// Seconds from the screen's going off until light Doze; `nil` is never.
  package var lightDozeAfter: Double?
  package var hasBuckets = false
  package var hasRestrictedBucket = false
  /// Seconds of the hour in which an app of the active bucket runs jobs; `nil` is no limit.
  package var activeJobs: Double?
  /// Seconds of the window in which an app of the working set has 10 min of jobs.
  package var workingSetWindow = 0.0
  /// The same of the frequent bucket.
  package var frequentWindow = 0.0
  /// Whether an app with a foreground service runs jobs without a quota.
  package var serviceFreesJobs = false
  /// Whether an app has exact alarms only if its user grants them.
  package var exactAlarmsAreGranted = false

  /// What the battery saver leaves of the location.
  package enum SaverLocation: String, Sendable, CaseIterable {
    /// The receiver is off while the screen is.
    case receiverOffWithScreen
    /// Nobody gets a location while the screen is off.
    case nothingWithScreenOff
    /// Only apps that are seen, or have a foreground service, get a location while the screen is off.
    case seenAppsOnly
  }

  private init(_ version: Int) {
    self.version = version
    for rule in AndroidRule.all { rule.set(in: &self) }
  }

  /// The release that was measured (Nexus 6, MobilityNet).
  package static let android6 = AndroidRelease(6)
  package static let android8 = AndroidRelease(8)
  package static let android10 = AndroidRelease(10)
  package static let android12 = AndroidRelease(12)
  package static let android14 = AndroidRelease(14)
  package static let android16 = AndroidRelease(16)

  package static let all = [android6, android8, android10, android12, android14, android16]

  /// The release that counts where nobody says otherwise.
  package static let usual = android14

  /// `android14`.
  package var name: String { "android\(version)" }

  package static func named(_ name: String) -> AndroidRelease? { all.first { $0.name == name } }
}

/// Metres around an approximate location: the side of the square, and the accuracy that it claims
/// (AOSP `SystemSettingsHelper`: `DEFAULT_COARSE_LOCATION_ACCURACY_M`, read).
package enum ApproximateLocation {
  package static let metres = 2_000.0
}
