// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What an era changes, as the documentation shows it: one row per rule, one column per era.
package enum EraTable {
  /// One rule in words, and what it is in an era.
  package struct Row: Sendable {
    /// The field of `Era`.
    package let field: String
    package let rule: String
    package let value: @Sendable (Era) -> String
  }

  package static let rows: [Row] = [
    Row(
      field: "entersBackgroundOnLaunch",
      rule: "`didEnterBackground` at a launch into the background"
    ) { yesNo($0.entersBackgroundOnLaunch) },
    Row(
      field: "standardWhileSuspended",
      rule:
        "standard updates of a suspended app (the receiver is off for it: this is of what other "
        + "apps' receivers bring)"
    ) {
      switch $0.standardWhileSuspended {
      case .dropped: "dropped"
      case .queued: "the newest waits until it runs"
      }
    },
    Row(field: "backgroundNeedsRequestFlag", rule: "continuous updates need, beside authorization")
    {
      $0.backgroundNeedsRequestFlag
        ? "the declared mode and `allowsBackgroundLocationUpdates`" : "the declared mode"
    },
    Row(field: "knowsWhenInUse", rule: "levels of authorization") {
      $0.knowsWhenInUse ? "*when in use* and *always*" : "one: *always*"
    },
    Row(field: "asksAtStart", rule: "the first start of a service asks the user") {
      yesNo($0.asksAtStart)
    },
    Row(field: "upgradesToAlways", rule: "an app with *when in use* can ask for *always*") {
      yesNo($0.upgradesToAlways)
    },
    Row(
      field: "grantsAlwaysOnTrial",
      rule: "*always* asked for and *when in use* answered is *always* on trial"
    ) { yesNo($0.grantsAlwaysOnTrial) },
    Row(
      field: "whenInUseStartsInForeground",
      rule: "an app with *when in use* can start updates from the background"
    ) { yesNo(!$0.whenInUseStartsInForeground) },
    Row(field: "relaunchNeedsAlways", rule: "a relaunch needs") {
      $0.relaunchNeedsAlways ? "*always*" : "any authorization"
    },
    Row(
      field: "relaunchesAfterForceQuit",
      rule: "a significant change relaunches an app that its user swiped away"
    ) { yesNo($0.relaunchesAfterForceQuit) },
    Row(
      field: "defersUpdates",
      rule: "continuous updates can be kept back while the app is suspended"
    ) { yesNo($0.defersUpdates) },
    Row(field: "taskBudget", rule: "background tasks have, in all") {
      "\(Int($0.taskBudget)) s"
    },
    Row(field: "taskOverrun", rule: "an app whose tasks take longer is") {
      $0.taskOverrun.rawValue
    },
    Row(field: "hasFetch", rule: "background fetch") { yesNo($0.hasFetch) },
    Row(field: "wakesOnPush", rule: "a push wakes an app that declares `remote-notification`") {
      yesNo($0.wakesOnPush)
    },
    Row(
      field: "wakesOnLocationPush",
      rule: "a push asks an app that declares `location-push` where it is"
    ) {
      yesNo($0.wakesOnLocationPush)
    },
    Row(
      field: "hasVoIP",
      rule: "`voip` has a keep-alive handler, a watched socket, and relaunches after boot and crash"
    ) { yesNo($0.hasVoIP) },
    Row(field: "hasRefreshSwitch", rule: "background refresh can be switched off") {
      yesNo($0.hasRefreshSwitch)
    },
    Row(field: "hasLowPowerMode", rule: "Low Power Mode stops fetches") {
      yesNo($0.hasLowPowerMode)
    },
    Row(field: "asksForNotifications", rule: "notifications need their user's permission") {
      yesNo($0.asksForNotifications)
    },
  ]

  /// The table in Markdown, with a line feed at its end.
  package static var markdown: String {
    let eras = Era.all
    var text = "| rule |" + eras.map { " `\($0.name)` |" }.joined() + "\n"
    text += "| --- |" + eras.map { _ in " --- |" }.joined() + "\n"
    for row in rows {
      text += "| \(row.rule) |" + eras.map { " \(row.value($0)) |" }.joined() + "\n"
    }
    return text
  }

  private static func yesNo(_ value: Bool) -> String { value ? "yes" : "no" }
}
