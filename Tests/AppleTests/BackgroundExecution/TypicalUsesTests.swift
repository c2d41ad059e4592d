// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

// The most common background code of programs, based on Apple's documentation of UIApplication. A method whose types
// are not the protocol's would compile and never be called; so the delegates here are run.

/// In the form of templates for years: closures without concurrency annotations.
private class TemplateDelegate: UIResponder, UIApplicationDelegate {
  var log: [String] = []
  var backgroundTask: UIBackgroundTaskIdentifier = .invalid

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    if launchOptions?[UIApplication.LaunchOptionsKey.location] != nil { log.append("location") }
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    _ = NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: application, queue: nil
    ) { _ in }
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    backgroundTask = application.beginBackgroundTask(withName: "save") { [weak self] in
      self?.end()
    }
    log.append(application.backgroundTimeRemaining > 5 ? "has time" : "has none")
    end()
  }

  private func end() {
    UIApplication.shared.endBackgroundTask(backgroundTask)
    backgroundTask = .invalid
  }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler:
      @escaping (UIBackgroundFetchResult) -> Void
  ) {
    log.append("fetch")
    completionHandler(.newData)
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    log.append("push")
    completionHandler(.noData)
  }
}

/// In the form of present-day templates: on the main actor.
@MainActor
private final class MainActorDelegate: NSObject, @MainActor UIApplicationDelegate {
  var log: [String] = []

  func applicationDidEnterBackground(_ application: UIApplication) {
    log.append("background")
    let task = application.beginBackgroundTask { [weak self] in self?.log.append("expired") }
    if task == .invalid { log.append("no task") }
  }

  func applicationWillEnterForeground(_ application: UIApplication) { log.append("comes") }
}

@Suite("Code as it is written for phones compiles, and hears what it asked for")
struct TypicalUsesTests {
  private func walk() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    return trace
  }

  @Test("A delegate with closures as templates had them is called for fetches and pushes")
  func template() throws {
    var trace = try walk()
    trace.backgroundModes = ["fetch", "remote-notification"]
    trace.background(after: 30)
    trace.push(after: 60)
    let account = try trace.run { _ in
      let delegate = TemplateDelegate()
      UIApplication.shared.delegate = delegate
      return delegate
    }
    #expect(account.lives[0].log.prefix(2) == ["has time", "push"])
    #expect(account.lives.contains { $0.log.contains("fetch") })
    #expect(!account.states.contains { $0.reason.contains("took too long") })
  }

  @Test("A delegate of the main actor is called on it, and its handlers too")
  func mainActor() async throws {
    var trace = try walk()
    trace.background(after: 30)
    trace.foreground(after: 57)
    let account = try await trace.run(onMain: { _ in
      let delegate = MainActorDelegate()
      UIApplication.shared.delegate = delegate
      return delegate
    })
    // 30 s for tasks, and the warning 5 s before: at 55 s.
    #expect(await account.lives[0].log == ["background", "expired", "comes"])
  }

  @Test("A delegate class is a main program")
  func mainProgram() {
    let main: () -> Void = TemplateDelegate.main
    withExtendedLifetime(main) {}
  }

  @Test("Constants have Apple's values")
  func constants() {
    #expect(UIApplication.State.active.rawValue == 0)
    #expect(UIApplication.State.inactive.rawValue == 1)
    #expect(UIApplication.State.background.rawValue == 2)
    #expect(UIBackgroundFetchResult.newData.rawValue == 0)
    #expect(UIBackgroundFetchResult.noData.rawValue == 1)
    #expect(UIBackgroundFetchResult.failed.rawValue == 2)
    #expect(UIApplication.backgroundFetchIntervalMinimum == 0)
    #expect(UIApplication.backgroundFetchIntervalNever == .greatestFiniteMagnitude)
    #expect(UIBackgroundTaskIdentifier.invalid.rawValue == 0)
    #expect(
      UIApplication.LaunchOptionsKey.location.rawValue == "UIApplicationLaunchOptionsLocationKey")
  }
}
