// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import Sinks

/// One event a line: the session's inputs, and its commands.
@Suite("What is done next on a connection to a broker")
struct MQTTSessionTests {
  private typealias Session = MQTTSession

  private static func messages(_ range: ClosedRange<UInt64>) -> [MQTTMessage] {
    range.map { MQTTMessage("t", [], origin: .init(number: $0)) }
  }

  private static func publish(_ range: Range<Int>) -> [Session.Command] {
    range.map { .publish($0) }
  }

  @Test("A batch: connect, publish, wait for every acknowledgement, say goodbye, answer")
  func batch() {
    var session = Session(.init())
    #expect(
      session.handle(.batch(Self.messages(1...3)), at: 0) == [.connect(.five, isIPv4Only: false)])
    #expect(session.handle(.connected(.init()), at: 1) == Self.publish(0..<3))
    #expect(session.handle(.acknowledged(1, .success), at: 2) == [], "two came before one")
    #expect(session.work?.confirmed == 0)
    #expect(session.handle(.acknowledged(0, .success), at: 2) == [])
    #expect(session.work?.confirmed == 2)
    #expect(
      session.handle(.acknowledged(2, .success), at: 2)
        == [.disconnect(willStands: false), .answer(.done(.five, unheard: nil))])
    #expect(session.state == .idle && session.isFree && session.deadline == nil)
  }

  @Test("At most 16 are on their way, and no more than the broker takes at once")
  func limits() {
    for (maximum, limit) in [(65_535, 16), (3, 3), (16, 16), (1, 1)] {
      var session = Session(.init())
      _ = session.handle(.batch(Self.messages(1...40)), at: 0)
      #expect(
        session.handle(.connected(.init(receiveMaximum: maximum)), at: 0)
          == Self.publish(0..<limit))
      #expect(
        session.handle(.acknowledged(0, .success), at: 0) == Self.publish(limit..<(limit + 1)))
    }
  }

  @Test(
    "Trap 2: 5 first, and 3.1.1 where the broker ends the connection, or says that it knows no 5")
  func fallback() {
    for refusal in [Session.Input.closed(nil), .notLetIn(.versionUnsupported)] {
      var session = Session(.init())
      _ = session.handle(.batch(Self.messages(1...1)), at: 0)
      #expect(session.handle(refusal, at: 1) == [.abandon, .connect(.three, isIPv4Only: false)])
      #expect(session.deadline == 21)
      #expect(session.handle(.connected(.init()), at: 2) == Self.publish(0..<1))
      _ = session.handle(.acknowledged(0, .success), at: 3)
      #expect(
        session.handle(.batch(Self.messages(2...2)), at: 9) == [
          .connect(.three, isIPv4Only: false)
        ],
        "what worked comes first")
      #expect(
        session.handle(.closed(nil), at: 9) == [
          .abandon, .answer(.failed(.unwelcome, confirmed: 0)),
        ])
      #expect(
        session.handle(.batch(Self.messages(2...2)), at: 10) == [
          .connect(.five, isIPv4Only: false)
        ],
        "it works no more: perhaps the broker knows 5 by now")
    }
  }

  @Test(
    "Trap 2: a broker of 3.1.1 that is silent to 5 is asked again; a host that is not there is not")
  func silence() {
    var session = Session(.init())
    _ = session.handle(.batch(Self.messages(1...1)), at: 0)
    _ = session.handle(.reached, at: 1)
    #expect(
      session.handle(.timePassed, at: 20) == [.abandon, .connect(.three, isIPv4Only: false)])
    _ = session.handle(.reached, at: 21)
    #expect(
      session.handle(.timePassed, at: 40) == [.abandon, .answer(.failed(.mute(20), confirmed: 0))])
    #expect(session.version == .five)
    _ = session.handle(.batch(Self.messages(1...1)), at: 50)
    #expect(
      session.handle(.timePassed, at: 70) == [.abandon, .answer(.failed(.mute(20), confirmed: 0))],
      "it was never reached")
  }

  @Test("Where an address of IPv6 is not reached, IPv4 is tried once")
  func families() {
    var session = Session(.init())
    let trouble = MQTTTrouble.unreachable("Connection refused")
    _ = session.handle(.batch([]), at: 0)
    #expect(
      session.handle(.failed(trouble, isIPv6: true), at: 0)
        == [.abandon, .connect(.five, isIPv4Only: true)])
    #expect(
      session.handle(.failed(trouble, isIPv6: false), at: 0)
        == [.abandon, .answer(.failed(trouble, confirmed: 0))])
    _ = session.handle(.batch([]), at: 1)
    let untrusted = MQTTTrouble.untrusted("certificate verify failed")
    #expect(
      session.handle(.failed(untrusted, isIPv6: true), at: 1)
        == [.abandon, .answer(.failed(untrusted, confirmed: 0))],
      "another address is not to be trusted more")
  }

  //  1 2 ─ recalled ─ both acknowledged │ 3 … 40 do not go
  @Test("Of a batch that is recalled nothing more is published, and what was has its answer")
  func recalled() {
    var session = Session(.init())
    _ = session.handle(.batch(Self.messages(1...40)), at: 0)
    _ = session.handle(.connected(.init(receiveMaximum: 2)), at: 0)
    #expect(session.handle(.recall, at: 1) == [])
    #expect(session.handle(.reply(Self.messages(50...50)), at: 1) == [])
    #expect(session.handle(.acknowledged(0, .success), at: 1) == [])
    #expect(
      session.handle(.acknowledged(1, .success), at: 1)
        == [.disconnect(willStands: false), .answer(.failed(.recalled, confirmed: 2))])
    // Before it has begun, and after it is over.
    _ = session.handle(.batch(Self.messages(1...3)), at: 2)
    #expect(session.handle(.recall, at: 2) == [])
    #expect(
      session.handle(.connected(.init()), at: 3)
        == [.disconnect(willStands: false), .answer(.failed(.recalled, confirmed: 0))])
    #expect(session.handle(.recall, at: 4) == [])
  }

  @Test(
    "A refusal in the middle ends the batch; what was confirmed in one piece before it has passed")
  func refusal() {
    var session = Session(.init())
    let messages = Self.messages(5...9)
    _ = session.handle(.batch(messages), at: 0)
    _ = session.handle(.connected(.init()), at: 0)
    for place in [0, 1, 3] { _ = session.handle(.acknowledged(place, .success), at: 0) }
    let denied = MQTTReason(rawValue: 0x87)
    #expect(
      session.handle(.acknowledged(2, denied), at: 0)
        == [.abandon, .answer(.failed(.refused(2, denied), confirmed: 2))])
    #expect(session.handle(.acknowledged(4, .success), at: 0) == [], "too late to matter")
    #expect(Session.Work.passed(2, of: messages) == 6)
  }

  //   delivery 7: event, position    delivery 8: position
  @Test("A delivery has passed when all its messages are acknowledged")
  func passed() {
    let messages = [(7, 0), (7, 1), (8, 0)].map {
      MQTTMessage("t", [], origin: .init(number: $0.0, part: $0.1))
    }
    #expect((0...3).map { Session.Work.passed($0, of: messages) } == [nil, nil, 7, 8])
    let greeting = [MQTTMessage("config", [])] + messages
    #expect((0...4).map { Session.Work.passed($0, of: greeting) } == [nil, nil, nil, 7, 8])
  }

  @Test(
    "A trial before the first batch holds no connection; one on a held connection leaves it open")
  func trial() {
    var session = Session(.init(isHeld: true))
    _ = session.handle(.batch([]), at: 0)
    #expect(
      session.handle(.connected(.init()), at: 1) == [
        .disconnect(willStands: false), .answer(.done(.five, unheard: nil)),
      ])
    #expect(session.state == .idle)
    _ = session.handle(.batch([]), at: 2)
    _ = session.handle(.failed(.unreachable("no"), isIPv6: false), at: 3)
    #expect(session.state == .idle && session.deadline == nil, "it is not tried again")
    _ = session.handle(.batch(Self.messages(1...1)), at: 4)
    _ = session.handle(.connected(.init()), at: 5)
    _ = session.handle(.acknowledged(0, .success), at: 6)
    #expect(
      session.handle(.batch([]), at: 7) == [.answer(.done(.five, unheard: nil))])
    #expect(session.deadline == nil)
  }

  @Test("No answer for 20 s ends the way in; no acknowledgement for 20 s, or 120 s in all, a batch")
  func patience() {
    var session = Session(.init())
    _ = session.handle(.batch(Self.messages(1...40)), at: 100)
    #expect(session.deadline == 120)
    #expect(session.handle(.timePassed, at: 119.9) == [])
    #expect(
      session.handle(.timePassed, at: 120) == [.abandon, .answer(.failed(.mute(20), confirmed: 0))])

    _ = session.handle(.batch(Self.messages(1...40)), at: 200)
    _ = session.handle(.connected(.init(receiveMaximum: 1)), at: 201)
    #expect(session.deadline == 221)
    for second in 0..<6 {
      _ = session.handle(.acknowledged(second, .success), at: 220 + Double(second) * 19)
    }
    #expect(session.deadline == 320, "six came, each within 20 s, but 120 s are near")
    #expect(
      session.handle(.timePassed, at: 320) == [
        .abandon, .answer(.failed(.slow(120), confirmed: 6)),
      ])

    _ = session.handle(.batch(Self.messages(1...2)), at: 400)
    _ = session.handle(.connected(.init()), at: 400)
    #expect(
      session.handle(.timePassed, at: 420)
        == [.abandon, .answer(.failed(.unacknowledged(20), confirmed: 0))])
  }

  @Test(
    "Trap 4: who ends the connection at the same message twice, the second time alone, chokes on it"
  )
  func poison() {
    var session = Session(.init())
    func connect(at now: Double) -> [Session.Command] {
      _ = session.handle(.batch(Self.messages(3...6)), at: now)
      return session.handle(.connected(.init()), at: now)
    }
    #expect(connect(at: 0) == Self.publish(0..<4))
    #expect(
      session.handle(.closed(nil), at: 1) == [
        .abandon, .answer(.failed(.ended(nil), confirmed: 0)),
      ])
    #expect(connect(at: 2) == Self.publish(0..<1), "the suspect goes alone")
    #expect(
      session.handle(.closed(nil), at: 3) == [.abandon, .answer(.failed(.choked(0), confirmed: 0))])

    #expect(connect(at: 4) == Self.publish(0..<4))
    _ = session.handle(.closed(nil), at: 5)
    #expect(connect(at: 6) == Self.publish(0..<1))
    #expect(
      session.handle(.acknowledged(0, .success), at: 7) == Self.publish(1..<4),
      "it was not this one: the others go together again")
    #expect(session.suspect == nil)
    #expect(
      session.handle(.closed(MQTTReason(rawValue: 0x8b)), at: 8)
        == [.abandon, .answer(.failed(.ended(MQTTReason(rawValue: 0x8b)), confirmed: 1))])
    #expect(session.suspect == nil, "a broker that says why it goes chokes on nothing")
  }

  @Test("A held connection stays when a batch is done, and comes back after 30 s, 1, 2 … 30 min")
  func held() {
    let greeting = MQTTMessage("availability", Array("online".utf8), isRetained: true)
    var session = Session(.init(isHeld: true, subscriptions: ["cmd"], greetings: [greeting]))
    _ = session.handle(.batch(Self.messages(1...1)), at: 0)
    #expect(
      session.handle(.connected(.init()), at: 0) == [
        .greet(greeting), .subscribe("cmd"), .publish(0),
      ])
    #expect(
      session.handle(.acknowledged(0, .success), at: 0) == [], "the subscription is not answered")
    #expect(
      session.handle(.subscribed(.success), at: 0) == [.answer(.done(.five, unheard: nil))])
    #expect(session.deadline == nil)
    #expect(session.handle(.reply(Self.messages(1...1)), at: 5) == [.publish(0)])
    #expect(
      session.handle(.acknowledged(0, .success), at: 5) == [
        .answer(.done(.five, unheard: nil))
      ])
    #expect(session.handle(.batch(Self.messages(2...2)), at: 6) == [.publish(0)])
    _ = session.handle(.acknowledged(0, .success), at: 6)
    #expect(session.handle(.closed(nil), at: 100) == [.abandon])
    var now = 130.0
    for (index, pause) in [60.0, 120, 240, 480, 960, 1_800, 1_800].enumerated() {
      #expect(session.deadline == now, "try \(index)")
      #expect(session.handle(.timePassed, at: now) == [.connect(.five, isIPv4Only: false)])
      #expect(session.handle(.failed(.unreachable("x"), isIPv6: false), at: now) == [.abandon])
      now += pause
    }
    #expect(session.handle(.batch([]), at: now - 1) == [.connect(.five, isIPv4Only: false)])
    #expect(
      session.handle(.connected(.init(hasSession: true)), at: now)
        == [.greet(greeting), .answer(.done(.five, unheard: nil))],
      "the broker still knows the subscription")
    #expect(session.handle(.leave, at: now) == [.disconnect(willStands: true)])
  }

  @Test("A subscription that was not answered, or was refused, is asked for on the next connection")
  func subscription() {
    var session = Session(.init(subscriptions: ["cmd"]))
    let both = [Session.Command.subscribe("cmd"), .publish(0)]
    func connect(_ number: UInt64, hasSession: Bool) -> [Session.Command] {
      _ = session.handle(.batch(Self.messages(number...number)), at: 0)
      return session.handle(.connected(.init(hasSession: hasSession)), at: 0)
    }
    #expect(connect(1, hasSession: false) == both)
    // It ends before the broker has seen the subscription; the session exists all the same.
    _ = session.handle(.closed(MQTTReason(rawValue: 0x8b)), at: 1)
    #expect(connect(2, hasSession: true) == both)
    let denied = MQTTReason(rawValue: 0x87)
    _ = session.handle(.subscribed(denied), at: 1)
    #expect(
      session.handle(.acknowledged(0, .success), at: 1).last
        == .answer(.done(.five, unheard: nil, refusal: denied)))
    #expect(connect(3, hasSession: true) == both)
    _ = session.handle(.subscribed(.success), at: 1)
    _ = session.handle(.acknowledged(0, .success), at: 1)
    #expect(connect(4, hasSession: true) == [.publish(0)])
    _ = session.handle(.acknowledged(0, .success), at: 1)
    #expect(connect(5, hasSession: false) == both, "a broker that has lost the session")
  }

  @Test("What comes where nothing is under way changes nothing")
  func stray() {
    var session = Session(.init())
    for input in [
      Session.Input.closed(nil), .acknowledged(0, .success), .subscribed(.success), .timePassed,
      .connected(.init()), .reply(Self.messages(1...1)),
    ] {
      #expect(session.handle(input, at: 5) == [])
      #expect(session == Session(.init()))
    }
  }
}
