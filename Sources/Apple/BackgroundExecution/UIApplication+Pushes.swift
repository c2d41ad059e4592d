// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationClient

extension UIApplication {
  /// There is no service that gives tokens: `didFailToRegisterForRemoteNotificationsWithError` says so. Pushes come
  /// nevertheless, by `milepost apps send APP push`.
  public func registerForRemoteNotifications() {
    session.post(on: .main) {
      self.delegate?.application(
        self, didFailToRegisterForRemoteNotificationsWithError: RemoteNotificationError())
    }
  }

  public func unregisterForRemoteNotifications() {}

  /// Always false.
  public var isRegisteredForRemoteNotifications: Bool { false }
}

/// The reason why there is no token for pushes.
public struct RemoteNotificationError: Error, CustomStringConvertible, Sendable {
  public let description =
    "there is no service that gives tokens for pushes here; milepost apps send APP push sends one"
}
