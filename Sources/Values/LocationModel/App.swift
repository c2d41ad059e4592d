// SPDX-License-Identifier: Apache-2.0

/// The name of an app within one engine.
@usableFromInline package struct AppID: Sendable, Hashable, Codable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }
}

/// What an app says of itself before it runs, as its Info.plist would.
package struct AppDeclaration: Sendable, Equatable, Codable {
  /// Its background modes.
  package var modes: BackgroundModes = []
  /// `UIApplicationExitsOnSuspend`: the app never enters the background.
  package var exitsOnSuspend = false
  package var authorization = Authorization.always
  /// Whether the user allows it to notify, in eras that ask.
  package var mayNotify = false
  /// The location accuracy that the user grants it.
  package var accuracy = LocationAccuracy.full
  /// Names of the privacy zones in which it sees the position.
  package var seesInside: [String] = []

  package init() {}

  /// Whether `location` is among the declared background modes.
  package var declaresLocationMode: Bool {
    get { modes.contains(.location) }
    set { if newValue { modes.insert(.location) } else { modes.remove(.location) } }
  }
}

/// What the user allows an app to know.
@usableFromInline package enum Authorization: String, Sendable, CaseIterable, Codable {
  case notDetermined = "not_determined"
  case restricted
  case denied
  case whenInUse = "when_in_use"
  case always

  /// Whether locations may be delivered at all.
  @inlinable package var allowsLocation: Bool {
    switch self {
    case .whenInUse, .always: true
    case .notDetermined, .restricted, .denied: false
    }
  }
}

/// The five states of an app, by Apple's App Programming Guide for iOS.
@usableFromInline package enum AppState: String, Sendable, CaseIterable, Codable {
  /// Never launched, terminated or purged. Runs no code.
  case notRunning = "not_running"
  /// Passing state on the way in and out of the foreground. Runs code, gets no events.
  case inactive
  /// In the foreground.
  case active
  /// Runs code unseen; on the way to suspension, or held there.
  case background
  /// In memory, frozen.
  case suspended

  /// Whether the app is visible, or is behind something that is in front for a moment.
  package var isForeground: Bool { self == .active || self == .inactive }

  @inlinable package var runsCode: Bool {
    switch self {
    case .inactive, .active, .background: true
    case .notRunning, .suspended: false
    }
  }
}
