// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient

/// The device that runs the app, as far as background execution is concerned.
public final class UIDevice: NSObject, Sendable {
  public static let current = UIDevice()

  private override init() { super.init() }

  /// Whether apps run in the background, and this one may; false if it has opted out (`UIApplicationExitsOnSuspend`).
  public var isMultitaskingSupported: Bool {
    !LocationSession.current.circumstances.isFrontOnly
  }
}

/// Whether an app can be called in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Something other than the user forbids it; never the case here.
  case restricted = 0
  /// The user has switched it off for all apps.
  case denied = 1
  case available = 2
}

extension UIApplication {
  /// The status when this process connected last.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    session.circumstances.refreshIsOff ? .denied : .available
  }
}
