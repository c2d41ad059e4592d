// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationModel
import Synchronization
import Testing

@testable import LocationClient

@Suite("Monitors and sessions of these years")
struct MonitorTests {
  private let backend = SilentBackend()
  private let session: LocationSession
  private let home = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200)

  init() {
    session = LocationSession(backend, callsInline: true)
    session.openSession()
    session.received(SilentBackend.welcome())
  }

  private func monitor(_ name: String) async -> CLMonitor {
    await LocationSession.$scoped.withValue(session) { await CLMonitor(name) }
  }

  private func determine(_ name: String, _ state: RegionState, at seconds: Int64) {
    let time = UTCInstant(microseconds: seconds * 1_000_000)
    session.received(
      .region(
        RegionNotice(identifier: name, event: .state, state: state, time: time, received: time)))
  }

  @Test("An event tells of a difference from what is known, and the record has the last")
  func events() async throws {
    let monitor = await monitor("places")
    await monitor.add(home, identifier: "home", assuming: .unsatisfied)
    #expect(await monitor.identifiers == ["home"])
    #expect(session.regions["CLMonitor/places/home"]?.circle.radius == 200)
    determine("CLMonitor/places/home", .outside, at: 1)
    determine("CLMonitor/places/home", .inside, at: 2)
    determine("CLMonitor/places/home", .inside, at: 3)
    determine("CLMonitor/other/home", .outside, at: 4)
    determine("CLMonitor/places/home", .outside, at: 5)
    var seen: [String] = []
    for try await event in await monitor.events {
      seen.append("\(event.identifier) \(event.state) \(event.date.timeIntervalSince1970)")
      if seen.count == 2 { break }
    }
    #expect(seen == ["home satisfied 2.0", "home unsatisfied 5.0"])
    #expect(await monitor.record(for: "home")?.lastEvent.state == .unsatisfied)
    #expect(
      await monitor.record(for: "home")?.condition as? CLMonitor.CircularGeographicCondition
        == home)
    await monitor.remove("home")
    #expect(await monitor.record(for: "home") == nil)
    #expect(session.regions.entries.isEmpty)
  }

  @Test(
    "What is taken for granted has the time of the app's clock, which in a replay is the trace's")
  func clock() async throws {
    let session = LocationSession(
      SilentBackend(), callsInline: true, now: { Date(timeIntervalSince1970: 1_000) })
    session.openSession()
    session.received(SilentBackend.welcome())
    let monitor = await LocationSession.$scoped.withValue(session) { await CLMonitor("places") }
    await monitor.add(home, identifier: "home", assuming: .unsatisfied)
    let known = await monitor.record(for: "home")?.lastEvent.date
    #expect(known?.timeIntervalSince1970 == 1_000)
  }

  @Test("What an earlier process gave to a monitor of this name is there")
  func relaunched() async throws {
    let center = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    session.received(
      SilentBackend.welcome(monitoring: [
        MonitoredRegion("CLMonitor/places/home", centre: center, radius: 200),
        MonitoredRegion("CLMonitor/pla%2Fces/home", centre: center, radius: 200),
        MonitoredRegion("home", centre: center, radius: 200),
      ]))
    let monitor = await monitor("places")
    #expect(await monitor.identifiers == ["home"])
    #expect(await monitor.record(for: "home")?.lastEvent.state == .unknown)
    determine("CLMonitor/places/home", .inside, at: 2)
    for try await event in await monitor.events {
      #expect(event.state == .satisfied)
      break
    }
  }

  @Test("What an earlier process was told is known to its successor, and is no news")
  func survives() async throws {
    let center = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let names = ["home", "work"].map { "CLMonitor/places/\($0)" }
    let time = UTCInstant(microseconds: 5_000_000)
    session.received(
      SilentBackend.welcome(
        monitoring: names.map { MonitoredRegion($0, centre: center, radius: 200) },
        told: [ToldSide(region: names[0], state: .inside, time: time)]))
    let monitor = await monitor("places")
    let known = try #require(await monitor.record(for: "home")?.lastEvent)
    #expect(known.state == .satisfied && known.date.timeIntervalSince1970 == 5)
    #expect(await monitor.record(for: "work")?.lastEvent.state == .unknown)
    let questions = backend.heard.withLock { $0 }.filter {
      names.map { .requestRegionState($0) }.contains($0)
    }
    #expect(questions == [.requestRegionState(names[1])])
    determine(names[0], .inside, at: 9)
    determine(names[1], .outside, at: 9)
    determine(names[0], .outside, at: 12)
    var seen: [String] = []
    for try await event in await monitor.events {
      seen.append("\(event.identifier) \(event.state) \(event.date.timeIntervalSince1970)")
      if seen.count == 2 { break }
    }
    #expect(seen == ["work unsatisfied 9.0", "home unsatisfied 12.0"])
  }

  @Test("A crossing is acknowledged when the loop that read it asks for the next one")
  func acknowledged() async throws {
    let monitor = await monitor("places")
    await monitor.add(home, identifier: "home")
    func cross(_ number: UInt64, _ event: RegionNotice.Event, _ state: RegionState) {
      session.received(
        .region(
          RegionNotice(
            sequence: number, identifier: "CLMonitor/places/home", event: event, state: state,
            received: .epoch)))
    }
    func acknowledgements() -> [UInt64] {
      backend.heard.withLock { $0 }.compactMap {
        if case .app(.acknowledge(let number)) = $0 { number } else { nil }
      }
    }
    cross(1, .entered, .inside)
    #expect(acknowledgements() == [1], "nobody reads yet: the record has it")
    var events = await monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.state == .satisfied)
    cross(2, .exited, .outside)
    #expect(try await events.next()?.state == .unsatisfied)
    #expect(acknowledgements() == [1], "it is being worked on")
    cross(3, .entered, .inside)
    _ = try await events.next()
    #expect(acknowledgements() == [1, 2])
  }

  /// A daemon that answers before the question has returned, as one on another thread may.
  private final class QuickBackend: LocationBackend {
    private let session = Mutex<LocationSession?>(nil)

    func open(for session: LocationSession) { self.session.withLock { $0 = session } }
    func close() {}

    func send(_ message: ClientMessage) {
      guard case .app(.requestRegionState(let identifier)) = message else { return }
      session.withLock { $0 }?.received(
        .region(
          RegionNotice(
            identifier: identifier, event: .state, state: .inside, time: nil,
            received: UTCInstant(microseconds: 0))))
    }
  }

  @Test("The answer to its first question is heard, however fast it comes")
  func quickAnswer() async throws {
    let session = LocationSession(QuickBackend(), callsInline: true)
    session.openSession()
    let center = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    session.received(
      SilentBackend.welcome(monitoring: [
        MonitoredRegion("CLMonitor/places/home", centre: center, radius: 200)
      ]))
    let monitor = await LocationSession.$scoped.withValue(session) { await CLMonitor("places") }
    #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
  }

  @Test("A daemon that comes late says what an earlier process gave, and no event of that is lost")
  func lateDaemon() async throws {
    let session = LocationSession(backend, callsInline: true)
    session.openSession()
    let monitor = await LocationSession.$scoped.withValue(session) { await CLMonitor("places") }
    #expect(await monitor.identifiers == [])
    let center = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let name = "CLMonitor/places/home"
    session.received(
      SilentBackend.welcome(monitoring: [
        MonitoredRegion(name, centre: center, radius: 200)
      ]))
    #expect(await monitor.identifiers == ["home"])
    #expect(backend.heard.withLock { $0.contains(.requestRegionState(name)) })
    session.received(
      .region(
        RegionNotice(
          sequence: 1, identifier: name, event: .entered, state: .inside, received: .epoch)))
    for try await event in await monitor.events {
      #expect(event.identifier == "home" && event.state == .satisfied)
      break
    }
  }

  @Test("A circle that is replaced by what is none is watched no longer")
  func replaced() async throws {
    struct Weather: CLCondition {}
    let monitor = await monitor("places")
    await monitor.add(home, identifier: "home")
    await monitor.add(Weather(), identifier: "home")
    #expect(session.regions.entries.isEmpty)
    #expect(
      backend.heard.withLock { $0.contains(.stopMonitoringRegion("CLMonitor/places/home")) })
  }

  @Test("Names that differ are different monitors, whatever characters they have")
  func names() async throws {
    let slash = await monitor("a/b")
    await slash.add(home, identifier: "home")
    let percent = await monitor("a%2Fb")
    #expect(await percent.identifiers == [])
  }

  @Test("A condition that is no circle, and a 21st, are not monitored, and say why")
  func unmonitored() async throws {
    struct Weather: CLCondition {}
    let monitor = await monitor("places")
    await monitor.add(Weather(), identifier: "rain")
    let rain = try #require(await monitor.record(for: "rain")?.lastEvent)
    #expect(rain.state == .unmonitored && rain.conditionUnsupported)
    for number in 1...21 { await monitor.add(home, identifier: "\(number)") }
    let last = try #require(await monitor.record(for: "21")?.lastEvent)
    #expect(last.state == .unmonitored && last.conditionLimitExceeded)
    #expect(await monitor.record(for: "20")?.lastEvent.state == .unknown)
  }

  @Test("A service session asks, and its diagnostics say how that went")
  func serviceSession() async throws {
    let backend = SilentBackend()
    let session = LocationSession(backend, callsInline: true)
    session.openSession()
    session.received(SilentBackend.welcome(.notDetermined))
    let service = LocationSession.$scoped.withValue(session) {
      CLServiceSession(authorization: .always)
    }
    #expect(backend.heard.withLock { $0 } == [.requestAuthorization(.always)])
    var seen: [CLServiceSession.Diagnostic] = []
    for try await diagnostic in service.diagnostics {
      seen.append(diagnostic)
      if seen.count == 1 { session.received(.authorization(.whenInUse)) }
      if seen.count == 2 { session.received(.authorization(.denied)) }
      if seen.count == 3 { service.invalidate() }
    }
    #expect(seen.map(\.authorizationRequestInProgress) == [true, false, false])
    #expect(seen.map(\.alwaysAuthorizationDenied) == [false, true, true])
    #expect(seen.map(\.authorizationDenied) == [false, false, true])
  }

  @Test(
    "A loop over diagnostics begins with how things stand, also after a change that nobody read")
  func diagnosticsLater() async throws {
    let session = LocationSession(SilentBackend(), callsInline: true)
    session.openSession()
    session.received(SilentBackend.welcome(.always))
    let service = LocationSession.$scoped.withValue(session) {
      CLServiceSession(authorization: .always)
    }
    session.received(.authorization(.denied))
    for _ in 1...2 {
      var diagnostics = service.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.authorizationDenied == true)
    }
  }

  @Test("A session for full accuracy says where it is denied; another one does not mind")
  func fullAccuracy() async throws {
    let session = LocationSession(SilentBackend(), callsInline: true)
    session.openSession()
    session.received(SilentBackend.welcome())
    let (exact, any) = LocationSession.$scoped.withValue(session) {
      (
        CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "ride"),
        CLServiceSession(authorization: .always)
      )
    }
    session.received(.accuracy(.reduced))
    for (service, isDenied) in [(exact, true), (any, false)] {
      var diagnostics = service.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.fullAccuracyDenied == isDenied)
    }
  }

  @Test("An event says that it was told from a reduced position")
  func limited() async throws {
    let monitor = await monitor("places")
    await monitor.add(home, identifier: "home")
    determine("CLMonitor/places/home", .outside, at: 1)
    #expect(await monitor.record(for: "home")?.lastEvent.accuracyLimited == false)
    session.received(.accuracy(.reduced))
    determine("CLMonitor/places/home", .inside, at: 2)
    #expect(await monitor.record(for: "home")?.lastEvent.accuracyLimited == true)
  }

  @Test("A background session lets standard updates go on in the background while it is held")
  func backgroundSession() throws {
    let backend = SilentBackend()
    let session = LocationSession(backend, callsInline: true)
    session.openSession()
    session.received(SilentBackend.welcome())
    LocationSession.$scoped.withValue(session) {
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      let background = CLBackgroundActivitySession()
      background.invalidate()
      background.invalidate()
    }
    let starts = backend.heard.withLock { $0 }.compactMap { message -> Bool? in
      guard case .app(.start(let request)) = message else { return nil }
      return request.request.allowsBackgroundUpdates
    }
    #expect(starts == [false, true, false])
  }
}
