// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

/// A present-day feed: it requests its next refresh whenever it enters the background, and in each refresh.
private final class Feed: UIResponder, UIApplicationDelegate {
  var log: [String] = []
  var completes = true
  var asksAgain = true

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let isFirst = BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) {
      [unowned self] in refresh($0)
    }
    log.append("registered \(isFirst)")
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    if log.count == 1 { ask() }
  }

  private func ask() {
    let request = BGAppRefreshTaskRequest(identifier: "feed")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
    do { try BGTaskScheduler.shared.submit(request) } catch { log.append("\(error)") }
  }

  private func refresh(_ task: BGTask) {
    log.append("\(type(of: task)) \(task.identifier)")
    if asksAgain { ask() }
    task.expirationHandler = { [unowned self] in log.append("expires") }
    if completes { task.setTaskCompleted(success: true) }
  }
}

@Suite("Refresh tasks, over a trace")
struct TaskSchedulerTests {
  /// In the background after a minute, so that it is purged 665 s after the start; the trace has 40 min.
  private func walk(_ era: String = "today") throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.backgroundModes = ["fetch"]
    trace.era = era
    trace.background(after: 60)
    return trace
  }

  private func run(
    _ trace: ReplayedTrace, _ prepare: @escaping (Feed) -> Void = { _ in }
  ) throws -> ReplayAccount<Feed> {
    try trace.run { _ in
      let feed = Feed()
      prepare(feed)
      UIApplication.shared.delegate = feed
      return feed
    }
  }

  @Test(
    "A request that was submitted launches the app once, also where it was purged, and its end lets it rest"
  )
  func once() throws {
    let account = try run(try walk()) { $0.asksAgain = false }
    #expect(account.launches.map(\.reason) == [nil, .fetch])
    #expect(account.lives[0].log == ["registered true"])
    #expect(account.lives[1].log == ["registered true", "BGAppRefreshTask feed"])
    // Its window of 900 s opens 900 s after it was submitted.
    let called = account.launches[1].date.timeIntervalSince(account.start)
    #expect((960...1_860).contains(called))
    #expect(account.state(at: account.launches[1].date + 1) == .suspended)
  }

  @Test("A task that is not completed is told 5 s before its 30 s are over, and ends its app")
  func expires() throws {
    let account = try run(try walk()) { ($0.completes, $0.asksAgain) = (false, false) }
    let called = account.launches[1].date
    #expect(account.lives[1].log.last == "expires")
    #expect(account.state(at: called + 29) == .background)
    #expect(account.state(at: called + 31) == .notRunning)
    #expect(account.states.contains { $0.reason.hasSuffix("took too long") })
  }

  @Test("In an era without fetches nobody is called")
  func era() throws {
    #expect(try run(try walk("ios4")).launches.count == 1)
  }

  @Test("What cannot be submitted says why, and what pends can be seen and cancelled")
  func refusals() throws {
    let words = try walk().run { _ in
      var words: [String] = []
      func submit(_ request: BGTaskRequest) {
        do { try BGTaskScheduler.shared.submit(request) } catch {
          let (domain, code) = ((error as NSError).domain, (error as NSError).code)
          words.append("\(domain) \(code): \(error.localizedDescription)")
        }
      }
      let scheduler = BGTaskScheduler.shared
      submit(BGAppRefreshTaskRequest(identifier: "feed"))
      for name in ["feed", "news"] {
        scheduler.register(forTaskWithIdentifier: name, using: nil) { _ in }
      }
      words.append("\(scheduler.register(forTaskWithIdentifier: "feed", using: nil) { _ in })")
      submit(BGAppRefreshTaskRequest(identifier: "feed"))
      submit(BGAppRefreshTaskRequest(identifier: "news"))
      submit(BGProcessingTaskRequest(identifier: "feed"))
      scheduler.cancel(taskRequestWithIdentifier: "feed")
      submit(BGAppRefreshTaskRequest(identifier: "news"))
      return words
    }.lives[0]
    #expect(
      words == [
        "BGTaskSchedulerErrorDomain 3: nobody is registered for 'feed'; call "
          + "register(forTaskWithIdentifier:using:launchHandler:) before the launch is over",
        "false",
        "BGTaskSchedulerErrorDomain 2: 'feed' pends, and one refresh can at a time; cancel it first",
        "BGTaskSchedulerErrorDomain 1: processing tasks are not here: nothing gives an app minutes while the "
          + "device charges",
      ])
  }

  @Test(
    "Whether background refresh is on, and whether there is multitasking, is as the service says")
  func circumstances() throws {
    var trace = try walk()
    func seen() throws -> (UIBackgroundRefreshStatus, Bool) {
      try trace.run { _ in
        (UIApplication.shared.backgroundRefreshStatus, UIDevice.current.isMultitaskingSupported)
      }.lives[0]
    }
    #expect(try seen() == (.available, true))
    trace.exitsOnSuspend = true
    #expect(try seen() == (.available, false))
  }
}
