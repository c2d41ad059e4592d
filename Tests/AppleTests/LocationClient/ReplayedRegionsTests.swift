// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Synchronization
import Testing

/// Monitors a circle around its first position, and records the events.
private final class Fence: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let reason: CLLaunchReason?
  let known: Set<CLRegion>
  var log: [String] = []

  init(_ reason: CLLaunchReason?, around home: CLLocationCoordinate2D) {
    self.reason = reason
    known = manager.monitoredRegions
    super.init()
    manager.delegate = self
    guard reason == nil else { return }
    manager.startMonitoring(for: CLCircularRegion(center: home, radius: 300, identifier: "home"))
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    log.append("monitors \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    log.append("in \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    log.append("out of \(region.identifier)")
  }
}

@Suite("Regions over a trace")
struct ReplayedRegionsTests {
  private func walk() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    return trace
  }

  /// The start of the walk: its first position by the receiver.
  private func home() throws -> CLLocationCoordinate2D {
    let account = try walk().run { _ in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      return manager
    }
    return try #require(account.deliveries.first { !$0.isCached }).location.coordinate
  }

  @Test("Who leaves the circle around his home wakes the app, or launches it, and it is told once")
  func exit() throws {
    var trace = try walk()
    trace.background(after: 60)
    let home = try home()
    let account = try trace.run { Fence($0, around: home) }
    #expect(account.lives[0].log.first == "monitors home")
    let told = account.lives.flatMap(\.log).filter { $0.hasPrefix("out") }
    #expect(told == ["out of home"])
    #expect(account.launches.dropFirst().allSatisfy { $0.reason == .region })
    // A later process finds the regions of the first one.
    for life in account.lives.dropFirst() {
      #expect(life.known.map(\.identifier) == ["home"])
    }
  }

  @Test("A monitor tells the same as a sequence, and its later process finds the condition")
  func monitor() async throws {
    let home = try home()
    let seen = Mutex<[CLMonitor.Event.State]>([])
    let found = Mutex<[[String]]>([])
    let trace = try walk()
    _ = try await trace.run { _ in
      let monitor = await CLMonitor("places")
      let before = await monitor.identifiers
      found.withLock { $0.append(before) }
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: home, radius: 300), identifier: "home")
      do {
        for try await event in await monitor.events {
          seen.withLock { $0.append(event.state) }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(found.withLock { $0.first } == [])
    #expect(seen.withLock { $0.contains(.unsatisfied) })
    #expect(seen.withLock { $0.last } == .unsatisfied)
  }
}
