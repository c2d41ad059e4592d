// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient

/// The device that an app runs on, as far as background execution goes.
public final class UIDevice: NSObject, Sendable {
  public static let current = UIDevice()

  private override init() { super.init() }

  /// Whether apps run in the background, and this one may: not where it has opted out (`UIApplicationExitsOnSuspend`).
  public var isMultitaskingSupported: Bool {
    !LocationSession.current.circumstances.isFrontOnly
  }
}

/// Whether an app can be called in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Something other than the user forbids it; never so here.
  case restricted = 0
  /// Its user has switched it off for all apps.
  case denied = 1
  case available = 2
}

extension UIApplication {
  /// As it was when this process connected last.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    session.circumstances.refreshIsOff ? .denied : .available
  }
}
