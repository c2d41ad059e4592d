// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import Testing

@testable import LocationClient

/// By the theory above `Regions`.
@Suite("Regions and visits, between managers and the service")
struct RegionsTests {
  private var subject = SessionMachine()
  private let noon = UTCInstant(microseconds: 43_200_000_000)

  private mutating func send(_ input: SessionMachine.Input) -> [SessionMachine.Action] {
    var actions: [SessionMachine.Action] = []
    subject.handle(input, into: &actions)
    return actions
  }

  private mutating func greet(_ places: MonitoredPlaces? = nil) -> [SessionMachine.Action] {
    send(
      .message(
        .welcome(
          .init(
            release: "1", app: "walker", state: .active, authorization: .always,
            launchReason: nil, monitorsSignificantChanges: false, acknowledged: 0, places: places)))
    )
  }

  private func circle(_ name: String, radius: Double = 200) -> MonitoredRegion {
    MonitoredRegion(
      name, centre: Coordinate(clampingLatitude: 48, wrappingLongitude: 11), radius: radius)
  }

  private mutating func monitor(_ circle: MonitoredRegion, by id: Int = 1) -> [SessionMachine
    .Action]
  {
    send(.regions(.monitor(circle, by: id)))
  }

  /// A greeted process with managers 1 and 2, which have delegates.
  private mutating func begin() {
    _ = greet()
    for id in 1...2 {
      _ = send(.joined(id))
      _ = send(.listens(id, .app))
    }
  }

  private func told(_ circle: MonitoredRegion, _ news: RegionNews, ticket: UInt64? = nil)
    -> [SessionMachine.Action]
  {
    [1, 2].map { .hand(.region(circle, news, ticket: ticket), to: $0) }
  }

  private func crossing(_ name: String, entry: Bool = true, number: UInt64) -> SessionMachine.Input
  {
    .message(
      .region(
        RegionNotice(
          sequence: number, identifier: name, event: entry ? .entered : .exited,
          state: entry ? .inside : .outside, time: noon, received: noon)))
  }

  private func crossed(_ state: CLRegionState) -> RegionNews {
    .determined(state, isCrossing: true, at: noon)
  }

  @Test("A region is said at once where the daemon is there, and again at each welcome")
  mutating func said() {
    begin()
    #expect(
      monitor(circle("home")) == [.send(.monitorRegion(circle("home")))]
        + told(circle("home"), .began))
    _ = send(.disconnected("gone"))
    let again = greet().filter { if case .send = $0 { true } else { false } }
    #expect(again == [.send(.monitorRegion(circle("home")))])
  }

  @Test("Without a daemon it is noted, and said when there is one; so is a stop")
  mutating func offline() {
    _ = send(.joined(1))
    _ = send(.listens(1, .app))
    #expect(monitor(circle("home")) == [])
    #expect(send(.regions(.stop("work"))) == [])
    let actions = greet(.init(regions: [circle("work")], visits: false))
    #expect(actions.contains(.send(.stopMonitoringRegion("work"))))
    #expect(actions.contains(.send(.monitorRegion(circle("home")))))
    #expect(actions.contains(.hand(.region(circle("home"), .began, ticket: nil), to: 1)))
  }

  @Test("A crossing goes to every manager, and is acknowledged when all have finished with it")
  mutating func crossings() {
    begin()
    let home = circle("home")
    _ = monitor(home)
    #expect(send(crossing("home", number: 1)) == told(home, crossed(.inside), ticket: 1))
    #expect(send(.finished(ticket: 1)) == [])
    #expect(send(.finished(ticket: 1)) == [.send(.acknowledge(1))])
    // Once more, since the acknowledgement was lost.
    #expect(send(crossing("home", number: 1)) == [.send(.acknowledge(1))])
    #expect(
      send(crossing("home", entry: false, number: 2)) == told(home, crossed(.outside), ticket: 2))
    #expect(subject.regions["home"]?.state == .outside)
  }

  @Test("The answer to a question for a state is told, and acknowledged by nobody")
  mutating func state() {
    begin()
    let home = circle("home")
    _ = monitor(home)
    #expect(send(.regions(.requestState(home, by: 1))) == [.send(.requestRegionState("home"))])
    #expect(
      send(
        .message(
          .region(
            RegionNotice(
              identifier: "home", event: .state, state: .outside, time: nil, received: noon))))
        == told(home, .determined(.outside, isCrossing: false, at: noon)))
  }

  @Test(
    "A crossing before its manager is kept while others are finished, and holds them up once it is handed"
  )
  mutating func early() {
    let home = circle("home")
    _ = greet(.init(regions: [home], visits: false))
    for id in 1...2 { _ = send(.joined(id)) }
    var significant = Wishes()
    significant.significant = true
    _ = send(.wants(2, significant))
    _ = send(crossing("home", number: 1))
    // The locations 2 to 8 have the tickets 1 to 7.
    for number in UInt64(2)...8 {
      _ = send(location(number))
      #expect(send(.finished(ticket: number - 1)) == [])
    }
    #expect(
      send(.listens(1, .app)) == [.hand(.region(home, crossed(.inside), ticket: 8), to: 1)])
    for number in UInt64(9)...60 {
      _ = send(location(number))
      #expect(send(.finished(ticket: number)) == [])
    }
    #expect(send(.finished(ticket: 8)) == [.send(.acknowledge(60))])
  }

  private func location(_ number: UInt64) -> SessionMachine.Input {
    let delivery = Delivery(
      sequence: number, service: .significant,
      fix: Fix(
        time: UTCInstant(microseconds: Int64(number) * 1_000_000),
        coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11)),
      isCached: false, moved: nil, since: nil)
    return .message(.location(delivery, received: noon))
  }

  @Test("What launched the process waits for a manager with a delegate, or for its monitor")
  mutating func launched() {
    _ = send(.joined(1))
    _ = send(.joined(2))
    let (home, place) = (circle("home"), circle("CLMonitor/places/home"))
    _ = greet(.init(regions: [home, place], visits: false))
    #expect(send(crossing("home", number: 1)) == [])
    #expect(send(crossing(place.identifier, number: 2)) == [])
    #expect(
      send(.listens(1, .app)) == [.hand(.region(home, crossed(.inside), ticket: 1), to: 1)])
    #expect(
      send(.listens(2, .monitor("CLMonitor/places/")))
        == [.hand(.region(place, crossed(.inside), ticket: 2), to: 2)])
    // In order: the second one alone acknowledges nothing.
    #expect(send(.finished(ticket: 2)) == [])
    #expect(send(.finished(ticket: 1)) == [.send(.acknowledge(2))])
  }

  @Test("After a stop nothing is told of it, and what was under way is acknowledged")
  mutating func stopped() {
    begin()
    _ = monitor(circle("home"))
    #expect(send(.regions(.stop("home"))) == [.send(.stopMonitoringRegion("home"))])
    #expect(send(crossing("home", number: 1)) == [.send(.acknowledge(1))])
    #expect(subject.regions.entries.isEmpty)
  }

  @Test("A visit is a delivery to all managers with delegates")
  mutating func visit() {
    begin()
    let visit = Visit(
      coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11),
      horizontalAccuracy: 30, arrival: noon, departure: nil)
    let notice = VisitNotice(sequence: 1, event: .arrived, visit: visit, received: noon)
    #expect(
      send(.message(.visit(notice))) == [1, 2].map { .hand(.visit(visit, ticket: 1), to: $0) })
    _ = send(.finished(ticket: 1))
    #expect(send(.finished(ticket: 1)) == [.send(.acknowledge(1))])
  }

  @Test("The 21st region is refused, and the same name replaces; Core Location's limit is 20")
  mutating func limit() {
    begin()
    for number in 1...20 { _ = monitor(circle("r\(number)")) }
    let refused = CLError(
      .regionMonitoringFailure,
      "'r21' would be region 21 of this app, and 20 are allowed; stop one first")
    #expect(
      monitor(circle("r21")) == [
        .hand(.region(circle("r21"), .failed(refused), ticket: nil), to: 1)
      ])
    #expect(
      monitor(circle("r20", radius: 50)).first == .send(.monitorRegion(circle("r20", radius: 50))))
    #expect(subject.regions.entries.count == 20)
  }

  @Test(
    "A circle that is none, a denied app and a state that nobody can know are refused with reasons")
  mutating func refused() {
    begin()
    let flat = circle("flat", radius: 0)
    #expect(
      monitor(flat) == [
        .hand(
          .region(
            flat,
            .failed(
              CLError(
                .regionMonitoringFailure,
                "the radius of 'flat' is 0.0 m; it must be within 1.0 and 100000.0 m")),
            ticket: nil),
          to: 1)
      ])
    let nameless = circle("")
    #expect(
      monitor(nameless) == [
        .hand(
          .region(
            nameless,
            .failed(
              CLError(
                .regionMonitoringFailure, "the identifier '' has 0 bytes; it must have 1 to 256")),
            ticket: nil), to: 1)
      ])
    let unknown = CLError(
      .regionMonitoringFailure,
      "'away' is not monitored; start that before its state is asked for")
    #expect(
      send(.regions(.requestState(circle("away"), by: 2)))
        == [.hand(.region(circle("away"), .failed(unknown), ticket: nil), to: 2)])
    _ = send(.message(.authorization(.denied)))
    let denied = CLError(
      .regionMonitoringDenied,
      "the user allows this app no location; milepost apps authorize changes that")
    #expect(
      monitor(circle("home"))
        == [.hand(.region(circle("home"), .failed(denied), ticket: nil), to: 1)])
  }

  @Test("What the service refuses later is told to all and forgotten")
  mutating func refusedLater() {
    begin()
    _ = monitor(circle("home"))
    #expect(
      send(.message(.regionFailed("home", reason: "no modem")))
        == told(circle("home"), .failed(CLError(.regionMonitoringFailure, "no modem"))))
    #expect(subject.regions.entries.isEmpty)
  }

  @Test("What an earlier process asked for is there, but for what this one has stopped")
  mutating func kept() {
    _ = send(.joined(1))
    _ = send(.listens(1, .app))
    _ = send(.regions(.stop("old")))
    let actions = greet(.init(regions: [circle("old"), circle("home")], visits: false))
    #expect(subject.regions.entries.map(\.circle.identifier) == ["home"])
    #expect(actions.contains(.send(.stopMonitoringRegion("old"))))
    // Its monitoring began before.
    #expect(!actions.contains(.hand(.region(circle("home"), .began, ticket: nil), to: 1)))
  }

  @Test("What was stopped is said again as long as the service lists it, and then forgotten")
  mutating func stoppedBefore() {
    begin()
    for number in 1...1_000 {
      _ = monitor(circle("r\(number)"))
      _ = send(.regions(.stop("r\(number)")))
    }
    func stops(_ actions: [SessionMachine.Action]) -> [SessionMachine.Action] {
      actions.filter { if case .send(.app(.stopMonitoringRegion)) = $0 { true } else { false } }
    }
    _ = send(.disconnected("gone"))
    // The last stop was lost with the connection, twice.
    for _ in 1...2 {
      let actions = greet(.init(regions: [circle("r1000")], visits: false))
      #expect(stops(actions) == [.send(.stopMonitoringRegion("r1000"))])
      #expect(subject.regions.entries.isEmpty)
    }
    #expect(stops(greet()) == [])
  }

  @Test("Who listens is told of what a later welcome says that an earlier process asked for")
  mutating func keptLate() {
    _ = send(.joined(1))
    _ = send(.listens(1, .monitor("CLMonitor/places/")))
    _ = send(.disconnected("no daemon yet"))
    let place = circle("CLMonitor/places/home")
    let told = SessionMachine.Action.hand(.region(place, .kept, ticket: nil), to: 1)
    let places = MonitoredPlaces(regions: [place, circle("home")], visits: false)
    #expect(greet(places).filter { $0 == told }.count == 1)
    // At the next one it is known.
    #expect(!greet(places).contains(told))
  }

  @Test(
    "Visits are monitored from the first who asks until one stops them, also in a later process")
  mutating func visits() {
    begin()
    var wishes = Wishes()
    wishes.visits = true
    #expect(send(.wants(1, wishes)) == [.send(.monitorVisits(true))])
    #expect(send(.wants(2, wishes)) == [])
    #expect(send(.left(1)) == [])
    #expect(send(.left(2)) == [])
    #expect(send(.regions(.stopsVisits)) == [.send(.monitorVisits(false))])
    subject = SessionMachine()
    let actions = greet(.init(regions: [], visits: true))
    #expect(!actions.contains(.send(.monitorVisits(false))))
    #expect(send(.regions(.stopsVisits)) == [.send(.monitorVisits(false))])
  }
}
