// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// The script of a scenario with `platform: android`: apps, their handlers, and what user and system do.
package struct AndroidScript: Sendable, Equatable {
  package var release: AndroidRelease
  /// Those by which it is tested; none is its own.
  package var testedReleases: [AndroidRelease] = []
  package var apps: [AndroidScriptApp] = []
  package var acts: [TimedAct<AndroidAct>] = []

  package init(release: AndroidRelease) { self.release = release }
}

/// An app of such a script.
package struct AndroidScriptApp: Sendable, Equatable {
  package var name: String
  package var permission = AndroidPermission.always
  /// Whether it has an approximate location only.
  package var isApproximate = false
  /// At most one for each trigger.
  package var handlers: [AndroidTrigger: [AndroidStep]] = [:]

  package init(name: String) { self.name = name }
}

/// An event for an app, as the keys of a scenario name it: `on geofence exit`.
package enum AndroidTrigger: String, Sendable, CaseIterable {
  /// Its user opens it.
  case open
  /// It is put away.
  case left
  case boot
  case enter = "geofence enter"
  case exit = "geofence exit"
  /// It has been in a geofence for as long as it asked for.
  case dwell = "geofence dwell"
  /// Walking, cycling or in a vehicle, after it was still.
  case moving = "activity moving"
  case still = "activity still"
  /// A location, or several that were batched.
  case location
  case job
  case alarm
  case push
  /// Its user touches its notification.
  case action

  init?(_ wake: AndroidWake) {
    switch wake {
    case .boot: self = .boot
    case .job: self = .job
    case .alarm, .exactAlarm: self = .alarm
    case .push, .highPriorityPush: self = .push
    case .userAction: self = .action
    // Their event comes by itself.
    case .geofence, .location, .activity: return nil
    }
  }

  init(_ transition: GeofenceTransition) {
    self =
      switch transition {
      case .enter: .enter
      case .exit: .exit
      case .dwell: .dwell
      }
  }
}

/// One step of an app.
package enum AndroidStep: Sendable, Equatable {
  /// With `dwell` the app is told once the phone has been inside for so many seconds, in place of the entry.
  case monitor(Place, dwell: Double?)
  case stopMonitoring(String)
  /// `nil` takes the request back.
  case request(FusedRequest?)
  /// `getCurrentLocation`.
  case requestOnce(FusedPriority)
  /// Changes of activity.
  case watchActivities(Bool)
  case schedule(ScheduledWork)
  case startService(isLocation: Bool)
  case startPlainService
  case endService
  /// Runs code for so many seconds.
  case work(Double)
  case nothing
}

/// An act of user, system or maker.
package enum AndroidAct: Sendable, Equatable {
  case open(String)
  case home
  case swipeAway(String)
  case forceStop(String)
  /// A maker's battery manager force-stops it: stated, and no claim about any maker.
  case vendorStops(String)
  case userStops(String)
  case takeMemory(String)
  case permit(String, AndroidPermission)
  case wake(String, AndroidWake)
  case bucket(String, StandbyBucket)
  case screen(isOn: Bool)
  case charging(Bool)
  case saver(isOn: Bool)
  case doze(DozeMode)
  case reboot
  case nothing
}
