// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocationModel
import ServiceContract

/// The settings shared by sinks over MQTT, and the reports of outcomes.
struct MQTTAccess: Sendable, Equatable {
  let broker: Endpoint
  let login: Login
  let clientID: String
  /// Whether the connection is held open (`keep_connected`).
  let isHeld: Bool
  /// The keep-alive interval of a held connection, seconds.
  let keepAlive: Int

  /// Reads all its keys, so that each is known; `nil` without a broker. `kind` and `topic` make the client's id, if none
  /// is stated: it is unique among the sinks of this machine.
  init?(
    _ broker: Endpoint?, _ login: Login, reading table: inout SettingsTable, kind: String,
    topic: String
  ) {
    let isHeld = table.bool("keep_connected") ?? false
    let keepAlive = table.number("keepalive_s", in: 5...65_535, unit: "seconds")
    if table.states("keepalive_s"), !isHeld {
      table.noteProblem(
        at: "keepalive_s", "without keep_connected = true, there is nothing to keep alive")
    }
    if let broker { login.check(forBroker: broker, &table) }
    let stated = table.string("client_id")
    if let stated, !Self.isClientID(stated) {
      table.noteProblem(
        at: "client_id", "'\(SettingsTable.shortened(stated))' is not 1 to 65535 bytes of text")
    }
    guard let broker else { return nil }
    self.broker = broker
    self.login = login
    self.isHeld = isHeld
    self.keepAlive = Int(keepAlive ?? 600)
    clientID = stated ?? Self.clientID(host: Self.hostName, kind: kind, topic: topic)
  }

  private static func isClientID(_ text: String) -> Bool {
    (1...65_535).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
  }

  /// 23 letters and digits, which every broker accepts (MQTT 5, 3.1.3.1): always the same for the same sink.
  static func clientID(host: String, kind: String, topic: String) -> String {
    // FNV-1a, 64 bits; of the result 60 are used.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(host)\u{0}\(kind)\u{0}\(topic)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash & 0x0fff_ffff_ffff_ffff, radix: 16)
    return "milepost" + String(repeating: "0", count: 15 - digits.count) + digits
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static var now: UTCInstant {
    var time = timespec()
    _ = clock_gettime(CLOCK_REALTIME, &time)
    return UTCInstant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// The parameters of one connection, with the current password from its file.
  func way(keepsSession: Bool, will: MQTTMessage?) throws(SinkError) -> MQTTWay {
    var way = MQTTWay(host: broker.host, port: broker.port, clientID: clientID)
    way.isEncrypted = broker.scheme.isEncrypted
    way.user = login.user
    way.password = try login.password?.readSecret()
    way.authorities = login.authorities
    try login.checkTLS()
    way.certificate = login.certificate
    way.proxy = login.proxy.map { MQTTWay.Proxy(host: $0.host, port: $0.port) }
    way.keepAlive = isHeld ? keepAlive : 60
    way.keepsSession = keepsSession
    way.will = will
    return way
  }

  func client(
    subscribing topics: [String] = [], greeting: [MQTTMessage] = [],
    will: @escaping @Sendable () -> MQTTMessage? = { nil },
    react: @escaping @Sendable (MQTTArrival) -> MQTTReaction = { _ in MQTTReaction() }
  ) -> MQTTClient {
    let terms = MQTTSession.Terms(
      isHeld: isHeld, subscriptions: topics, greetings: isHeld ? greeting : [])
    let (access, keepsSession) = (self, !topics.isEmpty)
    return MQTTClient(
      terms,
      way: { () throws(SinkError) in
        try access.way(keepsSession: keepsSession, will: access.isHeld ? will() : nil)
      },
      react: react)
  }

  /// The receipt of a published batch for the service; `expectsSilence`: whether it is usual that nobody listens to a
  /// topic.
  func receipt(
    for outcome: MQTTOutcome, _ messages: [MQTTMessage],
    expectsSilence: (String) -> Bool = { _ in false }
  ) throws(SinkError) -> SinkReceipt {
    switch outcome.answer {
    case .done(_, let unheard, let refusal):
      var notes: [String] = []
      if let unheard, !expectsSilence(unheard) {
        notes.append("\(broker.place): nobody listens to '\(unheard)' (0x10)")
      }
      if let refusal { notes.append("\(broker.place): \(Self.words(refusal))") }
      return SinkReceipt(traffic: outcome.traffic, notes: notes)
    case .failed(let trouble, let confirmed):
      throw error(
        trouble, messages, passed: MQTTSession.Work.passed(confirmed, of: messages),
        outcome.traffic)
    }
  }

  /// The observations of a trial, as one sentence; `topic` is the topic of `messages`.
  func sentence(
    for outcome: MQTTOutcome, _ messages: [MQTTMessage], topic: String
  ) throws(SinkError) -> String {
    switch outcome.answer {
    case .done(let version, let unheard, let refusal):
      let who = login.user.map { " as \($0)" } ?? ""
      let heard = refusal.map { ", but \(Self.words($0))" } ?? ""
      let entry = "\(broker.place) lets us in\(who) with \(version.words)\(heard)"
      if messages.isEmpty {
        return "\(entry); whether it takes '\(topic)' is seen with the first position"
      }
      guard version == .five else {
        return "\(entry), which does not tell whether it takes '\(topic)'"
      }
      return "\(entry) and takes '\(topic)'\(unheard == nil ? "" : ", to which nobody listens now")"
    case .failed(let trouble, _): throw error(trouble, messages, passed: nil, outcome.traffic)
    }
  }

  /// What a refused subscription means.
  private static func words(_ refusal: MQTTReason) -> String {
    "nothing can be asked of us there, since we may not subscribe: \(refusal.words)"
  }

  private func error(
    _ trouble: MQTTTrouble, _ messages: [MQTTMessage], passed: UInt64?, _ traffic: SinkTraffic
  ) -> SinkError {
    let words = trouble.words(at: broker.place) { index in
      messages.indices.contains(index) ? messages[index].topic : ""
    }
    let isTried = if case .notReady = trouble { false } else { true }
    return SinkError(words, trouble.fault, passed: passed, traffic: isTried ? traffic : nil)
  }
}

extension Login {
  fileprivate static let brokerProxies: [Endpoint.Scheme] = [.socks5, .socks5h]

  /// Notes what no broker has, or MQTT does not know.
  fileprivate func check(forBroker broker: Endpoint, _ table: inout SettingsTable) {
    if !broker.path.isEmpty, broker.path != "/" {
      table.noteProblem(at: "url", "has '\(broker.path)' behind the host; a broker has no paths")
    }
    checkCertificate(for: broker, &table)
    if token != nil {
      table.noteProblem(at: "token_file", "MQTT knows user and password_file only")
    }
    if let proxy, !Self.brokerProxies.contains(proxy.scheme) {
      table.noteProblem(at: "proxy", "MQTT goes through a proxy of socks5:// only")
    }
  }
}

/// The parameters of one connection to a broker: they include the password, so they are made anew for each.
struct MQTTWay: Sendable, Equatable {
  /// Seconds for which a broker keeps a session, and with it the messages for us: 30 days [ours].
  static let sessionExpiry: UInt32 = 2_592_000

  struct Proxy: Sendable, Equatable {
    var host: String
    var port: Int
  }

  var host: String
  var port: Int
  var isEncrypted = false
  /// Always the same; two clients with the same id end each other's connection.
  var clientID: String
  var user: String?
  var password: String?
  /// PEM certificates that are trusted in place of the system's.
  var authorities: String?
  /// Our certificate, for a broker that requests one.
  var certificate: ClientCertificate?
  /// A SOCKS5 proxy, which looks up the name.
  var proxy: Proxy?
  /// Seconds of silence after which a ping is sent, 5 or more.
  var keepAlive = 60
  /// Whether the broker keeps subscriptions and messages from one connection to the next.
  var keepsSession = false
  /// The message that the broker publishes when the connection ends without DISCONNECT.
  var will: MQTTMessage?
}
