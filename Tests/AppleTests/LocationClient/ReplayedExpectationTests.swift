// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Testing

/// The example of *Test your app's background life in CI*.
private final class Reminders: NSObject, CLLocationManagerDelegate {
  static let home = CLCircularRegion(
    center: CLLocationCoordinate2D(latitude: 39.064, longitude: -115.902), radius: 200,
    identifier: "home")
  let manager = CLLocationManager()
  var left = 0

  init(_ reason: CLLaunchReason?) {
    super.init()
    manager.delegate = self
    if reason == nil { manager.startMonitoring(for: Self.home) }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { left += 1 }
}

@Suite("What is expected of an app's code over a trace")
struct ReplayedExpectationTests {
  private func day() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("mixed-day.gpx"))
    trace.device = "phone-2023-iphone15"
    trace.background(after: 60)
    return trace
  }

  @Test("What holds is not told of, and nothing is if nothing is expected")
  func reminders() throws {
    var trace = try day()
    trace.expect(
      "woken within 5 min of leaving home", "told of each fence within 10 min", "at most 12 wakes",
      "at most 2 kJ", places: [Reminders.home])
    let account = try trace.run { reason in Reminders(reason) }
    #expect(account.unmet == [])
    #expect(account.lives.map(\.left).reduce(0, +) > 0)
    #expect(try day().run { reason in Reminders(reason) }.unmet == [])
  }

  @Test("What does not hold says what happened, in the words of milepost test")
  func broken() throws {
    var trace = try day()
    trace.expect(
      "woken within 5 s of leaving home", "at most 1 J", "never while denied",
      "relaunched after the reboot", places: [Reminders.home])
    let unmet = try trace.run { reason in Reminders(reason) }.unmet
    #expect(unmet.map(\.sentence).count == 4)
    #expect(
      unmet[0].description.contains(
        /^woken within 5 s of leaving home: woken .* after it left home \(2\d{3}-.*Z\)$/))
    #expect(unmet[1].description.contains(/^at most 1 J: [0-9.]+ J$/))
    #expect(unmet[1].date == nil)
    #expect(unmet[2].reason == "nobody ever denies it a location")
    #expect(unmet[3].reason == "the device never starts anew")
  }

  @Test("A denial and a reboot are the trace's own")
  func acts() throws {
    var trace = try day()
    trace.authorize(.denied, after: 600)
    trace.expect("never while denied")
    #expect(try trace.run { reason in Reminders(reason) }.unmet == [])
  }

  @Test("A sentence that is not understood is an error, before anything runs")
  func typo() throws {
    var trace = try day()
    trace.expect("woken within 5 min of leaving hme", places: [Reminders.home])
    let error = #expect(throws: ReplayError.self) {
      try trace.run { reason in Reminders(reason) }
    }
    #expect(
      error?.description
        == "expect[0]: 'woken within 5 min of leaving hme' does not go on as 'woken within <time> of leaving <place>' "
        + "does: 'hme' is not one of home; did you mean 'home'?")
  }
}
