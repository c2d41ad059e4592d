// SPDX-License-Identifier: Apache-2.0

// 2010. An app delegate, significant changes, and a background task. The app enters the background, is ended, is
// relaunched by a significant change, and uploads the positions that it received; nothing else keeps it running.
import BackgroundExecution

class DeliveryRound: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  /// Sends positions, and calls back when they have arrived.
  var upload: ([CLLocation], @escaping () -> Void) -> Void = { _, done in done() }
  /// The output for the app's events.
  var say: (String) -> Void = { _ in }
  private(set) var wasLaunchedByLocation = false

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    wasLaunchedByLocation = launchOptions?[.location] != nil
    say(wasLaunchedByLocation ? "launched for a location" : "launched by its user")
    manager.delegate = self
    // Also after a launch by the system: monitoring continues only if the app asks again.
    manager.startMonitoringSignificantLocationChanges()
    return true
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateToLocation newLocation: CLLocation,
    fromLocation oldLocation: CLLocation?
  ) {
    let application = UIApplication.shared
    say("delivers \(newLocation.place)")
    guard application.applicationState == .background else { return upload([newLocation]) {} }
    // A wake lasts for about 10 s; a task gives the upload the time that it needs.
    var task = UIBackgroundTaskIdentifier.invalid
    task = application.beginBackgroundTask {
      application.endBackgroundTask(task)
      task = .invalid
    }
    upload([newLocation]) { [say] in
      say("is done")
      application.endBackgroundTask(task)
      task = .invalid
    }
  }
}
