// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

@testable import background_example

/// The samples of the page "An app's life on Linux", run over traces.
@Suite("Sample apps of three generations do over a trace what they say")
struct SampleTests {
  private func trace(_ name: String) throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path(name))
    trace.firstStart = .hot
    return trace
  }

  /// The start of a trace: the first position by the receiver.
  private func home(_ name: String) throws -> CLLocationCoordinate2D {
    let account = try trace(name).run { _ in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      return manager
    }
    return try #require(account.deliveries.first { !$0.isCached }).location.coordinate
  }

  @Test(
    "2010: purged on the way, launched again for a location, every position is uploaded in a task")
  func deliveryRound() throws {
    var trace = try trace("car-commute.gpx")
    trace.era = "ios4"
    trace.background(after: 60)
    trace.purge(after: 300)
    var sent: [CLLocation] = []
    var remaining: [TimeInterval] = []
    let account = try trace.run { _ in
      let app = DeliveryRound()
      app.upload = { locations, done in
        if UIApplication.shared.applicationState == .background {
          remaining.append(UIApplication.shared.backgroundTimeRemaining)
        }
        sent += locations
        done()
      }
      UIApplication.shared.delegate = app
      return app
    }
    #expect(account.lives.count > 1)
    #expect(account.lives.map(\.wasLaunchedByLocation).first == false)
    #expect(account.lives.dropFirst().allSatisfy { $0.wasLaunchedByLocation })
    #expect(account.deliveries.count > 2)
    #expect(sent.count == account.deliveries.count)
    // A task has the 600 s of its era, counted from the wake.
    #expect(!remaining.isEmpty && remaining.allSatisfy { $0 == 600 })
    #expect(!account.states.contains { $0.reason.contains("took too long") })
  }

  @Test("2016: who leaves home with the app away is reminded once, though the app does not run")
  func reminders() throws {
    var trace = try trace("walk.nmea")
    trace.allowsNotifications = true
    trace.background(after: 60)
    let home = try home("walk.nmea")
    let account = try trace.run { _ in
      let app = Reminders(home: home)
      UIApplication.shared.delegate = app
      return app
    }
    #expect(
      account.notifications.map(\.body) == ["You are leaving home: is the stove off?"])
    #expect(account.notifications.map(\.fate) == [.alerted])
    #expect(account.launches.dropFirst().allSatisfy { $0.reason == .region || $0.reason == .visit })
  }

  @Test("2024: two loops follow a walk, and know that it left home")
  func runner() async throws {
    var trace = try trace("walk.nmea")
    trace.declaresLocationMode = true
    trace.background(after: 60)
    let home = try home("walk.nmea")
    let runner = Runner()
    let account = try await trace.run { _ in await runner.run(home: home) }
    #expect(account.launches.count == 1)
    #expect(await runner.isHome == false)
    // The distances between consecutive positions that it received.
    let handed = account.deliveries.filter { $0.service != "significant" }.map(\.location)
    #expect(handed.count > 100)
    #expect(await runner.distance > 500)
    #expect(account.state(at: account.start + 600) == .background)
  }
}
