// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What the daemon says to a client: one JSON object per line, with a `class`.
package enum ServerMessage: Sendable, Equatable, Codable {
  // To an app -------------------------------------------------------------------------------------

  /// Answer to `hello`.
  indirect case welcome(Welcome)
  /// `LOCATION`: one delivery, to be acknowledged by its number.
  case location(Delivery, received: UTCInstant)
  /// `STATE`: the app's state changed. Before a suspension nothing is said, as on a phone.
  case state(AppState)
  /// `WILL_TERMINATE`: so many seconds are left.
  case willTerminate(seconds: Double)
  case authorization(Authorization)
  /// `PAUSED`: updates paused since the device rests; it is the app's job to start again.
  case paused
  /// `MOTION`: the device moves.
  case motion
  /// `LOST`: the outbox was full, and so many of the oldest deliveries of this app were dropped.
  case lost(count: UInt64)
  /// `NO_FIX`: there is no location now, and why; the service goes on trying.
  case noFix(String)
  /// `REQUEST_FAILED`: the request of a single location is over and brought none, and why.
  case requestFailed(String)

  // To a gpsd client ------------------------------------------------------------------------------

  case version(release: String)
  case devices([Device])
  case watch(isOn: Bool)
  /// `TPV`: a position in gpsd's form.
  indirect case report(Fix, device: String)
  /// `POLL`: the last position, and when it was asked for, UTC of the host.
  indirect case poll(Fix?, device: String, at: UTCInstant)

  // To the user -----------------------------------------------------------------------------------

  case ok
  case error(code: ErrorCode, String)
  /// Before an answer: what was asked for is done, but not all is well.
  case warning(code: ErrorCode, String)
  /// `STATUS`, `APPS`, `APP`, `LOG`, `EXPLANATION`: a document, already in JSON, with its class.
  case document(json: String)

  package struct Welcome: Sendable, Equatable, Codable {
    /// Version of Milepost.
    package var release: String
    package var app: String
    package var state: AppState
    package var authorization: Authorization
    /// Why the daemon started this process; `nil` where its user did.
    package var launchReason: WakeReason?
    /// Whether significant changes are monitored for this app now (re-armed after a relaunch).
    package var monitorsSignificantChanges: Bool
    /// The number of the last acknowledged delivery; 0 before the first.
    package var acknowledged: UInt64

    package init(
      release: String, app: String, state: AppState, authorization: Authorization,
      launchReason: WakeReason?, monitorsSignificantChanges: Bool, acknowledged: UInt64
    ) {
      self.release = release
      self.app = app
      self.state = state
      self.authorization = authorization
      self.launchReason = launchReason
      self.monitorsSignificantChanges = monitorsSignificantChanges
      self.acknowledged = acknowledged
    }
  }

  package struct Device: Sendable, Equatable, Codable {
    package var path: String
    package var driver: String?

    package init(path: String, driver: String?) {
      self.path = path
      self.driver = driver
    }
  }

  /// What was wrong with a message; the raw values stand in JSON.
  package enum ErrorCode: String, Sendable, CaseIterable, Codable {
    /// Not a message: not of the form, not JSON, unknown name or member.
    case malformed
    case tooLong = "too_long"
    case tooMany = "too_many"
    case unknownApp = "unknown_app"
    case notAnApp = "not_an_app"
    case alreadyConnected = "already_connected"
    case badManifest = "bad_manifest"
    case duplicateApp = "duplicate_app"
    case denied
    case held
    case notPossible = "not_possible"
    case storage
  }
}
