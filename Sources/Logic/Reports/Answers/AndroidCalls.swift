// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract

// The modes of an Android app by their own names, and the code for each: `LocationRequest`, `Priority`,
// `GeofencingClient` and `ActivityRecognitionClient` of Google Play services, "Foreground service types: location",
// "Background location limits" and WorkManager, on developer.android.com.

extension RunPlan {
  /// Whether it is an Android app.
  var isAndroid: Bool { system?.isAndroid ?? false }

  /// Its name in a table and in a sentence: `foreground service`, `service 30 s`.
  var androidName: String {
    switch mode {
    case .standard: scenario == .foreground ? "in the foreground" : "no background mode"
    case .continuous: rhythm.isEmpty ? "foreground service" : "service" + rhythm
    case .cycled: armedBy == .motion ? "activity + service" : "geofence + service"
    case .significant, .visits:
      isOfWork
        ? "WorkManager"
        : policy?.isOfBackground == true
          ? "background updates" : "policy \(policy?.label ?? "ios")"
    case .regions: "geofences"
    }
  }

  /// Why the system woke it or launched it.
  func words(of reason: WakeReason) -> String {
    guard isAndroid else { return reason.words }
    return switch reason {
    case .location: "a position"
    case .region: "a geofence was crossed"
    case .motion: "a change of activity"
    case .visit, .fetch, .keepAlive, .socket, .push, .locationPush, .newsstand, .accessory,
      .bluetooth, .boot, .crash:
      reason.words
    }
  }

  /// Whether a job asks for its positions.
  var isOfWork: Bool { policy?.isOfWork == true }

  private var rhythm: String {
    if let interval { return " \(Figures.span(interval))" }
    return distanceFilter.map { " \(Figures.plain($0)) m" } ?? ""
  }

  /// What an app calls for it, in Kotlin.
  var kotlin: String {
    switch mode {
    case .standard: "requestLocationUpdates(\(request), callback) while an activity is visible"
    case .continuous:
      "startForeground(id, notification, FOREGROUND_SERVICE_TYPE_LOCATION) while the app is visible; requestLocationUpdates(\(request), callback)"
    case .cycled:
      "\(armed), PendingIntent) once with \(permission); its receiver calls startForegroundService, and the service startForeground(…, FOREGROUND_SERVICE_TYPE_LOCATION) and requestLocationUpdates(\(request), callback), and ends after \(Figures.span(RunPlan.cycleStill)) within 50 m"
    case .significant, .visits:
      isOfWork
        ? "PeriodicWorkRequestBuilder<YourWorker>(15, TimeUnit.MINUTES), which awaits getCurrentLocation(PRIORITY_BALANCED_POWER_ACCURACY, null) with ACCESS_BACKGROUND_LOCATION"
        : "requestLocationUpdates(LocationRequest.Builder(PRIORITY_BALANCED_POWER_ACCURACY, 1800000).build(), PendingIntent) with ACCESS_BACKGROUND_LOCATION"
    case .regions:
      "GeofencingClient.addGeofences(GEOFENCE_TRANSITION_ENTER or GEOFENCE_TRANSITION_EXIT, \(radius) m around each place, PendingIntent), again after a reboot, with ACCESS_BACKGROUND_LOCATION"
    }
  }

  /// The call's name.
  var shortKotlin: String {
    switch mode {
    case .standard, .continuous: "requestLocationUpdates"
    case .cycled: armedBy == .motion ? "requestActivityTransitionUpdates" : "addGeofences, exit"
    case .significant, .visits:
      isOfWork
        ? "PeriodicWorkRequest" : "requestLocationUpdates, PendingIntent"
    case .regions: "addGeofences"
    }
  }

  private var request: String {
    let millis = Int(1_000 * (interval ?? 1))
    let builder = "LocationRequest.Builder(PRIORITY_HIGH_ACCURACY, \(millis))"
    let distance = distanceFilter.map { ".setMinUpdateDistanceMeters(\(Figures.plain($0))f)" } ?? ""
    return "\(builder)\(distance).build()"
  }

  private var armed: String {
    armedBy == .motion
      ? "ActivityRecognitionClient.requestActivityTransitionUpdates(every activity but STILL, ENTER"
      : "GeofencingClient.addGeofences(GEOFENCE_TRANSITION_EXIT, \(Figures.plain(RunPlan.cycleRadius)) m around the place of rest"
  }

  private var permission: String {
    "ACCESS_BACKGROUND_LOCATION" + (armedBy == .motion ? " and ACTIVITY_RECOGNITION" : "")
  }

  private var radius: String {
    Figures.plain(regions.first?.radius ?? TripPlaces.usualRadius)
  }
}
