// SPDX-License-Identifier: Apache-2.0

/// Names an app within one engine.
@usableFromInline package struct AppID: Sendable, Hashable, Codable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }
}

/// What an app says of itself before it runs, as its Info.plist would.
package struct AppDeclaration: Sendable, Equatable, Codable {
  /// Whether `location` is among the declared background modes.
  package var declaresLocationMode = false
  /// `UIApplicationExitsOnSuspend`: the app never enters the background.
  package var exitsOnSuspend = false
  package var authorization = Authorization.always

  package init() {}
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

/// The five states of an app (background-execution rules, section 1).
@usableFromInline package enum AppState: String, Sendable, CaseIterable, Codable {
  /// Never launched, terminated or purged. Runs no code.
  case notRunning = "not_running"
  /// Passing state on the way in and out of the foreground. Runs code, gets no events.
  case inactive
  /// In the foreground.
  case active
  /// Runs code without being seen; on the way to suspension, or held there.
  case background
  /// In memory, frozen.
  case suspended

  @inlinable package var runsCode: Bool {
    switch self {
    case .inactive, .active, .background: true
    case .notRunning, .suspended: false
    }
  }
}

/// Why the system starts or wakes an app.
package enum WakeReason: String, Sendable, CaseIterable, Codable {
  /// A significant change of location.
  case location
  /// The motion trigger that the app armed.
  case motion
}
