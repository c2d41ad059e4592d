// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationClientReplay
import Testing

@testable import BackgroundExecution

// Names that apps use often, each in the form in which they use it.

/// As mapbox-navigation has it.
private final class OwnLocations: CLLocationManager, @unchecked Sendable {
  var wasMade = false

  override init() {
    super.init()
    wasMade = true
  }
}

private final class MockVisit: CLVisit, @unchecked Sendable {
  override var arrivalDate: Date { Date(timeIntervalSince1970: 1) }
  override var coordinate: CLLocationCoordinate2D { .init(latitude: 48, longitude: 11) }
}

private final class MockHeading: CLHeading, @unchecked Sendable {
  private let degrees: Double

  init(_ degrees: Double) {
    self.degrees = degrees
    super.init()
  }

  required init?(coder: NSCoder) { nil }

  override var trueHeading: CLLocationDirection { degrees }
}

/// A double of a manager, which calls its delegate as Apple's sources do.
private final class MockLocations: CLLocationManager, @unchecked Sendable {
  func drive(_ location: CLLocation) {
    delegate?.locationManager?(self, didUpdateLocations: [location])
    delegate?.locationManager?(self, didVisit: MockVisit())
    delegate?.locationManager?(self, didUpdateHeading: MockHeading(12))
    delegate?.locationManagerDidChangeAuthorization?(self)
  }
}

private final class Listener: NSObject, CLLocationManagerDelegate {
  /// The usual name, beside the delegate's methods.
  let locationManager = MockLocations()
  var heard: [String] = []

  override init() {
    super.init()
    locationManager.delegate = self
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) { heard.append("location \(locations[0].coordinate.latitude)") }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    heard.append("visit \(visit.arrivalDate.timeIntervalSince1970) \(visit.coordinate.latitude)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    heard.append("heading \(newHeading.trueHeading)")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    heard.append("authorization")
  }
}

/// The two bases of app delegates, and what they set up.
private class PlainDelegate: NSObject, UIApplicationDelegate {
  let number: Int

  override init() {
    number = 42
    super.init()
  }
}

private final class DerivedDelegate: PlainDelegate { var words = ["made"] }

private final class ResponderDelegate: UIResponder, UIApplicationDelegate {
  let number: Int

  override init() {
    number = 7
    super.init()
  }
}

private final class Answers: UIResponder, UIApplicationDelegate {
  var log: [String] = []
  var onLaunch: (UIApplication) -> Void = { _ in }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    onLaunch(application)
    return true
  }

  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) { log.append("settings \(notificationSettings.types.rawValue)") }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { log.append("\(error)") }
}

@Suite("Names of UIKit and Core Location that apps use often")
struct AppSurfaceTests {
  private func run(
    _ change: (inout ReplayedTrace) -> Void = { _ in },
    _ onLaunch: @escaping (UIApplication) -> Void
  ) throws -> ReplayAccount<Answers> {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    change(&trace)
    return try trace.run { _ in
      let app = Answers()
      app.onLaunch = onLaunch
      UIApplication.shared.delegate = app
      return app
    }
  }

  @Test("A manager, a visit and a heading can be subclassed, and a double calls its delegate")
  func doubles() throws {
    let account = try ReplayedTrace(Traces.path("walk.nmea")).run { _ in
      let listener = Listener()
      #expect(OwnLocations().wasMade)
      let queue = DispatchQueue(label: "positions")
      #expect(CLLocationManager(delegateQueue: queue).delegateQueue === queue)
      listener.locationManager.drive(CLLocation(latitude: 48, longitude: 11))
      return listener
    }
    #expect(
      account.lives[0].heard.prefix(4) == [
        "location 48.0", "visit 1.0 48.0", "heading 12.0", "authorization",
      ])
    #expect(CLVisit().departureDate == .distantFuture && CLHeading().trueHeading < 0)
  }

  @Test("An app delegate of any class is made by its own init")
  func main() {
    #expect(PlainDelegate.made().number == 42)
    let derived = DerivedDelegate.made()
    #expect(derived.number == 42 && derived.words == ["made"])
    #expect(ResponderDelegate.made().number == 7)
  }

  @Test("Where there is no multitasking there is no background task")
  func noMultitasking() throws {
    for (optsOut, rules) in [
      (true, [:] as [String: EraValue]), (false, ["supports_multitasking": false]), (false, [:]),
    ] {
      var tasks: [UIBackgroundTaskIdentifier] = []
      var isSupported: Bool?
      _ = try run({
        $0.era = "ios4"
        $0.exitsOnSuspend = optsOut
        $0.eraRules = rules
      }) { application in
        isSupported = UIDevice.current.isMultitaskingSupported
        tasks.append(application.beginBackgroundTask(expirationHandler: nil))
        application.endBackgroundTask(tasks[0])
      }
      #expect(isSupported == (!optsOut && rules.isEmpty))
      #expect((tasks[0] == .invalid) == (isSupported == false))
    }
  }

  @Test("With one level of authorization any yes is always")
  func oneLevel() throws {
    for (era, expected) in [
      ("ios4", CLAuthorizationStatus.authorizedAlways), ("ios7", .authorizedAlways),
      ("today", .authorizedWhenInUse),
    ] {
      var status: [CLAuthorizationStatus] = []
      let account = try run({
        $0.era = era
        $0.authorization = .authorizedWhenInUse
        // A world with several significant changes on the way.
        $0.seed = 10
        $0.background(after: 60)
      }) { _ in
        let manager = CLLocationManager()
        status.append(manager.authorizationStatus)
        manager.startMonitoringSignificantLocationChanges()
      }
      #expect(status.first == expected)
      let wakes = account.states.contains { $0.reason == "woken by location" }
      #expect(wakes == (expected == .authorizedAlways))
    }
  }

  @Test("Permission for notifications as in iOS 8, and tokens, which nobody gives")
  func permissions() throws {
    for (allows, types) in [(true, 6), (false, 0)] {
      let account = try run({ $0.allowsNotifications = allows }) { application in
        application.registerUserNotificationSettings(
          UIUserNotificationSettings(types: [.alert, .sound], categories: nil))
        application.registerForRemoteNotifications()
        #expect(application.currentUserNotificationSettings?.types.isEmpty == !allows)
        #expect(!application.isRegisteredForRemoteNotifications)
      }
      #expect(
        account.lives[0].log == [
          "settings \(types)",
          "there is no service that gives tokens for pushes here; milepost apps send APP push sends one",
        ])
    }
  }

  @Test("The settings of an app are a command, which standard error has")
  func settings() throws {
    let account = try run { application in
      guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
      application.open(url)
    }
    #expect(
      account.complaints == [
        "milepost: the settings of an app are changed by milepost apps authorize NAME"
      ])
  }

  @Test("A notification at a place, and a beacon, are refused with a reason")
  func refused() throws {
    final class Beacons: NSObject, CLLocationManagerDelegate {
      var errors: [String] = []
      func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
      ) { errors.append("\(region?.identifier ?? "") \((error as? CLError)?.message ?? "")") }
    }
    let beacons = Beacons()
    let manager = try ReplayedTrace(Traces.path("walk.nmea")).run { _ in
      let manager = CLLocationManager()
      manager.delegate = beacons
      let region: CLRegion = CLBeaconRegion(uuid: UUID(), major: 1, identifier: "till")
      manager.startMonitoring(for: region)
      return manager
    }
    _ = manager
    #expect(
      beacons.errors == [
        "till 'till' is a beacon: Milepost reads positions, not Bluetooth signals"
      ])
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
    let home = CLCircularRegion(
      center: .init(latitude: 1, longitude: 2), radius: 9, identifier: "h")
    let request = UNNotificationRequest(
      identifier: "x", content: UNMutableNotificationContent(),
      trigger: UNLocationNotificationTrigger(region: home, repeats: false))
    let error = #expect(throws: UNError.self) { try request.value(now: Date()) }
    #expect(
      error?.errorDescription
        == "a notification at 'h' is not scheduled; monitor that region, and add the notification in "
        + "didEnterRegion, without a trigger")
  }

  @Test("Categories and their actions are values, which a center keeps")
  func categories() async throws {
    let category = UNNotificationCategory(
      identifier: "trip",
      actions: [UNNotificationAction(identifier: "save", title: "Save", options: [.foreground])],
      intentIdentifiers: [], options: [.customDismissAction])
    let kept = try await ReplayedTrace(Traces.path("walk.nmea")).run(main: { _ in
      let center = UNUserNotificationCenter.current()
      center.setNotificationCategories([category])
      #expect(await center.notificationCategories() == [category])
    })
    #expect(kept.launches.count == 1)
  }

  @Test("A device has a name that stays, and a battery as the kernel reports it")
  func device() throws {
    #expect(UIDevice.current.batteryLevel == -1 && UIDevice.current.batteryState == .unknown)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(DeviceBattery(in: folder) == nil)
    let app = folder.appending(path: "apps/x.identifier")
    let identifier = try #require(UIDevice.identifier(keptIn: app))
    #expect(UIDevice.identifier(keptIn: app) == identifier)
    #expect(UIDevice.identifier(keptIn: folder.appending(path: "apps/y.identifier")) != identifier)
    // Where a file stands in the way of its folder, there is none.
    #expect(UIDevice.identifier(keptIn: app.appending(path: "z.identifier")) == nil)
    for (device, files) in [
      ("AC", ["type": "Mains"]),
      ("hidpp", ["type": "Battery", "scope": "Device", "capacity": "3"]),
      ("BAT0", ["type": "Battery", "capacity": "81", "status": "Charging"]),
    ] {
      let place = folder.appending(path: device)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for (name, text) in files {
        try Data((text + "\n").utf8).write(to: place.appending(path: name))
      }
    }
    let battery = try #require(DeviceBattery(in: folder))
    #expect(battery.level == 0.81 && battery.state == .charging)
  }
}
