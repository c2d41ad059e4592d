// SPDX-License-Identifier: Apache-2.0

import LocationClient

/// A call for which an app has asked, and which its delegate should hear. A method with other labels or types is another
/// one: it compiles, and is never called.
enum DelegateCall: Hashable, Sendable {
  case fetch, push, presentation

  /// The complaint about a delegate without a method for it.
  func words(unheardBy delegate: any AnyObject) -> String {
    let (subject, method): (String, String) =
      switch self {
      case .fetch:
        (
          "a background fetch",
          "func application(_ application: UIApplication, performFetchWithCompletionHandler "
            + "completionHandler: @escaping (UIBackgroundFetchResult) -> Void)"
        )
      case .push:
        (
          "a push",
          "func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: "
            + "[AnyHashable: Any], fetchCompletionHandler completionHandler: @escaping "
            + "(UIBackgroundFetchResult) -> Void)"
        )
      case .presentation:
        (
          "a notification that is due while the app is active",
          "func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: "
            + "UNNotification, withCompletionHandler completionHandler: @escaping "
            + "(UNNotificationPresentationOptions) -> Void)"
        )
      }
    return
      "milepost: \(type(of: delegate)) is called for \(subject) and has no method that hears it; write \(method), "
      + "or its asynchronous form" + remark(onClassOf: delegate, where: conforms)
  }

  private func conforms(_ type: Any.Type) -> Bool {
    switch self {
    case .fetch, .push: type is any UIApplicationDelegate.Type
    case .presentation: type is any UNUserNotificationCenterDelegate.Type
    }
  }
}
