// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What the user, the system or the world does.
package enum Happening: Sendable, Equatable {
  // To the app in front ------------------------------------------------------------------------------

  /// The user goes to the home screen: the app in front is put away.
  case home

  // To one app ---------------------------------------------------------------------------------------

  /// The user comes to it, or starts it where it does not run; another one that was in front is put away.
  case open(String)
  /// It is put away, whichever is in front.
  case background(String)
  case forceQuit(String)
  /// The system ends it in order.
  case terminate(String)
  /// The system takes its memory, where it is suspended.
  case purge(String)
  /// `nil` leaves how exactly it may know as it is.
  case authorize(String, Authorization, LocationAccuracy? = nil)
  /// Something comes in for it: a push, data of its socket, of an accessory.
  case event(String, WakeReason)

  // To the device ------------------------------------------------------------------------------------

  /// A call comes in, or is over: the app in front is interrupted, and nobody else is heard.
  case call(Bool)
  case lock
  case unlock
  case reboot
  /// So many megabytes are needed.
  case memoryPressure(Double)
  case network(Bool)
  case lowPower(Bool)
  case backgroundRefresh(Bool)
  /// A line that does nothing but let time pass.
  case nothing

  /// The app that it is about by name.
  package var app: String? {
    switch self {
    case .open(let app), .background(let app), .forceQuit(let app), .terminate(let app),
      .purge(let app), .authorize(let app, _, _), .event(let app, _):
      app
    case .home, .call, .lock, .unlock, .reboot, .memoryPressure, .network, .lowPower,
      .backgroundRefresh, .nothing:
      nil
    }
  }
}
