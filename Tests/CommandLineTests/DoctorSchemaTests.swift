// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@Suite("The doctor's document follows its schema")
struct DoctorSchemaTests {
  /// Runs the doctor at a port and returns its document, which fits.
  private func document(port: UInt16, code: Int32) throws -> [String: Any] {
    let answer = try Program.run(
      ["doctor", "--json", "--wait", "1", "--gpsd", "127.0.0.1:\(port)"], of: "milepostd")
    #expect(answer.code == code, "\(answer.errors)")
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("doctor").errors(in: document) == [])
    return document
  }

  private func kinds(_ document: [String: Any]) -> [String] {
    (document["findings"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
  }

  @Test("Where nobody listens")
  func nobody() throws {
    // Bound and not listening: no process can listen there, and connections are refused.
    let port = try LoopbackPort()
    let document = try document(port: port.number, code: 1)
    #expect(["gpsd_absent", "gpsd_refused"].contains(kinds(document).first))
    #expect(document["gpsd_release"] is NSNull)
  }

  @Test("With a receiver that has a fix, and with one that has none")
  func receivers() throws {
    let port = try LoopbackPort()
    port.serve([
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"tcp://127.0.0.1:5000","#
        + #""driver":"NMEA0183","activated":"2026-05-04T07:08:09.000Z"},"#
        + #"{"class":"DEVICE","path":"tcp://127.0.0.1:5001"}]}"#,
      #"{"class":"WATCH","enable":true,"json":true}"#,
      #"{"class":"SKY","device":"tcp://127.0.0.1:5000","satellites":["#
        + #"{"PRN":1,"el":40,"az":10,"ss":40,"used":true},{"PRN":2,"el":50,"az":20,"ss":9,"used":false}]}"#,
      #"{"class":"TPV","device":"tcp://127.0.0.1:5000","mode":3,"time":"2026-05-04T07:08:09.000Z","#
        + #""lat":-23.4,"lon":15.1,"altHAE":120,"altMSL":120,"alt":120}"#,
    ])
    let document = try document(port: port.number, code: 0)
    #expect(document["gpsd_release"] as? String == "3.22")
    #expect(kinds(document).contains("fix"))
    let devices = document["devices"] as? [[String: Any]] ?? []
    #expect(devices.first?["driver"] as? String == "NMEA0183")
    #expect(devices.first?["best_mode"] as? Int == 3)
    #expect(devices.last?["driver"] is NSNull)
  }
}

/// A free port of the loopback address, for as long as this lives.
private final class LoopbackPort {
  let number: UInt16
  private let descriptor: Int32

  struct CannotBind: Error { let code: Int32 }

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (socket, size) = (descriptor, length)
    let failure = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 ? getsockname(socket, $0, &length) : -1
      }
    }
    guard failure == 0 else { throw CannotBind(code: errno) }
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Sends these lines to each client, and stays until it leaves.
  func serve(_ lines: [String]) {
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    let listener = descriptor
    listen(listener, 4)
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while recv(client, &chunk, chunk.count, 0) > 0 {}
        close(client)
      }
    }
  }
}
