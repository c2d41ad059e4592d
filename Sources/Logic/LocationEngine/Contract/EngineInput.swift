// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Every input of the engine.
package enum EngineInput: Sendable, Equatable {
  case app(AppID, AppInput)
  /// The receiver reports a position.
  case fix(Fix)
  /// A compass reports the device's heading.
  case heading(Heading)
  /// Degrees by which magnetic north lies east of true north here.
  case declination(Double)
  /// The receiver, which is on without a position, begins or ceases to hear satellites.
  case signal(isHeard: Bool)
  /// The answer to `EngineCommand.requestNetworkPosition`.
  case networkFix(Fix)
  /// The network could not determine the position.
  case networkPositionFailed
  /// The modem camps on another cell, the hint's; reported only while `Triggers.cells` are armed. `nil` if the modem
  /// does not name the cell.
  case cellChanged(CellHint? = nil)
  /// The motion sensor fired in `windows` windows, at least 1, the last of which ends now: one live, several if a
  /// replay advances by more than one. Reported only while `Triggers.motion` is armed.
  case motionFelt(windows: Int)
  /// A sense of the machine says that a trip begins, or has ended.
  case tripHint(TripHint)
  /// The current time: notifications that are due by then are given.
  case utc(UTCInstant)
  /// Something happened to the device as a whole.
  case device(DeviceEvent)
  /// The engine's deadline may have come.
  case timePassed

  /// The motion sensor fired.
  package static let motionBegan = Self.motionFelt(windows: 1)
}

/// What an app, its user or the system does.
package enum AppInput: Sendable, Equatable {
  /// The app becomes known; inputs for unknown apps are ignored.
  case registered(AppDeclaration)
  /// The app is forgotten, with its services; if registered again it starts anew.
  case removed
  case authorized(Authorization)
  /// The app's declaration changed, except for the user's permissions.
  case declared(AppDeclaration)
  /// A life-cycle event; the engine itself wakes, holds and relaunches the app.
  case life(LifecycleInput)
  case startUpdating(StandardRequest)
  case stopUpdating
  /// Defer the app's updates while it is in the background; `nil` ends the deferral.
  case deferUpdates(Deferral?)
  /// A single location; the accuracy is in metres, or one of Core Location's negative constants.
  case requestLocation(accuracy: Double = -1)
  case startMonitoringSignificantChanges
  case stopMonitoringSignificantChanges
  /// A wake when the device begins to move while standard updates are paused or stopped [ours].
  case startMonitoringMotion
  case stopMonitoringMotion
  /// Whether, and how often, the app receives headings.
  case heading(HeadingWish)
  /// The app's fetch interval, seconds; `nil` is never. Remembered when the app ends.
  case setFetchInterval(Double?)
  /// The interval of the app's keep-alive handler, seconds; `nil` removes the handler.
  case setKeepAlive(Double?)
  /// The app hands over a socket to be watched while it is suspended, or takes it back.
  case watchSocket(Bool)
  case playAudio(Bool)
  /// The app schedules a notification at that time.
  case schedule(LocalNotification, at: UTCInstant)
  /// The app cancels a notification; `nil` cancels all.
  case cancelNotification(String?)
  /// The app's memory, megabytes; 0 if it has no process of its own.
  case usesMemory(megabytes: Double)
  /// An event for the app: a push, data on its socket or from an accessory.
  case event(WakeReason)
  /// A request about regions and visits.
  case place(PlaceInput)
}

/// An app's request for headings.
package enum HeadingWish: Sendable, Equatable, Codable {
  /// Headings that differ by at least `filter` degrees from the last delivered one; `nil` is all.
  case updates(filter: Double?)
  case none
}

/// The name of a cell and nothing else: equal names are the same cell.
///
/// The modem listener derives it from the network's broadcast (operator, area, cell). Names of
/// different networks must differ.
package struct CellHint: Sendable, Hashable, Codable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
