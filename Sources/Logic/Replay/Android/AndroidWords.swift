// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
import LocationModel

extension AndroidHappening {
  /// `is run for a geofence`.
  package var words: String {
    switch self {
    case .state(_, let to): return "is \(to.words)"
    case .woken(let wake): return "is run for \(wake.words)"
    case .notWoken(let wake, let obstacle):
      return "is not run for \(wake.words): \(obstacle.sentence)"
    case .startRefused(let obstacle):
      return "cannot start its foreground service: \(obstacle.sentence)"
    case .told(let count, let accuracy, _):
      let metres = accuracy.map { ", of \(Int($0.rounded())) m" } ?? ""
      return "is told \(count == 1 ? "a location" : "\(count) locations")\(metres)"
    case .crossed(let transition, let place): return "is told that it \(transition.words) \(place)"
    case .activity(let isMoving): return "is told that the phone \(isMoving ? "moves" : "is still")"
    case .workLost: return "had not done its work"
    case .need(let need): return "asks for \(need.words)"
    case .dozed(let mode):
      return mode == .awake ? "ends Doze, or opens a window" : "is in \(mode.rawValue) Doze"
    case .act(let act): return "act: \(act.words)"
    case .notPlayed(let act):
      return "not played, since the trace ended before: \(act.words)"
    case .gap: return "no data until here"
    }
  }
}

extension GeofenceTransition {
  fileprivate var words: String {
    switch self {
    case .enter: "has entered"
    case .exit: "has left"
    case .dwell: "dwells in"
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
