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

  @Test(
    "A monitor tells of changes alone, also to the processes after the first",
    arguments: [nil, "milepost"] as [String?])
  func relaunches(policy: String?) async throws {
    var trace = try ReplayedTrace(Traces.path("mixed-day.gpx"))
    trace.background(after: 60)
    trace.policy = policy
    let told = Mutex<[String: [CLMonitor.Event]]>([:])
    let wrong = Mutex<[String]>([])
    let account = try await trace.run { reason in
      let monitor = await CLMonitor("places")
      for name in await monitor.identifiers {
        // The record of a later process is what the earlier ones were told.
        guard let last = told.withLock({ $0[name]?.last }),
          let record = await monitor.record(for: name)?.lastEvent
        else { continue }
        if record.state != last.state || record.date != last.date {
          wrong.withLock { $0.append("\(name): \(record.state) after \(last.state)") }
        }
      }
      if await monitor.identifiers.isEmpty {
        for (name, latitude, longitude) in [
          ("home", 39.064, -115.902), ("office", 39.2429, -115.7074),
        ] {
          let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
          await monitor.add(
            CLMonitor.CircularGeographicCondition(center: center, radius: 200), identifier: name)
        }
      }
      do {
        for try await event in await monitor.events {
          told.withLock { $0[event.identifier, default: []].append(event) }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(account.launches.count > 2)
    #expect(wrong.withLock { $0 } == [])
    for (name, events) in told.withLock({ $0 }) {
      let states = events.map(\.state)
      #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "\(name): \(states)")
      #expect(states.count >= 3, "\(name): its first state, left, and reached again")
    }
  }

  /// The times of the true entries and exits of a circle, by the trace.
  private func crossings(_ circle: CLCircularRegion) throws -> [(inside: Bool, at: Date)] {
    var trace = try ReplayedTrace(Traces.path("mixed-day.gpx"))
    trace.firstStart = .hot
    let account = try trace.run { _ in
      let manager = CLLocationManager()
      manager.pausesLocationUpdatesAutomatically = false
      manager.startUpdatingLocation()
      return manager
    }
    var crossings: [(inside: Bool, at: Date)] = []
    var isInside: Bool?
    for delivery in account.deliveries {
      let now = circle.contains(delivery.location.coordinate)
      if let isInside, isInside != now { crossings.append((now, delivery.date)) }
      isInside = now
    }
    return crossings
  }

  private final class Gate: NSObject, CLLocationManagerDelegate {
    private static let told = Mutex<[(inside: Bool, at: Date)]>([])
    let manager = CLLocationManager()

    static func taken() -> [(inside: Bool, at: Date)] {
      told.withLock { told in
        defer { told = [] }
        return told
      }
    }

    init(_ reason: CLLaunchReason?, _ circle: CLCircularRegion) {
      super.init()
      manager.delegate = self
      if reason == nil { manager.startMonitoring(for: circle) }
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
      Self.told.withLock { $0.append((true, Date())) }
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
      Self.told.withLock { $0.append((false, Date())) }
    }
  }

  @Test("By default a geofence is told within minutes, and none is missed, whatever the policy is")
  func geofence() throws {
    let office = CLCircularRegion(
      center: .init(latitude: 39.2429, longitude: -115.7074), radius: 300, identifier: "office")
    let truth = try crossings(office)
    #expect(truth.map(\.inside) == [true, false, true, false])
    for policy in [nil, "ios", "periodic"] as [String?] {
      var trace = try ReplayedTrace(Traces.path("mixed-day.gpx"))
      trace.background(after: 60)
      trace.policy = policy
      _ = try trace.run { Gate($0, office) }
      let told = Gate.taken()
      #expect(told.map(\.inside) == truth.map(\.inside), "\(policy ?? "default")")
      for (told, crossing) in zip(told, truth) {
        let late = told.at.timeIntervalSince(crossing.at)
        #expect((-60...600).contains(late), "\(policy ?? "default"): \(late) s late")
      }
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
