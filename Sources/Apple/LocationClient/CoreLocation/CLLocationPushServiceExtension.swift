// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The handler of a push that asks for the device's location.
///
/// The app declares `location-push` and needs *always*. On a phone it is an extension in a separate process; here it is
/// an object of the app, given to `UIApplication.shared.locationPushExtension` of `BackgroundExecution`. A push comes
/// by `milepost apps send APP location_push`, with an empty payload.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// Requests a location, processes it, and calls `completion`, within 30 s in all.
  ///
  /// If `completion` has not been called by then, the app is ended.
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void)

  /// The same as an asynchronous function, called if the one above is not implemented.
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async

  /// Never called here: the daemon does not announce that a handler's time is nearly over.
  func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
  public func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void
  ) {
    nonisolated(unsafe) let asked: any CLLocationPushServiceExtension = self
    nonisolated(unsafe) let payload = payload
    LocationSession.current.runApp {
      await asked.didReceiveLocationPushPayload(payload)
      completion()
    }
  }

  /// Returns at once: there is no location to send.
  public func didReceiveLocationPushPayload(_ payload: [String: Any]) async {}

  public func serviceExtensionWillTerminate() {}
}
