// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import Testing

@testable import LocationClient

/// Wishes that change while there is no connection, while updates pause, or beside other managers; by the theory above
/// `SessionMachine`.
@Suite("A stop or a start counts whenever it is said, and each manager hears its own")
struct WishesTests: SessionDriving {
  var subject = SessionMachine()

  private mutating func pointed(_ input: SessionMachine.Input) -> [Int] {
    send(input).compactMap {
      if case .hand(.heading, let id) = $0 { id } else { nil }
    }
  }

  private func location(
    _ number: UInt64, _ service: Service = .standard, isCached: Bool = false
  ) -> SessionMachine.Input {
    let fix = Fix(
      time: UTCInstant(microseconds: Int64(number) * 1_000_000),
      coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
    let delivery = Delivery(
      sequence: number, service: service, fix: fix, isCached: isCached, moved: nil, since: nil)
    return .message(.location(delivery, received: UTCInstant(microseconds: 0)))
  }

  private func heading(_ degrees: Double) -> SessionMachine.Input {
    let heading = Heading(time: nil, trueNorth: degrees, source: .compass)
    return .message(.heading(HeadingNotice(heading, received: UTCInstant(microseconds: 0))))
  }

  private func welcome(reason: WakeReason? = nil) -> SessionMachine.Input {
    .message(
      .welcome(
        .init(
          release: "1", app: "walker", state: reason == nil ? .active : .background,
          authorization: .always, launchReason: reason, monitorsSignificantChanges: false,
          acknowledged: 0)))
  }

  @Test("A stop of motion ends what an earlier process requested, whenever it is said")
  mutating func stopsMotionOfAnother() {
    _ = send(.joined(1))
    #expect(sent(.stopsMotion) == [])
    #expect(sent(welcome()).contains(.monitorMotion(false)))
    #expect(!sent(welcome()).contains(.monitorMotion(false)))
    #expect(sent(.stopsMotion) == [.monitorMotion(false)])
  }

  private var standard: Wishes {
    var wishes = Wishes()
    wishes.standard = StandardRequest()
    return wishes
  }

  private var once: Wishes {
    var wishes = Wishes()
    wishes.once = true
    return wishes
  }

  private func headings(filter: Double?) -> Wishes {
    var wishes = Wishes()
    wishes.heading = HeadingRequest(isOn: true, filter: filter)
    return wishes
  }

  private mutating func begin(_ count: Int = 1, reason: WakeReason? = nil) {
    _ = send(welcome(reason: reason))
    for id in 1...count { _ = send(.joined(id)) }
  }

  // MARK: Without a connection

  @Test("Whatever was stopped while there was no daemon is stopped at the next welcome")
  mutating func stoppedOffline() {
    begin()
    var wishes = headings(filter: 5)
    wishes.standard = StandardRequest()
    wishes.motion = true
    #expect(sent(.wants(1, wishes)).count == 3)
    _ = send(.disconnected("gone"))
    #expect(sent(.wants(1, Wishes())) == [])
    let said = sent(welcome())
    #expect(
      said == [.stop(.standard), .monitorMotion(false), .heading(HeadingRequest(isOn: false))])
    #expect(sent(.wants(1, Wishes())) == [])
  }

  @Test("So is a single request that was taken back")
  mutating func requestTakenBackOffline() {
    begin()
    #expect(sent(.wants(1, once)) == [.requestLocation()])
    _ = send(.disconnected("gone"))
    _ = send(.wants(1, Wishes()))
    #expect(sent(welcome()) == [.stop(.standard)])
  }

  @Test("A service that this process never asked for is not stopped")
  mutating func neverBegun() {
    begin()
    _ = send(.disconnected("gone"))
    #expect(sent(welcome()) == [])
  }

  // MARK: Headings

  @Test("Headings that are stopped and started again begin with the first one")
  mutating func headingsAgain() {
    begin()
    _ = send(.wants(1, headings(filter: 10)))
    #expect(pointed(heading(90)) == [1])
    #expect(pointed(heading(91)) == [])
    _ = send(.wants(1, Wishes()))
    #expect(pointed(.wants(1, headings(filter: 10))) == [], "an old one says nothing")
    #expect(pointed(heading(91)) == [1])
  }

  @Test("A second manager gets the newest heading at once, since the daemon sends it no more")
  mutating func secondManagersHeading() {
    begin(2)
    _ = send(.wants(1, headings(filter: 10)))
    #expect(pointed(.wants(2, headings(filter: 10))) == [], "there is none yet")
    _ = send(.wants(2, Wishes()))
    _ = send(heading(90))
    #expect(pointed(.wants(2, headings(filter: 10))) == [2])
    #expect(pointed(heading(91)) == [])
    #expect(pointed(.wants(2, headings(filter: 5))) == [], "it only changed its filter")
  }

  // MARK: Pauses

  @Test("Whoever begins while another manager's updates pause ends the pause")
  mutating func beginsInPause() {
    begin(2)
    #expect(sent(.wants(1, standard)).count == 1)
    _ = send(.message(.paused))
    #expect(sent(.wants(2, standard)) == [.start(.init(.standard, StandardRequest()))])
    #expect(send(location(1)).first == .hand(.resumed, to: 1))
  }

  @Test("Whoever begins beside updates that go on says nothing new")
  mutating func beginsBeside() {
    begin(2)
    _ = send(.wants(1, standard))
    #expect(sent(.wants(2, standard)) == [])
  }

  // MARK: Single requests

  @Test("A single request is not answered by a position from before")
  mutating func cachedIsNoAnswer() {
    begin(2)
    _ = send(.wants(2, standard))
    _ = send(.wants(1, once))
    #expect(hearers(of: location(1, isCached: true)) == [2])
    #expect(hearers(of: location(2)) == [1, 2])
    #expect(hearers(of: location(3)) == [2])
  }

  @Test("A position that waited for its service answers no single request either")
  mutating func heldIsNoAnswer() {
    begin(reason: .location)
    #expect(hearers(of: location(1)) == [])
    #expect(hearers(of: .wants(1, once)) == [])
    #expect(hearers(of: location(2)) == [1])
    #expect(hearers(of: location(3)) == [])
    #expect(hearers(of: .wants(1, standard)) == [1], "it still waits for its service")
  }

  // MARK: The end of work

  @Test("Whoever is no manager leaves the end of the work to the managers")
  mutating func automaticBesideOthers() {
    begin(2)
    _ = send(.endsWorkItself(1, false))
    var wishes = Wishes()
    wishes.significant = true
    _ = send(.wants(1, wishes))
    _ = send(.message(.state(.background)))
    _ = send(location(1, .significant))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1), .done])
    _ = send(.endsWorkItself(1, true))
    _ = send(location(2, .significant))
    #expect(sent(.finished(ticket: 2)) == [.acknowledge(2)])
  }

  @Test("Without a manager the work lasts for its budget")
  mutating func budgetWithoutManager() {
    begin()
    var wishes = Wishes()
    wishes.significant = true
    _ = send(.wants(1, wishes))
    _ = send(.message(.state(.background)))
    _ = send(location(1, .significant))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
    _ = send(.joined(2))
    _ = send(.background(.listens(2)))
    _ = send(location(2, .significant))
    #expect(sent(.finished(ticket: 2)) == [.acknowledge(2)], "a listener decides nothing")
  }

  // MARK: Held deliveries

  @Test("A delivery that waited is not acknowledged before it is handed over")
  mutating func heldBatch() {
    let noon = UTCInstant(microseconds: 43_200_000_000)
    begin(reason: .visit)
    var wishes = Wishes()
    wishes.significant = true
    _ = send(.wants(1, wishes))
    // A region that is no longer monitored, and a visit: both wait for a delegate.
    let crossing = RegionNotice(
      sequence: 1, identifier: "home", event: .entered, state: .inside, time: noon, received: noon)
    let visit = Visit(
      coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11),
      horizontalAccuracy: 30, arrival: noon, departure: nil)
    _ = send(.message(.region(crossing)))
    _ = send(
      .message(.visit(VisitNotice(sequence: 2, event: .arrived, visit: visit, received: noon))))
    #expect(hearers(of: location(3, .significant)) == [1])
    #expect(sent(.finished(ticket: 1)) == [], "those before it wait")
    #expect(sent(.listens(1, .app)) == [.acknowledge(1)], "the region is told to nobody")
    #expect(sent(.finished(ticket: 3)) == [.acknowledge(3)])
  }
}
