// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An act of the user, the system or the world.
package enum Happening: Sendable, Equatable {
  // To the app in front ------------------------------------------------------------------------------

  /// The user goes to the home screen: the app in the foreground is put away.
  case home

  // To one app ---------------------------------------------------------------------------------------

  /// The user comes to it, or starts it if it does not run; another one in the foreground is put away.
  case open(String)
  /// It is put away, whichever is in front.
  case background(String)
  case forceQuit(String)
  /// The system ends it in order.
  case terminate(String)
  /// The system takes its memory, if it is suspended.
  case purge(String)
  /// `nil` leaves the granted accuracy as it is.
  case authorize(String, Authorization, LocationAccuracy? = nil)
  /// An event arrives for it: a push, data on its socket or from an accessory.
  case event(String, WakeReason)

  // To the device ------------------------------------------------------------------------------------

  case device(DeviceEvent)
  case lock
  case network(Bool)
  /// A line that only lets time pass.
  case nothing

  /// The name of the app concerned.
  package var app: String? {
    switch self {
    case .open(let app), .background(let app), .forceQuit(let app), .terminate(let app),
      .purge(let app), .authorize(let app, _, _), .event(let app, _):
      app
    case .home, .device, .lock, .network, .nothing: nil
    }
  }

  /// Whether it is an event that reaches the device over its network.
  package var comesOverNetwork: Bool {
    guard case .event(_, let reason) = self else { return false }
    return [.push, .locationPush, .socket, .newsstand].contains(reason)
  }
}
