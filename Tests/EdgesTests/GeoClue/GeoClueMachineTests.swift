// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import MessageBus

@Suite("Being GeoClue on a bus")
struct GeoClueMachineTests {
  private typealias Action = GeoClueMachine.Action

  private static func call(_ token: UInt64, from sender: String = ":1.5") -> GeoClueCall {
    GeoClueCall(
      token: token, sender: sender, path: "/org/freedesktop/GeoClue2/Manager",
      interface: "org.freedesktop.GeoClue2.Manager", member: "GetClient", signature: "",
      arguments: [])
  }

  private func serving() -> GeoClueMachine {
    var machine = GeoClueMachine(user: 1_000)
    #expect(machine.handle(.begin, at: 0) == [.open])
    #expect(machine.handle(.opened, at: 0) == [.ask(.hello), .ask(.name)])
    #expect(machine.handle(.answer(.done, to: .hello), at: 0) == [])
    #expect(
      machine.handle(.answer(.number(1), to: .name), at: 0)
        == [.say(.answering(true, "programs that ask GeoClue are answered"))])
    return machine
  }

  @Test("A call waits until it is known whose it is; only the own user's are answered")
  func callers() {
    var machine = serving()
    #expect(
      machine.handle(.call(Self.call(1)), at: 1) == [.ask(.follow(":1.5")), .ask(.user(":1.5"))])
    #expect(machine.handle(.call(Self.call(2)), at: 1) == [])
    let client = BusValue.path("/org/freedesktop/GeoClue2/Client/1")
    #expect(
      machine.handle(.answer(.number(1_000), to: .user(":1.5")), at: 1)
        == [.answer(1, [client]), .answer(2, [client])])
    _ = machine.handle(.call(Self.call(3, from: ":1.6")), at: 2)
    #expect(
      machine.handle(.answer(.number(1_001), to: .user(":1.6")), at: 2)
        == [.refuse(3, .foreign(1_001, own: 1_000)), .ask(.unfollow(":1.6"))])
    #expect(
      BusRefusal.foreign(1_001, own: 1_000).text
        == "this milepostd tells user 1000 where the device is, and you are user 1001")
    #expect(machine.handle(.left(":1.5"), at: 3) == [.ask(.unfollow(":1.5"))])
    #expect(machine.handle(.left(":1.5"), at: 3) == [])
  }

  @Test("A caller that has gone before its user is known is forgotten, with what it called")
  func gone() {
    var machine = serving()
    _ = machine.handle(.call(Self.call(1)), at: 1)
    #expect(
      machine.handle(
        .answer(.refused(name: "…NameHasNoOwner", text: ""), to: .user(":1.5")), at: 1)
        == [.drop(1), .ask(.unfollow(":1.5"))])
    #expect(
      machine.handle(.call(Self.call(2)), at: 1) == [.ask(.follow(":1.5")), .ask(.user(":1.5"))])
    _ = machine.handle(.call(Self.call(3)), at: 1)
    #expect(
      machine.handle(.left(":1.5"), at: 1) == [.drop(2), .drop(3), .ask(.unfollow(":1.5"))])
    #expect(machine.handle(.answer(.number(1_000), to: .user(":1.5")), at: 1) == [])
  }

  @Test("However many of another user's programs ask, the own one is answered")
  func crowd() {
    var machine = serving()
    for number in 0..<300 {
      let sender = ":9.\(number)"
      _ = machine.handle(.call(Self.call(UInt64(number), from: sender)), at: 1)
      _ = machine.handle(.answer(.number(1_001), to: .user(sender)), at: 1)
    }
    #expect(
      machine.handle(.call(Self.call(400)), at: 2) == [.ask(.follow(":1.5")), .ask(.user(":1.5"))])
  }

  @Test("More than can be kept at once is refused, and it is said of what there is too much")
  func limits() {
    var machine = serving()
    for number in 0..<UInt64(32) { _ = machine.handle(.call(Self.call(number)), at: 1) }
    #expect(machine.handle(.call(Self.call(32)), at: 1) == [.refuse(32, .tooManyCalls(32))])
    #expect(
      BusRefusal.tooManyCalls(32).text
        == "32 calls of this program wait already; wait for their answers")
    for number in 0..<255 {
      _ = machine.handle(.call(Self.call(1, from: ":2.\(number)")), at: 1)
    }
    #expect(
      machine.handle(.call(Self.call(33, from: ":3.1")), at: 1)
        == [.refuse(33, .tooManyPrograms(256))])
    #expect(
      BusRefusal.tooManyPrograms(256).text
        == "256 programs are served at once, and more are not; end some")
  }

  @Test("Where GeoClue runs its end is waited for, without a deadline")
  func queue() {
    var machine = GeoClueMachine(user: 1_000)
    _ = machine.handle(.begin, at: 0)
    _ = machine.handle(.opened, at: 0)
    #expect(
      machine.handle(.answer(.number(2), to: .name), at: 0) == [
        .say(
          .answering(
            false,
            "programs that ask GeoClue are answered by GeoClue itself, which runs; Milepost answers when it "
              + "ends, 60 s after its last client, or at once after: sudo systemctl stop geoclue"))
      ])
    #expect(machine.deadline == nil)
    #expect(
      machine.handle(.name(isOurs: true), at: 60)
        == [.say(.answering(true, "programs that ask GeoClue are answered"))])
  }

  @Test("A bus that forbids the name is told once, with what to do, and not asked again")
  func forbidden() {
    var machine = GeoClueMachine(user: 1_000)
    _ = machine.handle(.begin, at: 0)
    _ = machine.handle(.opened, at: 0)
    let refused = GeoClueMachine.Answer.refused(name: "…AccessDenied", text: "not allowed")
    #expect(
      machine.handle(.answer(refused, to: .name), at: 0) == [
        .say(
          .answering(
            false,
            "programs that ask GeoClue are not answered: the system bus does not let this user have the "
              + "name org.freedesktop.GeoClue2 (not allowed); milepostd's documentation, \"Programs that "
              + "ask GeoClue or gpsd\", says what root puts into /etc/dbus-1/system.d; restart milepostd "
              + "then"))
      ])
    #expect(machine.deadline == nil)
  }

  //  failed ── 10 s ── failed ── 20 s ── … at most 600 s
  @Test("A bus that is gone is tried again with pauses; its clients are gone with it")
  func pauses() {
    var machine = serving()
    _ = machine.handle(.call(Self.call(1)), at: 1)
    _ = machine.handle(.answer(.number(1_000), to: .user(":1.5")), at: 1)
    #expect(
      machine.handle(.failed("it ended the connection"), at: 5) == [
        .close,
        .say(
          .answering(
            false,
            "programs that ask GeoClue are not answered: the system bus: it ended the connection; tried "
              + "again in 10 s")),
      ])
    var pauses: [Double] = []
    var now = 5.0
    for _ in 0..<9 {
      let due = machine.deadline ?? 0
      pauses.append(due - now)
      now = due
      #expect(machine.handle(.timePassed, at: now) == [.open])
      _ = machine.handle(.failed("no"), at: now)
    }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 600, 600, 600])
    _ = machine.handle(.timePassed, at: now + 600)
    _ = machine.handle(.opened, at: now + 600)
    _ = machine.handle(.answer(.number(1), to: .name), at: now + 600)
    _ = machine.handle(.call(Self.call(2)), at: now + 600)
    // Numbers continue: none is used twice.
    #expect(
      machine.handle(.answer(.number(1_000), to: .user(":1.5")), at: now + 600)
        == [.answer(2, [.path("/org/freedesktop/GeoClue2/Client/2")])])
  }
}
