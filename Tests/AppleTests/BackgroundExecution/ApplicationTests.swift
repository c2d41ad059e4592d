// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

/// An app that records its callbacks, and acts as a test requires.
private final class Recorder: UIResponder, UIApplicationDelegate {
  var log: [String] = []
  var states: [UIApplication.State] = []
  var onLaunch: (Recorder) -> Void = { _ in }
  var onBackground: (Recorder) -> Void = { _ in }
  var result: UIBackgroundFetchResult? = .newData

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let reason = launchOptions?[.reason] as? CLLaunchReason
    log.append("launched" + (reason.map { " by \($0.rawValue)" } ?? ""))
    states.append(application.applicationState)
    if launchOptions?[.location] as? Bool == true { log.append("for a location") }
    onLaunch(self)
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { log.append("active") }
  func applicationWillResignActive(_ application: UIApplication) { log.append("resigns") }

  func applicationDidEnterBackground(_ application: UIApplication) {
    log.append("background")
    states.append(application.applicationState)
    onBackground(self)
  }

  func applicationWillEnterForeground(_ application: UIApplication) { log.append("comes") }
  func applicationWillTerminate(_ application: UIApplication) { log.append("ends") }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    log.append("fetches")
    if let result {
      completionHandler(result)
      completionHandler(result)
    }
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    log.append("push")
    if let result { completionHandler(result) }
  }

  func application(
    _ application: UIApplication, didReceive notification: UILocalNotification
  ) { log.append("is handed '\(notification.alertBody ?? "")'") }

  func applicationAudioDidStop(_ application: UIApplication) { log.append("audio stops") }
}

/// An extension that answers a location push, or never.
private final class Finder: NSObject, CLLocationPushServiceExtension {
  private let answers: Bool
  private(set) var asked = 0

  init(answers: Bool) { self.answers = answers }

  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void
  ) {
    asked += 1
    if answers { completion() }
  }
}

/// The numbers are those of the rules of background execution, sections 3 and 4.
@Suite("An app's life and its time in the background, over a trace")
struct ApplicationTests {
  private func walk(_ era: String = "today") throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    trace.era = era
    return trace
  }

  private func run(
    _ trace: ReplayedTrace, _ prepare: @escaping (Recorder) -> Void = { _ in }
  ) throws -> ReplayAccount<Recorder> {
    try trace.run { _ in
      let recorder = Recorder()
      prepare(recorder)
      UIApplication.shared.delegate = recorder
      return recorder
    }
  }

  @Test("Away, back, and ended by the system: each callback in its place")
  func life() throws {
    var trace = try walk()
    trace.background(after: 60)
    trace.foreground(after: 100)
    let account = try run(trace)
    #expect(
      account.lives[0].log
        == ["launched", "active", "resigns", "background", "comes", "active"])
    #expect(account.lives[0].states == [.inactive, .background])
  }

  @Test("Who is relaunched for a location hears didEnterBackground in the eras that call it")
  func relaunch() throws {
    for (era, silent) in [("ios4", true), ("ios7", true), ("ios13", false), ("today", false)] {
      var trace = try walk(era)
      trace.background(after: 30)
      trace.purge(after: 60)
      // A world with several significant changes on the way.
      trace.seed = 10
      let account = try run(trace) { recorder in
        recorder.onLaunch = { _ in
          CLLocationManager().startMonitoringSignificantLocationChanges()
        }
      }
      let second = try #require(account.lives.dropFirst().first, "\(era)")
      let expected = ["launched by location", "for a location"] + (silent ? [] : ["background"])
      #expect(Array(second.log.prefix(3)) == expected, "\(era)")
      #expect(second.states.first == .background, "\(era)")
    }
  }

  @Test("Time in the background: unlimited in front, 5 s without a task, the era's time with one")
  func timeRemaining() throws {
    for (era, budget) in [("ios4", 600.0), ("ios7", 180), ("ios13", 30), ("today", 30)] {
      var trace = try walk(era)
      trace.background(after: 30)
      var seconds: [TimeInterval] = []
      _ = try run(trace) { recorder in
        recorder.onLaunch = { _ in
          seconds.append(UIApplication.shared.backgroundTimeRemaining)
        }
        recorder.onBackground = { _ in
          let application = UIApplication.shared
          seconds.append(application.backgroundTimeRemaining)
          let task = application.beginBackgroundTask(withName: "upload")
          seconds.append(application.backgroundTimeRemaining)
          application.endBackgroundTask(task)
        }
      }
      #expect(seconds == [.greatestFiniteMagnitude, 5, budget], "\(era)")
    }
  }

  @Test(
    "A task that is ended by its expiration handler leaves the app suspended; one that is not ends it"
  )
  func expiration() throws {
    for ends in [true, false] {
      var trace = try walk()
      trace.background(after: 30)
      var expired = 0
      let account = try run(trace) { recorder in
        recorder.onBackground = { _ in
          var task = UIBackgroundTaskIdentifier.invalid
          task = UIApplication.shared.beginBackgroundTask {
            expired += 1
            if ends { UIApplication.shared.endBackgroundTask(task) }
          }
          #expect(task != .invalid)
        }
      }
      #expect(expired == 1)
      // 30 s of tasks from the moment at which it left the foreground; the handler comes 5 s earlier.
      #expect(account.state(at: account.start + 54) == .background)
      #expect(account.state(at: account.start + 62) == (ends ? .suspended : .notRunning))
    }
  }

  @Test("A fetch that returns lets the app rest; one that never does ends it after 30 s")
  func fetch() throws {
    for result in [UIBackgroundFetchResult.newData, nil] {
      var trace = try walk()
      trace.backgroundModes = ["fetch"]
      trace.background(after: 30)
      let account = try run(trace) { recorder in
        recorder.result = result
        recorder.onLaunch = { _ in
          UIApplication.shared.setMinimumBackgroundFetchInterval(
            UIApplication.backgroundFetchIntervalMinimum)
        }
      }
      // Launched for it, if it has been purged by then.
      #expect(account.lives.contains { $0.log.contains("fetches") })
      let overran = account.states.contains { $0.reason.contains("took too long") }
      #expect(overran == (result == nil), "\(account.states.map(\.reason))")
    }
  }

  @Test("Never is never, and an undeclared mode is not called")
  func noFetch() throws {
    for (modes, interval) in [
      (["fetch"], UIApplication.backgroundFetchIntervalNever),
      ([], UIApplication.backgroundFetchIntervalMinimum),
    ] {
      var trace = try walk()
      trace.backgroundModes = modes
      trace.background(after: 30)
      let account = try run(trace) { recorder in
        recorder.onLaunch = { _ in
          UIApplication.shared.setMinimumBackgroundFetchInterval(interval)
        }
      }
      #expect(!account.lives.contains { $0.log.contains("fetches") })
    }
  }

  @Test("A push calls the app, also one that has to be launched for it")
  func push() throws {
    var trace = try walk()
    trace.backgroundModes = ["remote-notification"]
    trace.background(after: 30)
    trace.push(after: 100)
    trace.purge(after: 200)
    trace.push(after: 300)
    let account = try run(trace)
    #expect(account.lives.count == 2)
    #expect(account.lives.map { $0.log.filter { $0 == "push" }.count } == [1, 1])
    #expect(account.lives[1].log.first == "launched by push")
    #expect(!account.states.contains { $0.reason.contains("took too long") })
  }

  @Test(
    "A location push asks the app's extension where it is, and who never answers is ended after 30 s",
    arguments: [true, false, nil])
  func locationPush(answers: Bool?) throws {
    var trace = try walk()
    trace.backgroundModes = ["location-push"]
    trace.background(after: 30)
    trace.locationPush(after: 100)
    let finder = answers.map(Finder.init)
    let account = try run(trace) { _ in UIApplication.shared.locationPushExtension = finder }
    let overran = account.states.contains { $0.reason.contains("took too long") }
    // An app without an extension answers at once, with nothing.
    #expect(overran == (answers == false), "\(account.states.map(\.reason))")
    #expect(finder?.asked == answers.map { _ in 1 })
  }

  @Test(
    "A keep-alive below 600 s is refused; one of 600 s is called before they are over, and returns")
  func keepAlive() throws {
    var trace = try walk("ios4")
    trace.backgroundModes = ["voip"]
    trace.background(after: 30)
    var answers: [Bool] = []
    var calls = 0
    let account = try run(trace) { recorder in
      recorder.onLaunch = { _ in
        answers.append(UIApplication.shared.setKeepAliveTimeout(599) { calls += 100 })
        answers.append(UIApplication.shared.setKeepAliveTimeout(600) { calls += 1 })
      }
    }
    #expect(answers == [false, true])
    let seconds = account.end.timeIntervalSince(account.start)
    #expect(calls >= Int((seconds - 30) / 600) && calls < 100)
    #expect(account.states.contains { $0.reason.contains("keep") })
    #expect(!account.states.contains { $0.reason.contains("took too long") })
  }

  @Test(
    "Audio that is not declared stops as the app leaves the foreground; declared, it holds the app")
  func audio() throws {
    for (modes, isHeld) in [([], false), (["audio"], true)] {
      var trace = try walk()
      trace.backgroundModes = modes
      trace.background(after: 30)
      let account = try run(trace) { recorder in
        recorder.onLaunch = { _ in UIApplication.shared.playsAudio = true }
      }
      #expect(account.lives[0].log.contains("audio stops") == !isHeld)
      #expect(account.state(at: account.start + 120) == (isHeld ? .background : .suspended))
    }
  }

  @Test(
    "A notification alerts the user of an app that is away, if he allows it, and is handed to an active one"
  )
  func notifications() throws {
    func notes(_ body: String) -> UILocalNotification {
      let notification = UILocalNotification()
      notification.alertBody = body
      return notification
    }
    for allows in [true, false] {
      var trace = try walk()
      trace.allowsNotifications = allows
      trace.background(after: 30)
      let account = try run(trace) { recorder in
        recorder.onLaunch = { _ in
          UIApplication.shared.presentLocalNotificationNow(notes("now"))
        }
        recorder.onBackground = { _ in
          UIApplication.shared.presentLocalNotificationNow(notes("away"))
        }
      }
      #expect(account.lives[0].log.contains("is handed 'now'"))
      #expect(account.notifications.map(\.body) == ["now", "away"])
      #expect(
        account.notifications.map(\.fate) == [.handedOver, allows ? .alerted : .notAllowed])
    }
  }

  @Test(
    "What is scheduled is listed at once, cancelled one by one and all, and outlives the process")
  func schedule() throws {
    var trace = try walk()
    trace.background(after: 30)
    trace.forceQuit(after: 60)
    trace.foreground(after: 90)
    var listed: [[String]] = []
    func bodies() -> [String] {
      UIApplication.shared.scheduledLocalNotifications?.map { $0.alertBody ?? "" } ?? ["unknown"]
    }
    let account = try run(trace) { recorder in
      recorder.onLaunch = { _ in
        listed.append(bodies())
        guard listed.count == 1 else { return }
        let all = ["b", "a", "c"].enumerated().map { index, body in
          let notification = UILocalNotification()
          notification.alertBody = body
          // Years ahead, so that none of them is due; a before b before c.
          notification.fireDate = Date(
            timeIntervalSince1970: 4e9 + (body == "a" ? 0 : Double(index + 1)))
          UIApplication.shared.scheduleLocalNotification(notification)
          return notification
        }
        listed.append(bodies())
        UIApplication.shared.cancelLocalNotification(all[0])
        listed.append(bodies())
      }
    }
    #expect(account.lives.count == 2)
    #expect(listed == [[], ["a", "b", "c"], ["a", "c"], ["a", "c"]])
  }

  @Test("An unknown background mode is an error that says which are known")
  func unknownMode() throws {
    var trace = try walk()
    trace.backgroundModes = ["telepathy"]
    let error = #expect(throws: ReplayError.self) { try self.run(trace) }
    #expect(
      error?.description
        == "there is no background mode 'telepathy'; known: audio, location, voip, fetch, "
        + "remote-notification, newsstand-content, external-accessory, bluetooth-central, "
        + "bluetooth-peripheral, location-push")
  }
}
