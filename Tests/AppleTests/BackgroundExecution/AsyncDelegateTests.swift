// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

/// An app whose handlers are all asynchronous.
private final class AsyncApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.add(
      UNNotificationRequest(
        identifier: "milk", content: UNMutableNotificationContent(),
        trigger: UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false)))
    return true
  }

  func application(_ application: UIApplication) async -> UIBackgroundFetchResult {
    log.append("fetches")
    return .newData
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    await Task.yield()
    log.append("push")
    return .newData
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    log.append("presents \(notification.request.identifier)")
    return [.banner]
  }
}

/// The same on the main actor.
@MainActor
private final class MainApp: NSObject, @MainActor UIApplicationDelegate {
  var log: [String] = []

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    await Task.yield()
    log.append("push")
    return .noData
  }
}

/// An extension with the asynchronous form alone.
private final class AsyncFinder: NSObject, CLLocationPushServiceExtension {
  var asked = 0

  func didReceiveLocationPushPayload(_ payload: [String: Any]) async { asked += 1 }
}

private class Deaf: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    return true
  }
}

/// Has the methods that its superclass, which conforms, does not have.
private final class Late: Deaf {
  var calls = 0

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    calls += 1
    completionHandler(.newData)
  }
}

private class DeafWalker: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()

  override init() {
    super.init()
    manager.delegate = self
    manager.startUpdatingLocation()
  }
}

private final class LateWalker: DeafWalker {
  var heard = 0

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) { heard += 1 }
}

@Suite("Delegates whose methods have another form, or stand in another class")
struct AsyncDelegateTests {
  private func walk(_ modes: [String] = ["fetch", "remote-notification"]) throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.backgroundModes = modes
    trace.background(after: 30)
    trace.push(after: 60)
    return trace
  }

  @Test("Asynchronous handlers are called, and what they answer is their return")
  func called() throws {
    let account = try walk().run { _ in
      let app = AsyncApp()
      UIApplication.shared.delegate = app
      return app
    }
    let log = account.lives.flatMap(\.log)
    #expect(log.prefix(2) == ["presents milk", "push"])
    #expect(log.contains("fetches"))
    #expect(account.complaints.isEmpty)
    // The push was answered at once: it did not use up its 30 s.
    let woken = try #require(account.states.first { $0.reason == "woken by push" })
    let slept = try #require(
      account.states.first { $0.date >= woken.date && $0.state == .suspended })
    #expect(slept.date.timeIntervalSince(woken.date) < 1)
  }

  @Test("So are those of the main actor, before time goes on")
  func onMain() async throws {
    let account = try await walk(["remote-notification"]).run(onMain: { _ in
      let app = MainApp()
      UIApplication.shared.delegate = app
      return app
    })
    #expect(await account.lives[0].log == ["push"])
    #expect(!account.states.contains { $0.reason.contains("took too long") })
  }

  @Test("And that of an extension for location pushes")
  func locationPush() throws {
    var trace = try walk(["location-push"])
    trace.locationPush(after: 90)
    let account = try trace.run { _ in
      let finder = AsyncFinder()
      UIApplication.shared.locationPushExtension = finder
      return finder
    }
    #expect(account.lives[0].asked == 1)
  }

  @Test("A delegate without a method for what it asked for is told once, with the method to write")
  func deaf() throws {
    let account = try walk(["fetch"]).run { _ in
      let app = Deaf()
      UIApplication.shared.delegate = app
      return app
    }
    #expect(
      account.complaints == [
        "milepost: Deaf is called for a background fetch and has no method that hears it; write func "
          + "application(_ application: UIApplication, performFetchWithCompletionHandler completionHandler: "
          + "@escaping (UIBackgroundFetchResult) -> Void), or its asynchronous form"
      ])
  }

  @Test("One whose subclass alone has the method is told where Swift looks for it")
  func subclass() throws {
    let account = try walk(["fetch"]).run { _ in
      let app = Late()
      UIApplication.shared.delegate = app
      return app
    }
    #expect(account.lives[0].calls == 0)
    #expect(account.complaints.count == 1)
    let hint =
      "; Swift looks for it in Deaf, which conforms to the protocol: declare it there, and override it in Late"
    #expect(account.complaints[0].hasSuffix(hint))
    let walk = try ReplayedTrace(Traces.path("walk.nmea")).run { _ in LateWalker() }
    #expect(walk.lives[0].heard == 0)
    #expect(walk.complaints.count == 1)
    #expect(
      walk.complaints[0].hasSuffix(
        "; Swift looks for it in DeafWalker, which conforms to the protocol: declare it there, and override it in "
          + "LateWalker"))
  }
}
