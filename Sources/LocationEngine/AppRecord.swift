// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationModel

/// What the engine knows of one app.
struct AppRecord: Sendable, Equatable, Codable {
  let id: AppID
  var declaration: AppDeclaration
  var lifecycle: AppLifecycle
  /// Ends with the app's process.
  var standard: StandardService?
  /// Outlives the app's process.
  var significant: SignificantService?
  var monitorsMotion = false
  /// Whether its user swiped it away and has not started it since.
  var wasForceQuit = false
  /// Deliveries so far.
  var deliveries: UInt64 = 0

  init(_ id: AppID, _ declaration: AppDeclaration, timing: LifecycleTiming) {
    self.id = id
    self.declaration = declaration
    lifecycle = AppLifecycle(timing: timing, exitsOnSuspend: declaration.exitsOnSuspend)
  }

  var state: AppState { lifecycle.state }

  /// Whether its standard updates are of the kind that keeps it running in the background.
  func isContinuous(in era: Era) -> Bool {
    guard let standard, declaration.declaresLocationMode else { return false }
    return standard.request.allowsBackgroundUpdates || !era.backgroundNeedsRequestFlag
  }

  /// Whether continuous updates hold it in the background now.
  func isHeld(in era: Era) -> Bool {
    standard?.phase == .updating && declaration.authorization.allowsLocation
      && isContinuous(in: era)
  }

  /// Whether its standard service needs the receiver now.
  var needsReceiver: Bool {
    guard let standard, standard.phase != .paused else { return false }
    return state.runsCode && declaration.authorization.allowsLocation
  }

  /// Whether an event may start it when it is not running.
  func mayRelaunch(in era: Era) -> Bool {
    if wasForceQuit && !era.relaunchesAfterForceQuit { return false }
    return era.relaunchNeedsAlways
      ? declaration.authorization == .always : declaration.authorization.allowsLocation
  }

  /// Whether it waits for the device to move.
  var awaitsMotion: Bool { monitorsMotion && standard?.phase != .updating }
}
