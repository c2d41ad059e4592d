// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What makes Android run an app's code without its user.
package enum AndroidWake: String, Sendable, Hashable, CaseIterable {
  case geofence
  /// A transition of the Activity Recognition API.
  case activity
  /// A location for a `PendingIntent`.
  case location
  /// `BOOT_COMPLETED`.
  case boot
  /// A job of JobScheduler or WorkManager.
  case job
  /// An alarm that the system may move.
  case alarm
  case exactAlarm = "exact_alarm"
  case push
  case highPriorityPush = "high_priority_push"
  /// The user touched a notification or a widget.
  case userAction = "user_action"
}

extension AndroidWake {
  /// Seconds for which the app may run code: a broadcast's receiver 10 s (AOSP `ActivityManagerService`,
  /// `BROADCAST_FG_TIMEOUT`, recalled), a job 10 min (doc: power details).
  package var lasts: Double {
    switch self {
    case .job: 600
    case .geofence, .activity, .location, .boot, .alarm, .exactAlarm, .push, .highPriorityPush,
      .userAction:
      10
    }
  }

  /// What the app must have registered for it; `nil` if its manifest is enough.
  package var promise: AndroidPromise? {
    switch self {
    case .geofence: .geofence
    case .activity: .activity
    case .location: .location
    case .job: .job
    case .alarm, .exactAlarm: .alarm
    case .boot, .push, .highPriorityPush, .userAction: nil
    }
  }

  /// Whether the app must be allowed to know the location unseen.
  package var needsLocation: Bool {
    switch self {
    case .geofence, .location: true
    case .activity, .boot, .job, .alarm, .exactAlarm, .push, .highPriorityPush, .userAction: false
    }
  }

  /// Whether it lets an app that nobody sees start a foreground service, and whether that one counts as begun in the
  /// user's sight (doc: restrictions on starting from the background).
  package var exemption: ServiceExemption? {
    switch self {
    case .geofence, .activity, .boot, .exactAlarm, .highPriorityPush: .unseen
    case .userAction: .asIfSeen
    case .location, .job, .alarm, .push: nil
    }
  }
}

/// Why an app that nobody sees may start a foreground service.
package enum ServiceExemption: Sendable, Hashable {
  case unseen
  /// As from a notification: also with *while in use* the service has a location.
  case asIfSeen
}

/// What an app has registered with the system, which outlives its process.
package enum AndroidPromise: String, Sendable, Hashable, CaseIterable {
  case geofence
  case activity
  case location
  case alarm
  case job

  /// Whether it is still there after a reboot (doc: geofences and alarms must be registered again; WorkManager's jobs are
  /// persistent; for the others the same is assumed as for geofences).
  package var outlivesReboot: Bool {
    switch self {
    case .job: true
    case .geofence, .activity, .location, .alarm: false
    }
  }

  /// Whether it is gone after a forced stop, in a release (alarms and jobs always were).
  package func isCancelledByStop(in release: AndroidRelease) -> Bool {
    switch self {
    case .alarm, .job: true
    case .geofence, .activity, .location: release.stopCancelsPromises
    }
  }
}

/// An app's permission for the location.
package enum AndroidPermission: String, Sendable, Hashable, CaseIterable {
  case denied
  case whileInUse = "while_in_use"
  case always
}

/// The state of an app, as the documentation names it.
package enum AndroidAppState: String, Sendable, Hashable, CaseIterable {
  case foreground
  /// In sight, but not in front: beside another app, or below a dialog.
  case visible
  /// Unseen, with a foreground service.
  case foregroundService = "foreground_service"
  /// Unseen, and something of it runs.
  case background
  /// The process is kept and runs nothing of its own.
  case cached
  case frozen
  case notRunning = "not_running"
  /// Stopped by its user: nothing runs it until the user opens it.
  case stopped

  package var isSeen: Bool { self == .foreground || self == .visible }
  /// Whether its code runs.
  package var runsCode: Bool {
    switch self {
    case .foreground, .visible, .foregroundService, .background: true
    case .cached, .frozen, .notRunning, .stopped: false
    }
  }
}

/// The location that an app has at a moment.
package enum AndroidAccess: Sendable, Hashable {
  case full
  /// At most one in so many seconds.
  case throttled(every: Double)
  case none(AndroidObstacle)
}

/// Why an app gets no location, is not woken, or cannot start a service.
package enum AndroidObstacle: Sendable, Hashable {
  /// The user has not given the permission.
  case denied
  /// *While in use*, and nobody sees it.
  case notInUse
  /// *While in use*, and its service began unseen.
  case serviceBeganUnseen
  /// The type of its service is not `location`.
  case serviceOfOtherType
  case frozen
  case notRunning
  /// Its user stopped it.
  case stopped
  case notRegistered
  /// The battery saver, with the screen off.
  case batterySaver
  /// Until the next maintenance window.
  case doze
  /// The quota of its standby bucket.
  case bucket(StandbyBucket)
  /// `ForegroundServiceStartNotAllowedException`.
  case startNotAllowed
  /// `SecurityException`: no access to the location at the start.
  case startWithoutAccess

  /// A sentence for its account.
  package var sentence: String {
    switch self {
    case .denied: "it has no permission for the location"
    case .notInUse: "its permission is *while in use*, and nobody sees it"
    case .serviceBeganUnseen:
      "its permission is *while in use*, and its foreground service began unseen"
    case .serviceOfOtherType: "its foreground service is not of the type location"
    case .frozen: "its process is frozen"
    case .notRunning: "its process has ended, and a callback ends with it"
    case .stopped: "it was force-stopped: nothing runs it until its user opens it"
    case .notRegistered: "nothing is registered: a reboot or a forced stop has removed it"
    case .batterySaver: "the battery saver is on and the screen is off"
    case .doze: "the phone is in Doze: it waits for a maintenance window"
    case .bucket(let bucket): "the quota of the \(bucket.rawValue) bucket is used up"
    case .startNotAllowed:
      "nobody sees it, and nothing exempts it (ForegroundServiceStartNotAllowedException)"
    case .startWithoutAccess:
      "it has no access to the location at that moment (SecurityException)"
    }
  }
}
