// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import Dispatch
import LocationClientReplay
import Testing

/// The examples in the documentation of the public types, here to be compiled.
private enum Examples {
  final class Walker: NSObject, CLLocationManagerDelegate {
    let manager = CLLocationManager()

    override init() {
      super.init()
      manager.delegate = self
      manager.requestAlwaysAuthorization()
      manager.startMonitoringSignificantLocationChanges()
    }

    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      for location in locations { print(location.coordinate, location.horizontalAccuracy) }
    }
  }

  typealias Reminders = Walker

  static func manager() {
    let walker = Walker()
    _ = walker
    dispatchMain()
  }

  static func updates() async throws {
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      guard let location = update.location else { continue }
      print(location.coordinate, update.stationary ? "at rest" : "")
    }
  }

  static func monitor() async throws {
    let monitor = await CLMonitor("places")
    let home = CLLocationCoordinate2D(latitude: 55.6761, longitude: 12.5683)
    if await monitor.record(for: "home") == nil {
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: home, radius: 200), identifier: "home")
    }
    for try await event in await monitor.events {
      print(event.identifier, event.state == .satisfied ? "reached" : "left")
    }
  }

  static func serviceSession() async throws {
    let session = CLServiceSession(authorization: .always)
    for try await diagnostic in session.diagnostics where diagnostic.authorizationDenied {
      print("milepost apps authorize NAME always gives it back")
    }
  }

  static func activity() async throws {
    let activity = CLBackgroundActivitySession()
    defer { activity.invalidate() }
    for try await update in CLLocationUpdate.liveUpdates() {
      if let location = update.location { print(location.coordinate) }
    }
  }

  static func region() {
    let manager = CLLocationManager()
    let home = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 55.6761, longitude: 12.5683), radius: 200,
      identifier: "home")
    manager.startMonitoring(for: home)  // didEnterRegion, didExitRegion
  }

  static func visit() {
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
      let isOver = visit.departureDate != .distantFuture
      print(visit.coordinate, isOver ? "left at \(visit.departureDate)" : "arrived")
    }
  }

  static func heading() {
    let manager = CLLocationManager()
    manager.headingFilter = 5  // degrees
    manager.startUpdatingHeading()  // didUpdateHeading
    print(manager.heading?.trueHeading ?? -1)
  }

  static func location() {
    let location = CLLocation(latitude: 55.67, longitude: 12.56)
    let office = CLLocation(latitude: 55.6761, longitude: 12.5683)
    if location.horizontalAccuracy >= 0, location.distance(from: office) < 200 { print("there") }
  }

  static func account() throws {
    let account = try ReplayedTrace("walk.nmea").run { _ in Walker() }
    for launch in account.launches { print(launch.date, launch.reason?.rawValue ?? "by its user") }
    print(account.why(at: account.start + 300))
    print(account.energy, "J,", account.receiverOn, "s with the receiver on")
  }

  static func task() {
    let positions: [CLLocation] = []
    func upload(_ positions: [CLLocation], _ done: @escaping () -> Void) { done() }
    let application = UIApplication.shared
    var task = UIBackgroundTaskIdentifier.invalid
    task = application.beginBackgroundTask { application.endBackgroundTask(task) }
    upload(positions) { application.endBackgroundTask(task) }
  }

  static func delegate() {
    class AppDelegate: UIResponder, UIApplicationDelegate {
      func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        print(launchOptions?[.location] == nil ? "opened" : "launched for a location")
        return true
      }

      func applicationDidEnterBackground(_ application: UIApplication) { print("put away") }
    }
  }

  static func refresh() throws {
    func load(_ done: () -> Void) { done() }
    _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) { task in
      load { task.setTaskCompleted(success: true) }
    }
    let request = BGAppRefreshTaskRequest(identifier: "feed")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
    try BGTaskScheduler.shared.submit(request)
  }

  static func notification() async throws {
    let content = UNMutableNotificationContent()
    content.title = "Parcel"
    content.body = "It is at the shop."
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: "parcel", content: content, trigger: trigger))
  }

  static func localNotification() {
    let notification = UILocalNotification()
    notification.alertBody = "Stand up"
    notification.fireDate = Date(timeIntervalSinceNow: 3_600)
    notification.repeatInterval = .day
    UIApplication.shared.scheduleLocalNotification(notification)
  }

  static func permission() {
    let settings = UIUserNotificationSettings(types: [.alert, .sound], categories: nil)
    UIApplication.shared.registerUserNotificationSettings(settings)
  }

  static func trace() throws {
    var trace = try ReplayedTrace("walk.nmea")
    trace.background(after: 60)
    let account = try trace.run { reason in Walker() }
    #expect(account.lives.count == account.launches.count)
  }

  static func expectations() throws {
    let centre = CLLocationCoordinate2D(latitude: 55.67, longitude: 12.56)
    var trace = try ReplayedTrace("walk.nmea")
    let home = CLCircularRegion(center: centre, radius: 200, identifier: "home")
    trace.expect("woken within 5 min of leaving home", "at most 30 J", places: [home])
    let account = try trace.run { reason in Reminders() }
    #expect(account.unmet == [])
  }

  static func clock() throws {
    struct Walker { let now: () -> Date }
    let trace = try ReplayedTrace("walk.nmea")
    let account = try trace.run { _ in Walker(now: { trace.clock.date }) }
    _ = account
  }
}

@Suite("The examples in the documentation")
struct DocumentedExamplesTests {
  @Test("Each of their lines is compiled in this file")
  func lines() throws {
    let file = URL(filePath: #filePath)
    let compiled = Set(Self.lines(of: try String(contentsOf: file, encoding: .utf8)))
    var sources = file
    while sources.lastPathComponent != "Tests" { sources.deleteLastPathComponent() }
    sources = sources.deletingLastPathComponent().appending(path: "Sources")
    let libraries = ["/LocationClient/", "/LocationClientReplay/", "/BackgroundExecution/"]
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var count = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", libraries.contains(where: file.path.contains) else {
        continue
      }
      for line in Self.lines(of: try String(contentsOf: file, encoding: .utf8))
      where line.hasPrefix("///     ") {
        let code = line.drop { $0 == "/" || $0 == " " }
        #expect(compiled.contains(String(code)), "\(file.lastPathComponent)")
        count += 1
      }
    }
    #expect(count > 80)
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
