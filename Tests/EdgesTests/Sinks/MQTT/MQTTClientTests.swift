// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceContract
import Synchronization
import Testing

@testable import Sinks

/// Helpers for tests of a client.
enum TestClient {
  static func client(
    _ way: MQTTWay, _ terms: MQTTSession.Terms = .init(),
    react: @escaping @Sendable (MQTTArrival) -> MQTTReaction = { _ in MQTTReaction() }
  ) -> MQTTClient {
    MQTTClient(terms, way: { () throws(SinkError) in way }, react: react)
  }

  /// Half a second for everything that otherwise takes 20 s.
  static let hasty = MQTTSession.Terms(patience: .init(connect: 0.5, acknowledge: 0.5, batch: 120))

  static func messages(_ range: ClosedRange<Int>, topic: String = "a/b") -> [MQTTMessage] {
    range.map {
      MQTTMessage(topic, Array("number \($0)".utf8), origin: .init(number: UInt64($0)))
    }
  }
}

/// The other side's requests.
final class Asked: Sendable {
  private let heard = Mutex<[SinkRequest]>([])

  var requests: [SinkRequest] { heard.withLock { $0 } }

  @Sendable func hear(_ request: SinkRequest) { heard.withLock { $0.append(request) } }
}

@Suite("A client at a real broker", .enabled(if: RealBroker.isThere, RealBroker.missing))
struct MQTTClientTests {
  @Test("A batch arrives whole and in order, and the connection is gone afterwards")
  func batch() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber()
    let client = TestClient.client(broker.way)
    let outcome = await client.publish(TestClient.messages(1...64))
    #expect(outcome.answer == .done(.five, unheard: nil))
    #expect(try ear.take(64) == (1...64).map { "a/b 1 0 number \($0)" })
    #expect(broker.log.contains("Client milepost0123456789abcde disconnected."))
    let other = try broker.subscriber()
    let second = await client.publish(TestClient.messages(65...65))
    #expect(second.answer == .done(.five, unheard: nil))
    #expect(try other.take(1) == ["a/b 1 0 number 65"])
  }

  /// By MQTT 5, chapters 2 and 3: CONNECT 2 + (6 + 1 + 1 + 2 + 1 + 3) + (2 + 23), of which 3 are a Receive Maximum;
  /// PUBLISH of 8 octets under a topic of 3 2 + (2 + 3 + 2 + 1 + 8); DISCONNECT 2. With TLS the record headers and
  /// the handshake come on top.
  @Test("Octets are those above TCP: CONNECT, PUBLISH and DISCONNECT by hand arithmetic")
  func traffic() async throws {
    let broker = try RealBroker()
    let client = TestClient.client(broker.way)
    for _ in 0..<3 {
      let outcome = await client.publish(TestClient.messages(1...1))
      #expect(outcome.answer == .done(.five, unheard: "a/b"), "nobody has subscribed: 0x10")
      #expect(outcome.traffic.up == 41 + 18 + 2)
      // PUBACK with a reason is 2 + 2 + 1 or, with the length of its properties, 2 + 2 + 2.
      #expect((12...24).contains(outcome.traffic.down))
    }
  }

  @Test("Who is not there, is not known or does not answer is named, and nothing is confirmed")
  func unreachable() async throws {
    let port = Loopback.freePort()
    for (host, words) in [
      ("localhost", "Connection refused"), ("127.0.0.1", "Connection refused"),
      ("no-such-host.invalid", "Name or service not known"),
    ] {
      let way = MQTTWay(host: host, port: port, clientID: "milepost1")
      let outcome = await TestClient.client(way).publish(TestClient.messages(1...2))
      guard case .failed(.unreachable(let found), 0) = outcome.answer else {
        Issue.record("\(host): \(outcome.answer)")
        continue
      }
      // A machine without a network cannot ask for names.
      #expect(found == words || found == "Temporary failure in name resolution")
    }
  }

  @Test("TLS: an authority of one's own is trusted, another's and a wrong name are not")
  func encrypted() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "certfile FOLDER/server.pem", "keyfile FOLDER/server.key"])
    var way = broker.way
    way.isEncrypted = true
    way.authorities = broker.folder + "/ca.pem"
    func answer() async -> MQTTSession.Answer {
      await TestClient.client(way).publish(TestClient.messages(1...3)).answer
    }
    for host in ["127.0.0.1", "localhost"] {
      way.host = host
      #expect(await answer() == .done(.five, unheard: "a/b"))
    }
    let untrusted = MQTTSession.Answer.failed(.untrusted("certificate verify failed"), confirmed: 0)
    way.authorities = broker.folder + "/other.pem"
    #expect(await answer() == untrusted)
    way.authorities = nil
    #expect(await answer() == untrusted, "the system knows no such authority")
    // The address is in no certificate of the broker's.
    way.authorities = broker.folder + "/ca.pem"
    way.host = "127.0.0.2"
    way.port = try Relay.port(to: broker.port)
    #expect(
      await answer() == .failed(.untrusted("its certificate is for another name"), confirmed: 0))
    way = broker.way
    #expect(await answer() == .failed(.unwelcome, confirmed: 0), "a broker of TLS is not asked so")
  }

  /// `require_certificate` and `use_identity_as_username`: mosquitto.conf(5).
  @Test("A broker that wants a certificate lets in who shows one of its authority, by its name")
  func certificate() async throws {
    let broker = try RealBroker([
      "certfile FOLDER/server.pem", "keyfile FOLDER/server.key", "cafile FOLDER/ca.pem",
      "require_certificate true", "use_identity_as_username true",
    ])
    var way = broker.way
    way.isEncrypted = true
    way.authorities = broker.folder + "/ca.pem"
    func answer() async -> MQTTSession.Answer {
      await TestClient.client(way).publish(TestClient.messages(1...3)).answer
    }
    way.certificate = ClientCertificate(
      certificate: broker.folder + "/client.pem", key: broker.folder + "/client.key")
    #expect(await answer() == .done(.five, unheard: "a/b"))
    #expect(broker.log.contains("u'van'"), "as whom we came: \(broker.log)")
    // In TLS 1.3 our CONNECT is sent before the broker has judged the certificate; if it closes the connection with
    // that unread, TCP may discard its alert (RFC 9293, 3.6.1).
    func expectRefusal(_ alert: String) async {
      let answer = await answer()
      #expect(
        answer == .failed(.unproven(alert), confirmed: 0)
          || answer == .failed(.unwelcome, confirmed: 0), "\(answer)")
    }
    way.certificate = nil
    await expectRefusal("tlsv13 alert certificate required")
    way.certificate = ClientCertificate(
      certificate: broker.folder + "/other.pem", key: broker.folder + "/other.key")
    await expectRefusal("tlsv1 alert unknown ca")
  }

  @Test("A proxy of SOCKS5 is asked for the broker by name, with and without TLS")
  func proxy() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "certfile FOLDER/server.pem", "keyfile FOLDER/server.key"])
    let plain = try RealBroker()
    for (target, isEncrypted) in [(plain, false), (broker, true)] {
      let asked = Mutex("")
      var way = target.way
      way.host = "localhost"
      way.isEncrypted = isEncrypted
      way.authorities = isEncrypted ? target.folder + "/ca.pem" : nil
      let port = try Relay.proxy(to: target.port) { name in asked.withLock { $0 = name } }
      way.proxy = .init(host: "127.0.0.1", port: port)
      let outcome = await TestClient.client(way).publish(TestClient.messages(1...3))
      #expect(outcome.answer == .done(.five, unheard: "a/b"))
      #expect(asked.withLock { $0 } == "localhost:\(target.port)")
    }
  }

  @Test("Trap 2: what an ACL denies is seen with MQTT 5")
  func denied() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"], files: ["acl": "topic readwrite open/#\n"])
    let client = TestClient.client(broker.way)
    let open = await client.publish(TestClient.messages(1...2, topic: "open/a"))
    #expect(open.answer == .done(.five, unheard: "open/a"))
    let messages =
      TestClient.messages(3...4, topic: "open/a") + TestClient.messages(5...6, topic: "closed/a")
    let denied = await client.publish(messages)
    #expect(denied.answer == .failed(.refused(2, MQTTReason(rawValue: 0x87)), confirmed: 2))
  }

  @Test("A wrong password is said, and is no reason to try 3.1.1")
  func wrongPassword() async throws {
    let broker = try RealBroker(
      ["allow_anonymous false", "password_file FOLDER/none"], files: ["none": ""])
    var way = broker.way
    (way.user, way.password) = ("van", "wrong")
    let outcome = await TestClient.client(way).publish(TestClient.messages(1...1))
    guard case .failed(.notLetIn(let reason), 0) = outcome.answer else {
      Issue.record("\(outcome.answer)")
      return
    }
    #expect(reason.fault == .refused)
    #expect(!broker.log.contains("p4"), "no client of 3.1.1 came")
  }

  @Test("Trap 9: a client whose broker is away for a while sends nothing twice on its own")
  func away() async throws {
    let broker = try RealBroker([
      "allow_anonymous true", "persistence true", "persistence_location FOLDER/",
    ])
    let ear = try broker.subscriber()
    let client = TestClient.client(broker.way)
    _ = await client.publish(TestClient.messages(1...2))
    broker.stop()
    for _ in 0..<3 {
      let outcome = await client.publish(TestClient.messages(3...5))
      #expect(outcome.answer == .failed(.unreachable("Connection refused"), confirmed: 0))
    }
    try broker.start()
    let outcome = await client.publish(TestClient.messages(3...5))
    #expect(outcome.answer == .done(.five, unheard: nil))
    #expect(
      try ear.takeAll(form: "%p") == (1...5).map { "number \($0)" }, "each once, in order")
  }

  /// The limit, and the used numbers, belong to the whole process; so this test has a separate process.
  @Test("Trap 9: the library's loop refuses descriptors from 1024 on; ours does not")
  func manyDescriptors() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 8_192)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let broker = try RealBroker()
      var last: Int32 = 0
      while (0..<1_100).contains(last) { last = open("/dev/null", O_RDONLY | O_CLOEXEC) }
      try #require(last >= 1_100)
      let outcome = await TestClient.client(broker.way).publish(TestClient.messages(1...3))
      #expect(outcome.answer == .done(.five, unheard: "a/b"))
      broker.stop()
    }
  }

  @Test(
    "What was asked while we were away is heard at the next batch, also after the broker restarted")
  func commands() async throws {
    let broker = try RealBroker([
      "allow_anonymous true", "persistence true", "persistence_location FOLDER/",
    ])
    var way = broker.way
    way.keepsSession = true
    let heard = Mutex<[MQTTArrival]>([])
    let client = TestClient.client(way, .init(subscriptions: ["a/b/cmd"])) { arrival in
      heard.withLock { $0.append(arrival) }
      return MQTTReaction(requests: [.reportLocation])
    }
    let asked = Asked()
    client.listen(asked.hear)
    _ = await client.publish(TestClient.messages(1...1))
    #expect(asked.requests.isEmpty)
    try broker.publish("a/b/cmd", "now")
    broker.stop()
    try broker.start()
    _ = await client.publish(TestClient.messages(2...2))
    #expect(asked.requests == [.reportLocation])
    #expect(
      heard.withLock { $0 }
        == [MQTTArrival(topic: "a/b/cmd", payload: Array("now".utf8), isRetained: false)])
  }

  @Test("A held connection hears at once, and its last will stands when it ends without a word")
  func held() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("will/#")
    var way = broker.way
    way.keepAlive = 60
    way.keepsSession = true
    way.will = MQTTMessage("will/a", Array("offline".utf8), isRetained: true)
    var client: MQTTClient? = TestClient.client(
      way,
      .init(
        isHeld: true, subscriptions: ["cmd"],
        greetings: [MQTTMessage("will/a", Array("online".utf8), isRetained: true)])
    ) { _ in MQTTReaction(requests: [.reportLocation]) }
    let (requests, teller) = AsyncStream<SinkRequest>.makeStream()
    client?.listen { teller.yield($0) }
    let outcome = await client?.publish(TestClient.messages(1...1))
    #expect(outcome?.answer == .done(.five, unheard: "a/b"))
    try broker.publish("cmd", "now")
    var iterator = requests.makeAsyncIterator()
    #expect(await iterator.next() == .reportLocation)
    #expect(!broker.log.contains("milepost0123456789abcde disconnected"))
    client = nil
    #expect(try ear.take(2, form: "%p") == ["online", "offline"])
  }

  @Test("A broker that stands still is given up, and gets all of it when it goes on")
  func frozen() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber()
    broker.freeze(true)
    let outcome = await TestClient.client(broker.way, TestClient.hasty).publish(
      TestClient.messages(1...2))
    #expect(outcome.answer == .failed(.mute(0.5), confirmed: 0))
    broker.freeze(false)
    // With the usual patience: it has two dead connections to clear away first.
    let outcomeLater = await TestClient.client(broker.way).publish(TestClient.messages(1...2))
    #expect(outcomeLater.answer == .done(.five, unheard: nil))
    #expect(try ear.take(2, form: "%p") == ["number 1", "number 2"])
  }
}

@Suite("A client at a broker made by hand")
struct MQTTStandInTests {
  private static func way(_ broker: StandInBroker) -> MQTTWay {
    MQTTWay(host: "127.0.0.1", port: broker.port, clientID: "milepost0123456789abcde")
  }

  @Test(
    "Trap 2: a broker of 3.1.1 only is found out by 5 first, then 3.1.1, then 3.1.1 at once",
    arguments: [StandInBroker.Manner.threeOnly, .threeOnlyInWords])
  func threeOnly(manner: StandInBroker.Manner) async throws {
    let broker = StandInBroker(manner)
    defer { broker.stop() }
    let client = TestClient.client(Self.way(broker))
    let first = await client.publish(TestClient.messages(1...20))
    #expect(first.answer == .done(.three, unheard: nil))
    let second = await client.publish(TestClient.messages(21...21))
    #expect(second.answer == .done(.three, unheard: nil))
    #expect(broker.seen.level == [5, 4, 4])
    #expect(broker.seen.payloads == (1...21).map { "number \($0)" })
    #expect(Set(broker.seen.clientIDs) == ["milepost0123456789abcde"])
  }

  @Test("Who ends every connection is no broker; who says nothing is given up")
  func silent() async {
    let slamming = StandInBroker(.slamming)
    defer { slamming.stop() }
    let closed = await TestClient.client(Self.way(slamming)).publish(TestClient.messages(1...1))
    #expect(closed.answer == .failed(.unwelcome, confirmed: 0))
    let mute = StandInBroker(.mute)
    defer { mute.stop() }
    let silent = await TestClient.client(Self.way(mute), TestClient.hasty).publish(
      TestClient.messages(1...1))
    #expect(silent.answer == .failed(.mute(0.5), confirmed: 0))
  }

  @Test("Trap 4: a message that ends the connection is found by itself, and those behind it go on")
  func poison() async {
    let broker = StandInBroker(.chokesOn("number 3"))
    defer { broker.stop() }
    let client = TestClient.client(Self.way(broker))
    let first = await client.publish(TestClient.messages(1...5))
    guard case .failed(.ended(nil), let confirmed) = first.answer else {
      Issue.record("\(first.answer)")
      return
    }
    // Acknowledgements of the first two may be lost with the connection.
    #expect(confirmed <= 2)
    let second = await client.publish(TestClient.messages(3...5))
    // The first end may have been attributed to an earlier message.
    if second.answer == .failed(.ended(nil), confirmed: 0) {
      let third = await client.publish(TestClient.messages(3...5))
      #expect(third.answer == .failed(.choked(0), confirmed: 0))
    } else {
      #expect(second.answer == .failed(.choked(0), confirmed: 0))
    }
    let rest = await client.publish(TestClient.messages(4...5))
    #expect(rest.answer == .done(.three, unheard: nil))
  }

  @Test(
    "Half of a batch acknowledged is half of it passed, and what comes again bears the same number")
  func half() async {
    let broker = StandInBroker(.acknowledges(3))
    defer { broker.stop() }
    let client = TestClient.client(Self.way(broker), TestClient.hasty)
    let messages = TestClient.messages(1...5)
    let first = await client.publish(messages)
    #expect(first.answer == .failed(.unacknowledged(0.5), confirmed: 3))
    #expect(MQTTSession.Work.passed(3, of: messages) == 3)
    let second = await client.publish(TestClient.messages(4...5))
    #expect(second.answer == .done(.three, unheard: nil))
    #expect(
      broker.seen.payloads == [1, 2, 3, 4, 5, 4, 5].map { "number \($0)" }
        && broker.seen.duplicates == 0, "the library sent none of them again on its own")
  }

  @Test("A batch that is recalled publishes nothing more")
  func recalled() async {
    let broker = StandInBroker(.acknowledges(.max))
    defer { broker.stop() }
    let client = TestClient.client(Self.way(broker))
    let batch = Task { await client.publish(TestClient.messages(1...5_000)) }
    batch.cancel()
    guard case .failed(.recalled, let confirmed) = await batch.value.answer else {
      Issue.record("it was not recalled")
      return
    }
    #expect(broker.seen.payloads.count == confirmed)
    let next = await client.publish(TestClient.messages(1...1))
    #expect(next.answer == .done(.three, unheard: nil))
  }
}
