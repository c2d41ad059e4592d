// SPDX-License-Identifier: Apache-2.0

/// The rules in which generations of the system differ, as values (background-execution, section 4).
///
/// The engine asks a field of this, never which era it is; any field can be overridden.
package struct Era: Sendable, Equatable, Codable {
  package var name: String
  /// What becomes of standard updates that arrive for a suspended app.
  package var standardWhileSuspended: WhileSuspended
  /// Whether background updates need `allowsBackgroundLocationUpdates` beside the declared mode.
  package var backgroundNeedsRequestFlag: Bool
  /// Whether a relaunch needs the level *always*; else any authorization will do.
  package var relaunchNeedsAlways: Bool
  /// Whether a significant change relaunches an app that its user has force-quit.
  package var relaunchesAfterForceQuit: Bool
  /// Whether `didEnterBackground` is called on a launch into the background.
  package var entersBackgroundOnLaunch: Bool

  package enum WhileSuspended: String, Sendable, Codable {
    case dropped
    /// The newest one waits and is delivered when the app runs again.
    case queued
  }

  package static let ios4 = Era(
    name: "ios4", standardWhileSuspended: .dropped, backgroundNeedsRequestFlag: false,
    relaunchNeedsAlways: false, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: false)
  package static let ios7 = Era(
    name: "ios7", standardWhileSuspended: .dropped, backgroundNeedsRequestFlag: false,
    relaunchNeedsAlways: false, relaunchesAfterForceQuit: false, entersBackgroundOnLaunch: false)
  package static let ios13 = Era(
    name: "ios13", standardWhileSuspended: .queued, backgroundNeedsRequestFlag: true,
    relaunchNeedsAlways: true, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: true)
  package static let today = Era(
    name: "today", standardWhileSuspended: .queued, backgroundNeedsRequestFlag: true,
    relaunchNeedsAlways: true, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: true)

  package static let all = [ios4, ios7, ios13, today]

  package static func named(_ name: String) -> Era? { all.first { $0.name == name } }
}
