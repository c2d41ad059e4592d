// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// One line of the account of an Android scenario.
package struct AndroidLine: Sendable, Equatable {
  /// UTC of the trace.
  package let time: UTCInstant
  /// The app concerned; `nil` for the phone.
  package let app: String?
  package let text: String
}

/// What became of one app.
package struct AndroidTotals: Sendable, Equatable {
  package let app: String
  package var told = 0
  package var wakes = 0
  /// Wakes that did not come, by their reason, in the order of their first time.
  package var notWoken: [(why: String, count: Int)] = []
  package var refusedStarts = 0

  package static func == (a: Self, b: Self) -> Bool {
    a.app == b.app && a.told == b.told && a.wakes == b.wakes
      && a.refusedStarts == b.refusedStarts && a.notWoken.map(\.why) == b.notWoken.map(\.why)
      && a.notWoken.map(\.count) == b.notWoken.map(\.count)
  }

  mutating func note(notWoken why: String) {
    if let index = notWoken.firstIndex(where: { $0.why == why }) {
      notWoken[index].count += 1
    } else {
      notWoken.append((why, 1))
    }
  }
}

extension AndroidWake {
  /// `a geofence`.
  package var words: String {
    switch self {
    case .geofence: "a geofence"
    case .activity: "a change of activity"
    case .location: "a location"
    case .boot: "the boot"
    case .job: "its job"
    case .alarm: "its alarm"
    case .exactAlarm: "its exact alarm"
    case .push: "a push"
    case .highPriorityPush: "a push of high priority"
    case .userAction: "a touch of its notification"
    }
  }
}

extension AndroidAppState {
  /// `in a foreground service`.
  package var words: String {
    switch self {
    case .foreground: "in front"
    case .visible: "visible"
    case .foregroundService: "unseen, with a foreground service"
    case .background: "in the background"
    case .cached: "cached"
    case .frozen: "frozen"
    case .notRunning: "without a process"
    case .stopped: "force-stopped"
    }
  }
}

extension FusedNeed {
  /// `the receiver every 1 s, Wi-Fi and cells every 60 s`.
  package var words: String {
    let parts = [
      receiver.map { "the receiver every \(Self.seconds($0))" },
      network.map { "Wi-Fi and cells every \(Self.seconds($0))" },
      cells.map { "cells every \(Self.seconds($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? "no radio" : parts.joined(separator: ", ")
  }

  private static func seconds(_ seconds: Double) -> String { "\(Int(seconds.rounded())) s" }
}

extension AndroidAct {
  /// `open tracker`.
  package var words: String {
    switch self {
    case .open(let app): "open \(app)"
    case .home: "home"
    case .swipeAway(let app): "swipe away \(app)"
    case .forceStop(let app): "force stop \(app)"
    case .vendorStops(let app): "the maker's battery manager stops \(app) (stated, not predicted)"
    case .userStops(let app): "user stops \(app)"
    case .takeMemory(let app): "take memory of \(app)"
    case .permit(let app, let permission): "permit \(app) \(permission.rawValue)"
    case .wake(let app, let wake): "\(wake.words) for \(app)"
    case .bucket(let app, let bucket): "\(app) is in the bucket \(bucket.rawValue)"
    case .screen(let isOn): isOn ? "screen on" : "screen off"
    case .charging(let isOn): isOn ? "charge" : "unplug"
    case .saver(let isOn): isOn ? "battery saver on" : "battery saver off"
    case .doze(let mode): "doze \(mode.rawValue)"
    case .reboot: "reboot"
    case .nothing: "nothing"
    }
  }
}
