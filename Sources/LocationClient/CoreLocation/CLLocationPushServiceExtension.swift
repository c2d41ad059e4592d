// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who answers a push that asks where the device is.
///
/// The app declares `location-push` and needs *always*. On a phone it is an extension with a process of its own; here it
/// is an object of the app, given to `UIApplication.shared.locationPushExtension` of `BackgroundExecution`. A push
/// comes by `milepost apps send APP location_push`, with an empty payload.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// Asks for a location, does what is to be done with it, and calls `completion`, within 30 s in all.
  ///
  /// Who has not called it by then is ended with the app.
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void)

  /// Never called here: the daemon tells nobody that a handler's time is nearly over.
  func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
  public func serviceExtensionWillTerminate() {}
}
