// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Testing

/// A tracker in a common form: made once, and used wherever it is needed.
private final class Tracker: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Replays that use it run one after the other, each on one thread.
  let manager = CLLocationManager()
  var heard: [CLLocation] = []
  var authorizations = 0

  override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    heard += locations
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { authorizations += 1 }
}

@Suite("Managers that static properties hold, over the lives of a replay")
struct StaticManagerTests {
  private enum Significant { static let tracker = Tracker() }
  private enum Standard { static let tracker = Tracker() }
  private enum Forgotten { static let tracker = Tracker() }

  /// In the background after a minute, and purged three times.
  private func commute() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("car-commute.gpx"))
    trace.background(after: 60)
    for seconds in [100.0, 500, 900] { trace.purge(after: seconds) }
    return trace
  }

  @Test("It hears in each life in which it is used, and is told of the authorization in each")
  func hears() throws {
    let account = try commute().run { _ in
      Significant.tracker.manager.startMonitoringSignificantLocationChanges()
    }
    #expect(account.lives.count == 4)
    #expect(account.deliveries.count > 4)
    #expect(
      Significant.tracker.heard.map(\.timestamp) == account.deliveries.map(\.location.timestamp))
    #expect(Significant.tracker.authorizations == 4)
    #expect(account.complaints.isEmpty)
  }

  @Test("What it was set to stays; what was under way in one life is not in the next")
  func startsAnew() throws {
    let account = try commute().run { reason in
      let manager = Standard.tracker.manager
      manager.startMonitoringSignificantLocationChanges()
      if reason == nil { manager.startUpdatingLocation() }
      return (manager.desiredAccuracy, manager.heading)
    }
    #expect(account.lives.count == 4)
    #expect(account.lives.allSatisfy { $0.0 == 100 && $0.1 == nil })
    let second = account.launches[1].date
    #expect(account.deliveries.contains { $0.service == "standard" })
    #expect(!account.deliveries.contains { $0.service == "standard" && $0.date >= second })
  }

  @Test("In a life in which nobody uses it, it hears nothing, and that is said once")
  func unused() throws {
    let account = try commute().run { reason in
      if reason == nil {
        Forgotten.tracker.manager.startMonitoringSignificantLocationChanges()
      }
    }
    #expect(Forgotten.tracker.heard.count < account.deliveries.count)
    #expect(
      account.complaints == [
        "milepost: life 2 of the app is told of a location and has no manager for it; a manager that a static "
          + "property holds hears from its first use in a life on: use it where the replay launches the app"
      ])
  }
}
