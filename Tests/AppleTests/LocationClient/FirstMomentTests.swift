// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationModel
import Testing

@testable import LocationClient

@Suite("What a program asks in its first moment is answered rightly")
struct FirstMomentTests {
  private func manager(_ session: LocationSession) -> CLLocationManager {
    LocationSession.$scoped.withValue(session) {
      CLLocationManager(delegateQueue: DispatchQueue(label: "first"))
    }
  }

  @Test("The authorization is known at once: the question waits for the daemon's first word")
  func authorization() {
    let daemon = FakeDaemon()
    let session = LocationSession(
      DaemonBackend(.init(app: "walker"), wait: { daemon.pause($0) }) { try daemon.connect() },
      callsInline: false)
    session.openSession()
    #expect(manager(session).authorizationStatus == .authorizedAlways)
    #expect(manager(session).appState == .active)
    session.closeSession()
  }

  @Test(
    "The daemon's first word says where the device was last; what the process knows is not replaced"
  )
  func lastLocation() throws {
    let time = UTCInstant(microseconds: 1_000_000)
    let old = Fix(
      time: time, coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
    var welcome = ServerMessage.Welcome(
      release: "1", app: "walker", state: .active, authorization: .always, launchReason: nil,
      monitorsSignificantChanges: false, acknowledged: 0, location: old)
    let session = LocationSession(SilentBackend(), callsInline: false)
    session.openSession()
    session.received(.welcome(welcome))
    let location = try #require(manager(session).location)
    #expect(location.coordinate.latitude == 48)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1))
    welcome.location?.coordinate = Coordinate(clampingLatitude: 49, wrappingLongitude: 11)
    session.received(.welcome(welcome))
    #expect(manager(session).location?.coordinate.latitude == 48)
    session.closeSession()
  }

  @Test("A daemon that is not there, or says nothing, holds nobody up", .timeLimit(.minutes(1)))
  func silence() {
    let daemon = FakeDaemon()
    daemon.kill()
    let absent = LocationSession(
      DaemonBackend(.init(app: "walker"), wait: { daemon.pause($0) }) { try daemon.connect() },
      callsInline: false)
    absent.openSession()
    #expect(manager(absent).authorizationStatus == .notDetermined)
    absent.closeSession()
    let silent = LocationSession(SilentBackend(), callsInline: false)
    silent.openSession()
    // 200 ms for all of these together; 1,000 questions that waited each would take 200 s.
    let asked = manager(silent)
    for _ in 0..<1_000 { #expect(asked.authorizationStatus == .notDetermined) }
    #expect(asked.location == nil)
  }

  @Test("The position that launched the process is known before the daemon says anything")
  func launch() throws {
    // The example line of the protocol's page, without its end, as the service writes it.
    let line = """
      {"class":"LOCATION","sequence":13,"service":"significant","received":"2026-05-04T07:08:09.750Z",\
      "cached":false,"moved_m":612.5,"since_s":420,"fix":{"time":"2026-05-04T07:08:09.500Z",\
      "latitude":45.5231,"longitude":13.5688,"accuracy_m":4.5,"altitude_m":12.25,"source":"gnss"}}
      """
    let environment = ["MILEPOST_LAUNCH_LOCATION": line]
    let launched = try #require(DaemonBackend.launchLocation(in: environment))
    let session = LocationSession(SilentBackend(), callsInline: false)
    session.knows(launched.fix, received: launched.received)
    let location = try #require(manager(session).location)
    #expect(location.coordinate.latitude == 45.5231)
    #expect(location.horizontalAccuracy == 4.5)
    #expect(location.timestamp.ISO8601Format() == "2026-05-04T07:08:09Z")
    // A newer one replaces it, and an old one does not come back.
    session.received(SilentBackend.welcome())
    var newer = launched.fix
    newer.coordinate = Coordinate(clampingLatitude: 49, wrappingLongitude: 11)
    session.received(
      .location(
        Delivery(
          sequence: 14, service: .significant, fix: newer, isCached: false, moved: nil, since: nil),
        received: launched.received))
    session.knows(launched.fix, received: launched.received)
    #expect(manager(session).location?.coordinate.latitude == 49)
  }

  @Test("An environment without a position, or with none that can be read, is none")
  func noLaunch() {
    #expect(DaemonBackend.launchLocation(in: [:]) == nil)
    #expect(DaemonBackend.launchLocation(in: ["MILEPOST_LAUNCH_LOCATION": "?"]) == nil)
    #expect(
      DaemonBackend.launchLocation(in: ["MILEPOST_LAUNCH_LOCATION": "{\"class\":\"PAUSED\"}"])
        == nil)
  }
}
