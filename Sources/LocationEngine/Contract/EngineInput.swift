// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationModel

/// Everything that the engine can be told.
package enum EngineInput: Sendable, Equatable {
  case app(AppID, AppInput)
  /// The receiver reports a position.
  case fix(Fix)
  /// A compass says where the device points to.
  case heading(Heading)
  /// Degrees by which magnetic north lies east of true north here.
  case declination(Double)
  /// The receiver, which is on and has no position, hears satellites from now on, or hears none any more.
  case signal(isHeard: Bool)
  /// The answer to `EngineCommand.requestNetworkPosition`.
  case networkFix(Fix)
  /// The network could not say where the device is.
  case networkPositionFailed
  /// The modem camps on another cell, that of the hint; heard only while `Triggers.cells` are listened
  /// to. `nil` where the modem does not say which.
  case cellChanged(CellHint? = nil)
  /// The motion sensor fired in so many windows, at least 1, of which the last one ends now: one live, several where a
  /// replay goes on by more than one. Heard only while `Triggers.motion` is armed.
  case motionFelt(windows: Int)
  /// It is so late: notifications that are due by then are given.
  case utc(UTCInstant)
  /// Something happened to the device as a whole.
  case device(DeviceEvent)
  /// The engine's deadline may have come.
  case timePassed

  /// The motion sensor fired.
  package static let motionBegan = Self.motionFelt(windows: 1)
}

/// An act of an app, its user or the system.
package enum AppInput: Sendable, Equatable {
  /// The app becomes known; nothing else is heard of an app that is not.
  case registered(AppDeclaration)
  /// The app is forgotten, with its services; registered again it starts anew.
  case removed
  case authorized(Authorization)
  /// The app's declaration has changed, but for what its user allows.
  case declared(AppDeclaration)
  /// An event of its life; the engine itself wakes, holds and relaunches it.
  case life(LifecycleInput)
  case startUpdating(StandardRequest)
  case stopUpdating
  /// Its updates are to be kept back while it is in the background; `nil`: no longer.
  case deferUpdates(Deferral?)
  /// One location, then no more; metres, or one of Core Location's negative constants.
  case requestLocation(accuracy: Double = -1)
  case startMonitoringSignificantChanges
  case stopMonitoringSignificantChanges
  /// A wake when the device begins to move while standard updates are paused or stopped [ours].
  case startMonitoringMotion
  case stopMonitoringMotion
  /// Whether, and how often, it is told where the device points to.
  case heading(HeadingWish)
  /// How often it wants to fetch what is new, seconds; `nil` is never. Remembered when it ends.
  case setFetchInterval(Double?)
  /// How often its keep-alive handler is to be called, seconds; `nil` takes the handler away.
  case setKeepAlive(Double?)
  /// It hands over the socket that is watched while it is suspended, or takes it back.
  case watchSocket(Bool)
  case playAudio(Bool)
  /// It schedules a notification, at that time.
  case schedule(LocalNotification, at: UTCInstant)
  /// It takes a notification away; with `nil` all.
  case cancelNotification(String?)
  /// Megabytes that it holds; 0 where it has no process of its own.
  case usesMemory(megabytes: Double)
  /// Something comes in for it: a push, data on its socket, of an accessory.
  case event(WakeReason)
  /// A wish about regions and visits.
  case place(PlaceInput)
}

/// An app's wish for headings.
package enum HeadingWish: Sendable, Equatable, Codable {
  /// To be told of each that differs by so many degrees from the last that it was told; `nil` is of all.
  case updates(filter: Double?)
  case none
}
