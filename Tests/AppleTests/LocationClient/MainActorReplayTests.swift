// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocationClient
import LocationClientReplay
import Synchronization
import Testing

/// A present-day app: all of it lives on the main actor, and posts work to its queue.
@MainActor
private final class Screen: NSObject, @MainActor CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let now: @Sendable () -> Date
  private(set) var count = 0
  private(set) var fresh = 0
  private(set) var drawn = 0
  private(set) var posted = 0
  /// The number of posted items that were not done at the next call.
  private(set) var behind = 0

  init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    MainActor.assertIsolated()
    behind += count - min(drawn, posted)
    count += 1
    // The rule of Apple's own examples: a location older than 15 s is cached, and skipped.
    if abs(locations[0].timestamp.timeIntervalSince(now())) < 15 { fresh += 1 }
    Task { drawn += 1 }
    DispatchQueue.main.async { MainActor.assumeIsolated { self.posted += 1 } }
  }
}

@Suite("An app on the main actor")
struct MainActorReplayTests {
  private func walk() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    // Other tests use the main queue too.
    trace.patience = 120
    return trace
  }

  @Test("Its delegate is called on the main actor, and what it put off is done before time goes on")
  func onMain() async throws {
    let account = try await walk().run(onMain: { _ in Screen() })
    let screen = account.lives[0]
    await MainActor.run {
      #expect(screen.count == account.deliveries.count)
      #expect(screen.count > 2_000)
      #expect(screen.behind == 0)
      #expect(screen.drawn == screen.count && screen.posted == screen.count)
    }
  }

  @Test("So is one that an asynchronous main function makes there")
  func fromTask() async throws {
    let screens = Mutex<[Screen]>([])
    let account = try await walk().run { _ in
      let screen = await MainActor.run { Screen() }
      screens.withLock { $0.append(screen) }
    }
    let screen = try #require(screens.withLock { $0.first })
    #expect(await screen.count == account.deliveries.count)
    #expect(await screen.count > 2_000)
  }

  @Test("What a launch throws ends the replay, and it is relaunched with the reason")
  func launches() async throws {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      _ = try await walk().run(onMain: { _ -> Int in throw Refusal() })
    }
    var trace = try walk()
    trace.background(after: 60)
    // A world with several significant changes on the way.
    trace.seed = 10
    let account = try await trace.run(onMain: { reason in
      CLLocationManager().startMonitoringSignificantLocationChanges()
      return reason
    })
    #expect(account.lives.first == .some(nil))
    #expect(account.lives.contains(.location))
  }

  @Test("By the trace's clock every fresh position is young, and so it is by Date()")
  func ageRule() async throws {
    let trace = try walk()
    let clock = trace.clock
    let account = try await trace.run(onMain: { _ in Screen(now: { clock.date }) })
    let fresh = account.deliveries.filter { !$0.isCached }.count
    #expect(await account.lives[0].fresh >= fresh)
    let unchanged = try await trace.run(onMain: { _ in Screen() })
    #expect(await unchanged.lives[0].fresh == account.lives[0].fresh)
  }

  @Test("A replay's positions say that software made them")
  func source() throws {
    let account = try walk().run { _ in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      return manager
    }
    #expect(account.deliveries[0].location.sourceInformation?.isSimulatedBySoftware == true)
    #expect(account.lives[0].location?.sourceInformation?.isSimulatedBySoftware == true)
  }
}
