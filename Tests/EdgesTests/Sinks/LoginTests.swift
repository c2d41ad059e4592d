// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import ServiceContract
import Testing

@testable import Sinks

@Suite("As whom a sink comes, and to where")
struct LoginTests {
  private static func problems(_ members: [JSONValue.Member]) -> [String] {
    var table = SettingsTable(.object(members), file: "m.yaml", path: "sink")
    _ = Login(reading: &table, from: "/opt")
    table.finish()
    return table.problems.map(\.text)
  }

  @Test("Secrets stand in files: in the table they are refused, and a password needs a user")
  func tables() {
    #expect(Self.problems([.init("user", "jane"), .init("password_file", "pw")]) == [])
    #expect(
      Self.problems([.init("password", "x"), .init("password_file", "pw"), .init("user", "a:b")])
        == [
          "m.yaml: sink.user: 'a:b' is empty, or holds a colon or a control character",
          "m.yaml: sink.password: a secret does not belong here; write it into a file, and name it by "
            + "password_file",
        ])
    #expect(
      Self.problems([.init("password_file", "pw"), .init("proxy", "ftp://a")]) == [
        "m.yaml: sink.password_file: without user; say whose password it is",
        "m.yaml: sink.proxy: 'ftp://a' does not begin with http:// or https:// or socks5:// or "
          + "socks5h://",
      ])
  }

  @Test("A file of a secret is one line that others may not read")
  func secrets() async throws {
    try await Samples.withFolder { folder in
      func read(_ path: String) -> String {
        do throws(SinkError) {
          return try SecretFile(key: "token_file", path: path).readSecret()
        } catch {
          #expect(error.fault == .refused)
          return error.message
        }
      }
      let path = folder + "/t"
      #expect(
        read(path)
          == "token_file: there is no \(path); make it, with mode 0600, as the user that the service "
          + "runs as")
      try Samples.file("t", in: folder, "s3cret word\n")
      #expect(read(path) == "s3cret word")
      try Samples.file("t", in: folder, "s3cret\r\n", mode: 0o640)
      #expect(read(path) == "s3cret")
      try Samples.file("t", in: folder, "s3cret", mode: 0o644)
      #expect(
        read(path)
          == "token_file: everybody on this machine may read or change \(path); chmod o= \(path)")
      try Samples.file("t", in: folder, "\n")
      #expect(read(path) == "token_file: \(path) is empty")
      try Samples.file("t", in: folder, "a\nb\n")
      #expect(read(path) == "token_file: \(path) holds a control character or more than one line")
      try Samples.file("t", in: folder, String(repeating: "x", count: 4_097))
      #expect(read(path) == "token_file: \(path) is longer than 4096 bytes")
      #expect(read(folder) == "token_file: \(folder) is no file")
      var login = Login()
      login.authorities = folder + "/ca.pem"
      #expect(
        login.fault() == "ca_file: \(folder)/ca.pem cannot be read: No such file or directory")
      // Also before each connection: the TLS library would blame the server.
      let way = try Endpoint("https://127.0.0.1", schemes: [.https])
      #expect(throws: SinkError("\(login.fault() ?? "")", .refused)) {
        try Secrets(reading: login, for: way)
      }
      login.authorities = folder
      #expect(
        login.fault() == "ca_file: \(folder) is a folder; name a file of certificates (PEM)")
      login.authorities = nil
      login.token = SecretFile(key: "token_file", path: folder)
      #expect(login.fault() == "token_file: \(folder) is no file")
    }
  }

  @Test("A URL is taken apart up to its path, and its place shows neither path nor query")
  func endpoints() throws {
    let all = Endpoint.Scheme.allCases
    func parts(_ text: String) throws -> [String] {
      let found = try Endpoint(text, schemes: all)
      return [found.scheme.rawValue, found.host, "\(found.port)", found.path, found.place]
    }
    #expect(
      try parts("https://maps.example/pub?key=1")
        == ["https", "maps.example", "443", "/pub?key=1", "https://maps.example"])
    #expect(
      try parts("HTTP://[2001:db8::1]:8083?u=a")
        == ["http", "2001:db8::1", "8083", "/?u=a", "http://[2001:db8::1]:8083"])
    #expect(try parts("mqtts://b") == ["mqtts", "b", "8883", "", "mqtts://b"])
    #expect(try parts("mqtt://b:1883/") == ["mqtt", "b", "1883", "/", "mqtt://b"])
  }

  @Test(
    "What is wrong with a URL is said",
    arguments: [
      ("maps.example/pub", "'maps.example/pub' does not begin with http:// or https://"),
      ("ftp://maps.example", "'ftp://maps.example' does not begin with http:// or https://"),
      ("http://", "names no host"), ("http://:80/", "names no host"),
      ("http://a:0", "has the port '0'; a port is a number from 1 to 65535"),
      ("http://a:x/", "has the port 'x'; a port is a number from 1 to 65535"),
      ("http://::1/", "has an IPv6 address without brackets; write [::1]"),
      ("http://[::1]x/", "has 'x' behind the address in brackets"),
      ("http://a/b c", "holds U+0020, which no URL may; write it percent-encoded"),
      ("http://a/é", "holds U+00E9, which no URL may; write it percent-encoded"),
      ("http://a/<svg/onload=alert(1)>", "holds '<', which no URL may; write it percent-encoded"),
      ("http://a/{token}/{x}", "holds '{', which no URL may; write it percent-encoded"),
      ("http://a/#x", "holds a #, and what is behind it is never sent; leave it out"),
      (
        "http://jane:pw@a/",
        "holds a user or a password; name them by user and password_file, so that they stand in no "
          + "database and no log"
      ),
    ])
  func faults(_ text: String, _ message: String) {
    #expect(throws: InputError(message)) {
      try Endpoint(text, schemes: [.http, .https])
    }
  }

  @Test("A device's names are levels of a topic, and its mark has one or two characters")
  func device() {
    func problems(_ members: [JSONValue.Member]) -> (OwnTracksDevice?, [String]) {
      var table = SettingsTable(.object(members), file: "m.yaml", path: "sink")
      let login = Login(reading: &table, from: "/opt")
      let device = OwnTracksDevice(reading: &table, login: login, from: "/opt")
      table.finish()
      return (device, table.problems.map(\.text))
    }
    let (device, none) = problems([.init("user", "jane"), .init("device", "van")])
    #expect(device?.topic == "owntracks/jane/van" && device?.tracker == "an" && none == [])
    #expect(
      problems([.init("device", "my van"), .init("user", "a/b"), .init("tid", "van")]).1 == [
        "m.yaml: sink.tid: 'van' is not one or two characters",
        "m.yaml: sink.user: 'a/b' is empty, or holds a space or one of / + #",
        "m.yaml: sink.device: 'my van' is empty, or holds a space or one of / + #",
      ])
    #expect(
      problems([]).1 == [
        "m.yaml: sink.user: missing; say under whose name the positions appear, as in "
          + "owntracks/USER/DEVICE",
        "m.yaml: sink.device: missing; say under which name the device appears, as in "
          + "owntracks/USER/DEVICE",
      ])
  }

  @Test("A certificate of our own: what is wrong with the table, and with its files, word for word")
  func certificate() async throws {
    #expect(Self.problems([.init("client_cert_file", "c"), .init("client_key_file", "k")]) == [])
    #expect(
      Self.problems([.init("client_key_file", "k")]) == [
        "m.yaml: sink.client_key_file: without client_cert_file; name the certificate that it is for"
      ])
    #expect(
      TestSinks.problems(
        "owntracks",
        [
          ("url", "mqtt://h"), ("user", "ann"), ("device", "van"), ("client_cert_file", "c"),
        ]) == [
          "m.yaml: sink.client_cert_file: mqtt://h asks for no certificate; use TLS, as in mqtts://"
        ])
    #expect(
      TestSinks.problems(
        "overland", [("url", "http://h/in"), ("device", "van"), ("client_cert_file", "c")]) == [
          "m.yaml: sink.client_cert_file: http://h asks for no certificate; use TLS, as in https://"
        ])
    try await Samples.withFolder { folder in
      let (file, key) = (folder + "/c.pem", folder + "/k.pem")
      func fault(_ key: String) -> String? {
        var login = Login()
        login.certificate = ClientCertificate(certificate: file, key: key)
        return login.fault()
      }
      #expect(
        fault(key) == "client_cert_file: \(file) cannot be read: No such file or directory")
      try Samples.file("c.pem", in: folder, "-----BEGIN CERTIFICATE-----\n", mode: 0o644)
      #expect(
        fault(key)
          == "client_key_file: there is no \(key); make it, with mode 0600, as the user that the service runs as"
      )
      #expect(
        fault(file)
          == "client_cert_file: everybody on this machine may read or change \(file); chmod o= \(file)"
      )
      try Samples.file("c.pem", in: folder, "-----BEGIN CERTIFICATE-----\n")
      #expect(
        fault(file)
          == "client_cert_file: \(file) holds no private key in PEM; name the file that does by "
          + "client_key_file")
      #expect(fault(folder) == "client_key_file: \(folder) is no file")
      try Samples.file("k.pem", in: folder, "-----BEGIN PRIVATE KEY-----\n", mode: 0o644)
      #expect(
        fault(key)
          == "client_key_file: everybody on this machine may read or change \(key); chmod o= \(key)"
      )
      for head in [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
      ] {
        try Samples.file("k.pem", in: folder, head)
        #expect(
          fault(key)
            == "client_key_file: \(key) is under a passphrase, for which nobody can be asked here; take "
            + "it off: openssl pkey -in \(key) -out NEW")
      }
      try Samples.file("k.pem", in: folder, "-----BEGIN EC PRIVATE KEY-----\n")
      #expect(fault(key) == nil)
    }
  }
}
