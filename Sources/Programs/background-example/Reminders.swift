// SPDX-License-Identifier: Apache-2.0

// 2016. A circle around home, visits, and a local notification at the place. The app runs only for the moments of an
// event.
import BackgroundExecution

class Reminders: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let home: CLLocationCoordinate2D
  /// The output for the app's events.
  var say: (String) -> Void = { _ in }
  private(set) var visits: [CLVisit] = []
  private(set) var entered: [String] = []

  init(home: CLLocationCoordinate2D) {
    self.home = home
    super.init()
  }

  override init() {
    home = CLLocationCoordinate2D(latitude: 48.1375, longitude: 11.5755)
    super.init()
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let reason = launchOptions?[.reason] as? CLLaunchReason
    say("launched by \(reason?.rawValue ?? "its user")")
    manager.delegate = self
    manager.requestAlwaysAuthorization()
    let circle = CLCircularRegion(center: home, radius: 300, identifier: "home")
    if !manager.monitoredRegions.contains(where: { $0.identifier == "home" }) {
      manager.startMonitoring(for: circle)
    }
    manager.startMonitoringVisits()
    return true
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    entered.append(region.identifier)
    say("enters \(region.identifier)")
    UIApplication.shared.cancelAllLocalNotifications()
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    say("leaves \(region.identifier)")
    let notification = UILocalNotification()
    notification.alertBody = "You are leaving home: is the stove off?"
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.userInfo = ["region": region.identifier]
    UIApplication.shared.presentLocalNotificationNow(notification)
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    visits.append(visit)
    let place = CLLocation(
      latitude: visit.coordinate.latitude, longitude: visit.coordinate.longitude)
    let isOver = visit.departureDate != .distantFuture
    say(isOver ? "has visited \(place.coordinates)" : "visits \(place.coordinates)")
  }
}
