// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import Sinks

@Suite("What a broker's reason means")
struct MQTTReasonTests {
  /// MQTT 5, 2.4, with the consequences by the rules of delivery.
  @Test(
    "Each reason has a name and a consequence",
    arguments: [
      (0x80, "unspecified error (0x80)", SinkFault.later(after: nil)),
      (0x84, "unsupported protocol version (0x84)", .refused),
      (0x85, "client identifier not valid (0x85)", .refused),
      (0x86, "bad user name or password (0x86)", .refused),
      (0x87, "not authorized (0x87)", .refused),
      (0x88, "server unavailable (0x88)", .later(after: nil)),
      (0x89, "server busy (0x89)", .later(after: nil)),
      (0x8a, "banned (0x8a)", .refused),
      (0x8b, "server shutting down (0x8b)", .later(after: nil)),
      (0x8e, "session taken over (0x8e)", .later(after: nil)),
      (0x90, "topic name invalid (0x90)", .refused),
      (0x95, "packet too large (0x95)", .badMessage),
      (0x97, "quota exceeded (0x97)", .later(after: nil)),
      (0x99, "payload format invalid (0x99)", .badMessage),
      (0x9b, "QoS not supported (0x9b)", .refused),
      (0x9d, "server moved (0x9d)", .refused),
      (0xef, "a reason that is not known here (0xef)", .later(after: nil)),
    ])
  func table(code: Int32, words: String, fault: SinkFault) {
    let reason = MQTTReason(rawValue: code)
    #expect(reason.words == words && reason.fault == fault && !reason.isConsent)
  }

  @Test("0x00 and 0x10 are consent; the five codes of 3.1.1 are translated")
  func consent() {
    #expect(MQTTReason.success.isConsent && MQTTReason.nobodyListens.isConsent)
    let codes = (0...5).map { MQTTReason(connack: $0).rawValue }
    #expect(codes == [0, 0x84, 0x85, 0x88, 0x86, 0x87])
  }

  @Test("Troubles say where, what and what to do, word for word")
  func words() {
    func words(_ trouble: MQTTTrouble, _ address: String = "mqtt://h") -> String {
      trouble.words(at: address) { "topic/\($0)" }
    }
    #expect(
      words(.unreachable("Connection refused")) == "mqtt://h: it is not reached: Connection refused"
    )
    #expect(
      words(.untrusted("certificate verify failed"))
        == "mqtt://h: it is not trusted: certificate verify failed; name the authority that signed "
        + "its certificate with ca_file")
    #expect(
      words(.unproven("tlsv13 alert certificate required"))
        == "mqtt://h: it does not let us in: tlsv13 alert certificate required; look at "
        + "client_cert_file and client_key_file")
    #expect(words(.mute(20)) == "mqtt://h: nothing answers there for 20 s")
    #expect(
      words(.unwelcome)
        == "mqtt://h: it ends the connection without an answer, to MQTT 5 and to 3.1.1; look whether "
        + "it is a broker of MQTT, and whether it wants TLS (mqtts://)")
    #expect(
      words(.unwelcome, "mqtts://h")
        == "mqtts://h: it ends the connection without an answer, to MQTT 5 and to 3.1.1; look whether "
        + "it is a broker of MQTT, whether it speaks TLS, and whether it wants a certificate of ours "
        + "(client_cert_file)")
    #expect(
      words(.notLetIn(MQTTReason(rawValue: 0x86)))
        == "mqtt://h: we are not let in: bad user name or password (0x86); look at user and "
        + "password_file")
    #expect(
      words(.refused(4, MQTTReason(rawValue: 0x87)))
        == "mqtt://h: it does not take 'topic/4': not authorized (0x87); look at user and "
        + "password_file, and at what the broker allows that user")
    #expect(
      words(.ended(MQTTReason(rawValue: 0x8e)))
        == "mqtt://h: it ended the connection: session taken over (0x8e); another client has the "
        + "same client_id")
    #expect(words(.ended(nil)) == "mqtt://h: it ended the connection, and did not say why")
    #expect(
      words(.choked(1))
        == "mqtt://h: it ends the connection each time that 'topic/1' comes, and does not say why")
    #expect(words(.unacknowledged(20)) == "mqtt://h: it acknowledges nothing for 20 s")
    #expect(words(.slow(120)) == "mqtt://h: it took longer than 120 s; the rest comes again")
    #expect(words(.unsendable(0, "x")) == "mqtt://h: 'topic/0' cannot be sent: x")
    #expect(words(.notReady("x")) == "mqtt://h: it is not tried: x")
    #expect(
      words(.notLetIn(MQTTReason(rawValue: 0x85)))
        == "mqtt://h: we are not let in: client identifier not valid (0x85); choose another client_id"
    )
  }
}
