// SPDX-License-Identifier: Apache-2.0

import JSONText
import ServiceContract
import Testing

@testable import Sinks

@Suite("A TLS handshake that fails", .enabled(if: RealBroker.isThere, RealBroker.missing))
struct MQTTTLSTests {
  @Test("TLS: a port where nobody listens refuses, and a handshake that breaks off is tried soon")
  func handshakes() async throws {
    var way = MQTTWay(host: "127.0.0.1", port: Loopback.freePort(), clientID: "milepost1")
    way.isEncrypted = true
    func trouble() async -> MQTTTrouble? {
      let answer = await TestClient.client(way, TestClient.hasty).publish([]).answer
      if case .failed(let trouble, _) = answer { return trouble }
      return nil
    }
    for host in ["127.0.0.1", "localhost"] {
      way.host = host
      #expect(await trouble() == .unreachable("Connection refused"), "\(host)")
    }
    way.host = "127.0.0.1"
    // It ends each connection without a word of TLS.
    let slamming = StandInBroker(.slamming)
    defer { slamming.stop() }
    way.port = slamming.port
    let closed = await trouble()
    #expect(closed?.fault == .later(after: nil), "\(String(describing: closed))")
    // A broker without TLS answers our handshake by ending the connection; HTTP is no TLS either.
    let web = try StandIn()
    try web.plan(#"{"fault":"garbage"}"#)
    let broker = try RealBroker()
    for port in [broker.port, web.port] {
      way.port = port
      let plain = await trouble()
      #expect(plain?.fault == .later(after: nil), "\(String(describing: plain))")
    }
  }

  @Test("TLS: complaints about certificates need a person, those about the connection do not")
  func complaints() {
    func trouble(_ lines: String...) -> MQTTTrouble { MQTTConnection.tlsTrouble(lines) }
    // OpenSSL's lines as libmosquitto 2.0.11 and 2.0.18 log them.
    #expect(
      trouble("OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed")
        == .untrusted("certificate verify failed"))
    #expect(
      trouble(
        "Error: host name verification failed.",
        "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed")
        == .untrusted("its certificate is for another name"))
    #expect(
      trouble("OpenSSL Error[0]: error:0A000126:SSL routines::unexpected eof while reading")
        == .unreachable("the TLS handshake failed: unexpected eof while reading"))
    #expect(
      trouble("OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number")
        == .unreachable("the TLS handshake failed: wrong version number"))
    #expect(trouble() == .unreachable("the TLS handshake failed: the connection broke off"))
    #expect(
      trouble("OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca")
        == .unproven("tlsv1 alert unknown ca"))
    let file = trouble(
      #"Error: Unable to load CA certificates, check cafile "/x"."#,
      "OpenSSL Error[0]: error:05880020:x509 certificate routines::BIO lib")
    #expect(
      file == .notReady("ca_file: it holds no certificate that can be read: BIO lib")
        && file.fault == .refused)
  }

  @Test("TLS: a file of authorities that holds none is named, and the broker is not blamed")
  func authorities() async throws {
    try await Samples.withFolder { folder in
      let broker = try RealBroker(
        ["allow_anonymous true", "certfile FOLDER/server.pem", "keyfile FOLDER/server.key"])
      let path = try Samples.file("ca.pem", in: folder, "no certificate\n")
      let sink = try TestSinks.sink(
        "mqtt",
        [
          ("url", .string("mqtts://127.0.0.1:\(broker.port)")), ("topic", "a/b"),
          ("ca_file", .string(path)),
        ])
      await #expect {
        _ = try await sink.probe()
      } throws: { error in
        guard let error = error as? SinkError else { return false }
        return error.fault == .refused
          && error.message.contains(": it is not tried: ca_file: it holds no certificate")
      }
    }
  }
}
