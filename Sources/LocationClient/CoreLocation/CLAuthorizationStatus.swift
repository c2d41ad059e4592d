// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// As in Core Location a `switch` over these wants `@unknown default`, and takes it without a warning.

/// What the user allows this app to know, with Core Location's numbers.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4

  /// The name from the time when there was one level only.
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

/// How exactly an app may know where the device is.
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

/// What an app tracks; it is remembered and changes nothing.
@nonexhaustive(warn)
public enum CLActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

/// How a device is held; counts for headings.
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

/// Where the device is relative to a region.
@nonexhaustive(warn)
public enum CLRegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// How near a beacon is; none is ever seen here.
@nonexhaustive(warn)
public enum CLProximity: Int, Sendable {
  case unknown = 0
  case immediate = 1
  case near = 2
  case far = 3
}

/// Why Milepost started this process.
public enum CLLaunchReason: String, Sendable {
  /// A significant change of location.
  case location
  /// The device began to move.
  case motion
  /// The border of a region was crossed.
  case region
  /// An arrival at a place, or a departure from one.
  case visit
  /// It may fetch what is new.
  case fetch
  /// Its keep-alive handler is due.
  case keepAlive = "keep_alive"
  /// Data came in on the socket that it handed over.
  case socket
  /// A push.
  case push
  /// A push that asks where the device is.
  case locationPush = "location_push"
  /// An issue of a magazine is announced.
  case newsstand
  /// An accessory sent data.
  case accessory
  /// A Bluetooth device sent data.
  case bluetooth
  /// The device was started.
  case boot
  /// It had crashed.
  case crash

  /// The words are the service's.
  package init(_ reason: WakeReason) {
    guard let same = Self(rawValue: reason.rawValue) else {
      preconditionFailure("there is no launch reason '\(reason.rawValue)' here")
    }
    self = same
  }
}

/// The state of this app in the daemon's eyes.
public enum CLAppState: String, Sendable {
  case notRunning = "not_running"
  case inactive
  case active
  case background
  case suspended

  /// The words are the service's.
  package init(_ state: AppState) {
    guard let same = Self(rawValue: state.rawValue) else {
      preconditionFailure("there is no state '\(state.rawValue)' here")
    }
    self = same
  }
}
