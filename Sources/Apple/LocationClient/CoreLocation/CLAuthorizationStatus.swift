// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// As in Core Location, a `switch` over these wants `@unknown default` and takes it without a warning.

/// The authorization that the user gave this app, with Core Location's numbers.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4

  /// The name from the time when there was only one level.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }

  package init(_ authorization: Authorization) {
    switch authorization {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .whenInUse: self = .authorizedWhenInUse
    case .always: self = .authorizedAlways
    }
  }
}

/// The accuracy that the user allows this app.
@nonexhaustive(warn)
public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy = 0
  /// To a square of 5 km, as `milepost apps authorize --reduced` says.
  case reducedAccuracy = 1

  init(_ accuracy: LocationAccuracy) {
    switch accuracy {
    case .full: self = .fullAccuracy
    case .reduced: self = .reducedAccuracy
    }
  }
}

/// The app's kind of activity; it is remembered and changes nothing.
@nonexhaustive(warn)
public enum CLActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

/// The orientation of a device; used for headings.
@nonexhaustive(warn)
public enum CLDeviceOrientation: Int32, Sendable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  case landscapeLeft = 3
  case landscapeRight = 4
  case faceUp = 5
  case faceDown = 6
}

/// The device's position relative to a region.
@nonexhaustive(warn)
public enum CLRegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// The distance class of a beacon; no beacon is ever seen here.
@nonexhaustive(warn)
public enum CLProximity: Int, Sendable {
  case unknown = 0
  case immediate = 1
  case near = 2
  case far = 3
}

/// The reason why Milepost started this process.
public enum CLLaunchReason: String, Sendable {
  /// A significant location change.
  case location
  /// The device began to move.
  case motion
  /// The border of a region was crossed.
  case region
  /// An arrival at a place, or a departure from one.
  case visit
  /// A background fetch.
  case fetch
  /// Its keep-alive handler is due.
  case keepAlive = "keep_alive"
  /// Data arrived on the socket that the app handed over.
  case socket
  /// A push.
  case push
  /// A push that asks where the device is.
  case locationPush = "location_push"
  /// A newsstand issue was announced.
  case newsstand
  /// An accessory sent data.
  case accessory
  /// A Bluetooth device sent data.
  case bluetooth
  /// The device booted.
  case boot
  /// The app had crashed.
  case crash

  /// The same reason; one that the service has alone does not compile.
  package init(_ reason: WakeReason) {
    self =
      switch reason {
      case .location: .location
      case .motion: .motion
      case .region: .region
      case .visit: .visit
      case .fetch: .fetch
      case .keepAlive: .keepAlive
      case .socket: .socket
      case .push: .push
      case .locationPush: .locationPush
      case .newsstand: .newsstand
      case .accessory: .accessory
      case .bluetooth: .bluetooth
      case .boot: .boot
      case .crash: .crash
      }
  }
}

/// The daemon's view of this app's state.
public enum CLAppState: String, Sendable {
  case notRunning = "not_running"
  case inactive
  case active
  case background
  case suspended

  /// The same state.
  package init(_ state: AppState) {
    self =
      switch state {
      case .notRunning: .notRunning
      case .inactive: .inactive
      case .active: .active
      case .background: .background
      case .suspended: .suspended
      }
  }
}
