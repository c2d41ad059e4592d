// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIApplication {
  // Posted on `NotificationCenter.default` after the delegate's method of the same name.

  public static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  public static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  public static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  public static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  public static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
}
