// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import Testing

@testable import LocationClient

/// Inputs and their results, by the theory above `SessionMachine`.
@Suite("What a process's managers want and are told, and what is acknowledged when")
struct SessionMachineTests: SessionDriving {
  var subject = SessionMachine()

  func delivery(
    _ number: UInt64, _ service: Service = .significant, latitude: Double = 48
  ) -> Delivery {
    Delivery(
      sequence: number, service: service,
      fix: Fix(
        time: UTCInstant(microseconds: Int64(number) * 1_000_000),
        coordinate: Coordinate(clampingLatitude: latitude, wrappingLongitude: 11)),
      isCached: false, moved: nil, since: nil)
  }

  func location(_ delivery: Delivery) -> SessionMachine.Input {
    .message(.location(delivery, received: UTCInstant(microseconds: 0)))
  }

  func welcome(
    _ acknowledged: UInt64 = 0, reason: WakeReason? = nil, state: AppState = .active
  ) -> SessionMachine.Input {
    .message(
      .welcome(
        .init(
          release: "1", app: "walker", state: state, authorization: .always, launchReason: reason,
          monitorsSignificantChanges: reason != nil, acknowledged: acknowledged)))
  }

  private var significant: Wishes {
    var wishes = Wishes()
    wishes.significant = true
    return wishes
  }

  func standard(filter: Double?, accuracy: Double = -1) -> Wishes {
    var wishes = Wishes()
    var request = StandardRequest()
    request.distanceFilter = filter
    request.desiredAccuracy = accuracy
    wishes.standard = request
    return wishes
  }

  /// A greeted process with managers 1 … `count`, each of which monitors significant changes.
  private mutating func begin(_ count: Int = 1) {
    _ = send(welcome())
    for id in 1...count {
      _ = send(.joined(id))
      _ = send(.wants(id, significant))
    }
  }

  @Test("Wishes are merged, the tightest wins, and only differences are said")
  mutating func merging() {
    _ = send(.joined(1))
    _ = send(.joined(2))
    #expect(sent(.wants(1, standard(filter: 500, accuracy: 100))) == [])
    guard case .app(.start(let first))? = sent(welcome()).first else {
      Issue.record("the welcome must make the session say its wishes")
      return
    }
    #expect(first.request.distanceFilter == 500)
    guard
      case .app(.start(let both))? = sent(.wants(2, standard(filter: 50, accuracy: 3_000))).first
    else {
      Issue.record("a tighter wish must be said")
      return
    }
    #expect(both.request.distanceFilter == 50)
    #expect(both.request.desiredAccuracy == 100)
    #expect(sent(.wants(2, standard(filter: 50, accuracy: 3_000))) == [])
    #expect(sent(.left(1)).count == 1)
    #expect(sent(.left(2)) == [.stop(.standard)])
  }

  @Test("Everything is said again after each welcome")
  mutating func reconnected() {
    begin()
    #expect(sent(.disconnected("gone")) == [])
    #expect(sent(welcome()) == [.start(.init(.significant))])
  }

  @Test("A delivery is acknowledged when its last manager has finished, not before")
  mutating func acknowledgement() {
    begin(2)
    #expect(hearers(of: location(delivery(1))) == [1, 2])
    #expect(sent(.finished(ticket: 1)) == [])
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
    #expect(sent(.finished(ticket: 1)) == [])
  }

  @Test("A later delivery that is finished first waits for the earlier one")
  mutating func order() {
    begin()
    _ = send(location(delivery(1)))
    _ = send(location(delivery(2)))
    #expect(sent(.finished(ticket: 2)) == [])
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(2)])
  }

  @Test("After a restart of the daemon nothing is handed out twice")
  mutating func redelivery() {
    begin()
    _ = send(location(delivery(1)))
    _ = send(location(delivery(2)))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
    _ = send(.disconnected("killed"))
    // Finished without a connection; the daemon has stored neither.
    #expect(sent(.finished(ticket: 2)) == [])
    _ = send(welcome(0))
    let again = send(location(delivery(1)))
    #expect(again == [.send(.acknowledge(2))])
    #expect(send(location(delivery(2))) == [.send(.acknowledge(2))])
    #expect(hearers(of: location(delivery(3))) == [1])
  }

  @Test("A delivery that is still being worked on is neither handed out nor acknowledged again")
  mutating func redeliveredWhileOpen() {
    begin()
    _ = send(location(delivery(1)))
    _ = send(.disconnected("killed"))
    _ = send(welcome(0))
    #expect(send(location(delivery(1))) == [])
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
  }

  @Test("A daemon that lost its memory counts anew, and its deliveries are handed out")
  mutating func newCount() {
    begin()
    for number in 1...3 {
      _ = send(location(delivery(UInt64(number))))
      _ = send(.finished(ticket: UInt64(number)))
    }
    _ = send(.disconnected("its disk was replaced"))
    _ = send(welcome(0))
    #expect(hearers(of: location(delivery(1, latitude: 49))) == [1])
    #expect(sent(.finished(ticket: 4)) == [.acknowledge(1)])
  }

  // ControlProtocol.md: "A number that a client has passed, of an event that it has never seen: the daemon's store
  // was lost, and it counts anew."
  @Test("So does one that lost it when this process had seen nothing yet of the old count")
  mutating func newCountUnseen() {
    _ = send(welcome(7, reason: .location, state: .background))
    _ = send(.joined(1))
    _ = send(.wants(1, significant))
    #expect(hearers(of: location(delivery(8))) == [1])
    _ = send(.disconnected("its disk was replaced"))
    _ = send(welcome(0))
    #expect(hearers(of: location(delivery(1))) == [1])
    #expect(hearers(of: location(delivery(2))) == [1])
    #expect(sent(.finished(ticket: 2)) == [.acknowledge(1)])
    // A ticket of the old count, which is over.
    #expect(sent(.finished(ticket: 1)) == [])
    #expect(sent(.finished(ticket: 3)) == [.acknowledge(2)])
  }

  @Test("Numbers begin with 1: 0 is none, and told to nobody")
  mutating func zero() {
    _ = send(.joined(1))
    _ = send(.wants(1, significant))
    #expect(send(location(delivery(0))) == [])
    _ = send(welcome(0))
    #expect(send(location(delivery(0))) == [])
    #expect(hearers(of: location(delivery(1))) == [1])
  }

  @Test("After a relaunch the event waits until the app asks for its service again")
  mutating func held() {
    _ = send(welcome(0, reason: .location, state: .background))
    #expect(send(location(delivery(1))) == [])
    _ = send(.joined(1))
    #expect(hearers(of: .wants(1, significant)) == [1])
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
  }

  @Test("At most 32 wait, fewer than are sent ahead; then the oldest is given up, and this said")
  mutating func heldLimit() {
    _ = send(welcome())
    _ = send(.joined(1))
    for number in 1...32 { #expect(send(location(delivery(UInt64(number)))) == []) }
    #expect(
      send(location(delivery(33)))
        == [.send(.acknowledge(1)), .hand(.lost(count: 1), to: 1)])
    #expect(hearers(of: .wants(1, significant)).count == 32)
  }

  private func entry(_ number: UInt64) -> SessionMachine.Input {
    .message(
      .region(
        RegionNotice(
          sequence: number, identifier: "home", event: .entered, state: .inside, time: nil,
          received: UTCInstant(microseconds: 0))))
  }

  @Test(
    "A crossing that nobody listens for does not hold the others up: 8 behind it, and it is gone")
  mutating func unheard() {
    begin()
    _ = send(entry(1))
    var acknowledged: [ClientMessage] = []
    for number in UInt64(2)...101 {
      _ = send(location(delivery(number)))
      acknowledged += sent(.finished(ticket: number - 1))
    }
    // Those of 2 to 8 are held back.
    #expect(acknowledged == (9...101).map { .acknowledge($0) })
  }

  @Test("A delivery of a service that was stopped is acknowledged, and handed to nobody")
  mutating func stopped() {
    begin()
    _ = send(.wants(1, Wishes()))
    #expect(send(location(delivery(1))) == [.send(.acknowledge(1))])
  }

  @Test("A manager with the wider filter is told every so many metres of its own")
  mutating func ownFilter() {
    _ = send(welcome())
    for id in [1, 2] { _ = send(.joined(id)) }
    _ = send(.wants(1, standard(filter: nil)))
    _ = send(.wants(2, standard(filter: 1_000)))
    // One degree of latitude is 111.2 km at 48° N: 0.004° are 445 m.
    let told = (0..<7).map { step in
      self.hearers(
        of:
          location(delivery(UInt64(step + 1), .standard, latitude: 48 + 0.004 * Double(step))))
    }
    #expect(told == [[1, 2], [1], [1], [1, 2], [1], [1], [1, 2]])
  }

  @Test("The second manager to start gets the newest position at once")
  mutating func newest() {
    _ = send(welcome())
    for id in [1, 2] { _ = send(.joined(id)) }
    _ = send(.wants(1, standard(filter: 500)))
    _ = send(location(delivery(1, .standard)))
    #expect(hearers(of: .wants(2, standard(filter: 500))) == [2])
  }

  @Test("A single request is met by one position")
  mutating func once() {
    _ = send(welcome())
    _ = send(.joined(1))
    var wishes = Wishes()
    wishes.once = true
    #expect(sent(.wants(1, wishes)) == [.requestLocation()])
    #expect(hearers(of: location(delivery(1, .standard))) == [1])
    #expect(hearers(of: location(delivery(2, .standard))) == [])
    #expect(sent(.wants(1, wishes)) == [.requestLocation()])
  }

  @Test("A single request that failed is told to who waits, with error 0, and is over")
  mutating func onceFailed() {
    _ = send(welcome())
    for id in [1, 2] { _ = send(.joined(id)) }
    var wishes = Wishes()
    wishes.once = true
    wishes.onceAccuracy = 1_000
    #expect(sent(.wants(1, wishes)) == [.requestLocation(accuracy: 1_000)])
    _ = send(.wants(2, standard(filter: 500)))
    #expect(
      send(.message(.requestFailed("none"))) == [
        .hand(.failure(CLError(.locationUnknown, "none")), to: 1)
      ])
    #expect(hearers(of: .message(.requestFailed("none"))) == [])
    #expect(sent(.wants(1, wishes)) == [.requestLocation(accuracy: 1_000)])
  }

  @Test("Who takes a single request back ends it, and whoever else waits asks again")
  mutating func onceStopped() {
    _ = send(welcome())
    for id in [1, 2] { _ = send(.joined(id)) }
    var wishes = Wishes()
    wishes.once = true
    #expect(sent(.wants(1, wishes)) == [.requestLocation()])
    #expect(sent(.wants(1, Wishes())) == [.stop(.standard)])
    _ = send(.wants(1, wishes))
    _ = send(.wants(2, standard(filter: 500)))
    #expect(sent(.wants(2, Wishes())) == [.stop(.standard), .requestLocation()])
  }

  @Test("A wake lasts for its budget, unless the app says that it is through")
  mutating func budget() {
    begin()
    _ = send(.message(.state(.background)))
    _ = send(location(delivery(1)))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
    #expect(sent(.finishedWork) == [.done])
  }

  @Test("Where it wants that, it is done once its delivery is finished, and it does not go on")
  mutating func done() {
    begin()
    _ = send(.endsWorkItself(1, false))
    _ = send(.message(.state(.background)))
    _ = send(location(delivery(1)))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1), .done])
    // Continues: standard updates are on.
    var more = significant
    more.standard = StandardRequest()
    _ = send(location(delivery(2)))
    _ = send(.wants(1, more))
    #expect(sent(.finished(ticket: 2)) == [.acknowledge(2)])
    // Reports it itself.
    _ = send(.wants(1, significant))
    _ = send(.endsWorkItself(1, true))
    _ = send(location(delivery(3)))
    #expect(sent(.finished(ticket: 3)) == [.acknowledge(3)])
    #expect(sent(.finishedWork) == [.done])
  }

  @Test("In the foreground there is no wake whose work could be done")
  mutating func foreground() {
    begin()
    _ = send(location(delivery(1)))
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
  }

  @Test("A manager that is forgotten stops no monitoring; what arrives waits for the next one")
  mutating func forgotten() {
    begin()
    #expect(sent(.left(1)) == [])
    #expect(send(location(delivery(1))) == [])
    _ = send(.joined(2))
    #expect(hearers(of: .wants(2, significant)) == [2])
    #expect(sent(.finished(ticket: 1)) == [.acknowledge(1)])
  }

  @Test("A relaunched app that no longer wants it stops what an earlier process began")
  mutating func stopsEarlier() {
    _ = send(welcome(0, reason: .location, state: .background))
    _ = send(location(delivery(1)))
    _ = send(.joined(1))
    #expect(sent(.stopsSignificant) == [.stop(.significant), .acknowledge(1)])
  }

  @Test("A stop while nobody listened is said at the next welcome")
  mutating func stoppedOffline() {
    begin()
    _ = send(.disconnected("gone"))
    #expect(sent(.wants(1, Wishes())) == [])
    #expect(sent(.stopsSignificant) == [])
    let again = ServerMessage.Welcome(
      release: "1", app: "walker", state: .active, authorization: .always, launchReason: nil,
      monitorsSignificantChanges: true, acknowledged: 0)
    #expect(sent(.message(.welcome(again))) == [.stop(.significant)])
  }

  @Test("Failed attempts to reach the daemon are told once, with code 0, and again after a welcome")
  mutating func complaint() {
    begin()
    let told = send(.disconnected("no daemon"))
    #expect(told == [.hand(.failure(CLError(.locationUnknown, "no daemon")), to: 1)])
    #expect(send(.disconnected("no daemon")) == [])
    _ = send(welcome())
    #expect(send(.disconnected("no daemon")).count == 1)
  }

  @Test("Updates that paused are asked for again although the wish is the same, and resume")
  mutating func pause() {
    _ = send(welcome())
    _ = send(.joined(1))
    _ = send(.wants(1, standard(filter: 10)))
    #expect(send(.message(.paused)) == [.hand(.paused, to: 1)])
    #expect(sent(.wants(1, standard(filter: 10), restarts: true)).count == 1)
    let actions = send(location(delivery(1, .standard)))
    #expect(actions.first == .hand(.resumed, to: 1))
    #expect(actions.count == 2)
  }
}
