// SPDX-License-Identifier: Apache-2.0

/// The rules in which generations of the system differ, as values (background-execution, section 4).
///
/// The engine asks a field of this, never which era it is; any field can be overridden. The page `Eras` of
/// the documentation shows them all, and is made of this value.
package struct Era: Sendable, Equatable {
  package var name: String
  /// What becomes of standard updates that arrive for a suspended app.
  ///
  /// The receiver is never on for a suspended app, so only what other apps' receivers bring arrives; for an
  /// app that is alone nothing does.
  package var standardWhileSuspended: WhileSuspended
  /// Whether background updates need `allowsBackgroundLocationUpdates` beside the declared mode.
  package var backgroundNeedsRequestFlag: Bool
  /// Whether a relaunch needs the level *always*; else any authorization will do.
  package var relaunchNeedsAlways: Bool
  /// Whether a significant change relaunches an app that its user has force-quit.
  package var relaunchesAfterForceQuit: Bool
  /// Whether `didEnterBackground` is called on a launch into the background.
  package var entersBackgroundOnLaunch: Bool
  /// Whether there are two levels, *when in use* and *always* (iOS 8 on [doc]); else an app is authorized or
  /// it is not, and authorized means *always*.
  package var knowsWhenInUse: Bool
  /// Whether the first start of a service puts the question to the user where nothing has been decided;
  /// else the app asks by itself, or gets nothing (iOS 8 on [doc]).
  package var asksAtStart: Bool
  /// Whether an app that holds *when in use* can ask for *always* (iOS 11 on [doc]).
  package var upgradesToAlways: Bool
  /// Whether an app that asked for *always* and was allowed *when in use* holds *always* on trial, until the
  /// user is asked again when it first matters (iOS 13 on [doc]).
  package var grantsAlwaysOnTrial: Bool
  /// Whether updates of an app with *when in use* must have been started in the foreground; from there they
  /// go on in the background, where none can be started ([doc], from iOS 8; with the later eras' levels).
  package var whenInUseStartsInForeground: Bool

  /// Whether continuous updates can be kept back while the app is suspended: iOS 6 to 12 [doc].
  package var defersUpdates: Bool

  /// Seconds that background tasks have in all: 600, from iOS 7 on 180, from iOS 13 on 30 [field].
  package var taskBudget: Double
  /// What becomes of an app whose tasks take longer; sources disagree.
  package var taskOverrun: Overrun
  /// Whether there is background fetch (iOS 7 on [doc]).
  package var hasFetch: Bool
  /// Whether a push can wake an app that declares `remote-notification` (iOS 7 on [doc]).
  package var wakesOnPush: Bool
  /// Whether a push can ask an app that declares `location-push` where the device is (iOS 15 on [doc]).
  package var wakesOnLocationPush: Bool
  /// Whether `voip` has its keep-alive handler, its watched socket and its relaunches; apps built for iOS 10
  /// and later have pushes in their place [doc].
  package var hasVoIP: Bool
  /// Whether there is a switch for background refresh (iOS 7 on [doc]), and a Low Power Mode (iOS 9 on [doc]).
  package var hasRefreshSwitch: Bool
  package var hasLowPowerMode: Bool
  /// Whether notifications need the user's permission (iOS 8 on [doc]).
  package var asksForNotifications: Bool

  package enum Overrun: String, Sendable, CaseIterable, Codable {
    case terminated
    case suspended
  }

  @usableFromInline package enum WhileSuspended: String, Sendable, Codable {
    case dropped
    /// The newest one that another app's receiver brought waits, and is delivered when the app runs again.
    case queued
  }

  package static let ios4 = Era(
    name: "ios4", standardWhileSuspended: .dropped, backgroundNeedsRequestFlag: false,
    relaunchNeedsAlways: false, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: false,
    knowsWhenInUse: false, asksAtStart: true, upgradesToAlways: false, grantsAlwaysOnTrial: false,
    whenInUseStartsInForeground: false, defersUpdates: false, taskBudget: 600,
    taskOverrun: .terminated, hasFetch: false,
    wakesOnPush: false, wakesOnLocationPush: false, hasVoIP: true, hasRefreshSwitch: false,
    hasLowPowerMode: false,
    asksForNotifications: false)
  package static let ios7 = Era(
    name: "ios7", standardWhileSuspended: .dropped, backgroundNeedsRequestFlag: false,
    relaunchNeedsAlways: false, relaunchesAfterForceQuit: false, entersBackgroundOnLaunch: false,
    knowsWhenInUse: false, asksAtStart: true, upgradesToAlways: false, grantsAlwaysOnTrial: false,
    whenInUseStartsInForeground: false, defersUpdates: true, taskBudget: 180,
    taskOverrun: .terminated, hasFetch: true,
    wakesOnPush: true, wakesOnLocationPush: false, hasVoIP: true, hasRefreshSwitch: true,
    hasLowPowerMode: false,
    asksForNotifications: false)
  package static let ios13 = Era(
    name: "ios13", standardWhileSuspended: .queued, backgroundNeedsRequestFlag: true,
    relaunchNeedsAlways: true, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: true,
    knowsWhenInUse: true, asksAtStart: false, upgradesToAlways: true, grantsAlwaysOnTrial: true,
    whenInUseStartsInForeground: true, defersUpdates: false, taskBudget: 30,
    taskOverrun: .terminated, hasFetch: true,
    wakesOnPush: true, wakesOnLocationPush: false, hasVoIP: false, hasRefreshSwitch: true,
    hasLowPowerMode: true,
    asksForNotifications: true)
  package static let today = Era(
    name: "today", standardWhileSuspended: .queued, backgroundNeedsRequestFlag: true,
    relaunchNeedsAlways: true, relaunchesAfterForceQuit: true, entersBackgroundOnLaunch: true,
    knowsWhenInUse: true, asksAtStart: false, upgradesToAlways: true, grantsAlwaysOnTrial: true,
    whenInUseStartsInForeground: true, defersUpdates: false, taskBudget: 30,
    taskOverrun: .terminated, hasFetch: true,
    wakesOnPush: true, wakesOnLocationPush: true, hasVoIP: false, hasRefreshSwitch: true,
    hasLowPowerMode: true,
    asksForNotifications: true)

  package static let all = [ios4, ios7, ios13, today]

  /// The era that counts where nobody says otherwise: in the engine, the service, the replays, the commands.
  package static let usual = today

  package static func named(_ name: String) -> Era? { all.first { $0.name == name } }
}

extension Era: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, standardWhileSuspended, backgroundNeedsRequestFlag, relaunchNeedsAlways
    case relaunchesAfterForceQuit, entersBackgroundOnLaunch, knowsWhenInUse, asksAtStart
    case upgradesToAlways, grantsAlwaysOnTrial, whenInUseStartsInForeground, taskBudget, taskOverrun
    case hasFetch, wakesOnPush, hasVoIP, hasRefreshSwitch, hasLowPowerMode, asksForNotifications
    case defersUpdates, wakesOnLocationPush
  }

  /// What an older release did not write has the value of the era of that name.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .name)
    self = Era.named(name) ?? .usual
    self.name = name
    standardWhileSuspended = try values.decode(
      WhileSuspended.self, forKey: .standardWhileSuspended)
    func rule(_ key: CodingKeys, _ field: WritableKeyPath<Era, Bool>, into era: inout Era) throws {
      if let value = try values.decodeIfPresent(Bool.self, forKey: key) {
        era[keyPath: field] = value
      }
    }
    try rule(.backgroundNeedsRequestFlag, \.backgroundNeedsRequestFlag, into: &self)
    try rule(.relaunchNeedsAlways, \.relaunchNeedsAlways, into: &self)
    try rule(.relaunchesAfterForceQuit, \.relaunchesAfterForceQuit, into: &self)
    try rule(.entersBackgroundOnLaunch, \.entersBackgroundOnLaunch, into: &self)
    try rule(.knowsWhenInUse, \.knowsWhenInUse, into: &self)
    try rule(.asksAtStart, \.asksAtStart, into: &self)
    try rule(.upgradesToAlways, \.upgradesToAlways, into: &self)
    try rule(.grantsAlwaysOnTrial, \.grantsAlwaysOnTrial, into: &self)
    try rule(.whenInUseStartsInForeground, \.whenInUseStartsInForeground, into: &self)
    try rule(.defersUpdates, \.defersUpdates, into: &self)
    taskBudget = try values.decodeIfPresent(Double.self, forKey: .taskBudget) ?? taskBudget
    taskOverrun = try values.decodeIfPresent(Overrun.self, forKey: .taskOverrun) ?? taskOverrun
    try rule(.hasFetch, \.hasFetch, into: &self)
    try rule(.wakesOnPush, \.wakesOnPush, into: &self)
    try rule(.wakesOnLocationPush, \.wakesOnLocationPush, into: &self)
    try rule(.hasVoIP, \.hasVoIP, into: &self)
    try rule(.hasRefreshSwitch, \.hasRefreshSwitch, into: &self)
    try rule(.hasLowPowerMode, \.hasLowPowerMode, into: &self)
    try rule(.asksForNotifications, \.asksForNotifications, into: &self)
  }
}
