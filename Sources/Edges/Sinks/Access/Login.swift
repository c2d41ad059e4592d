// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

/// The identity, the trust and the proxy of a sink: the settings shared by all sinks over a network.
///
/// The table is stored in the database, in recordings and in output of `milepost`, so it names the files of secrets and
/// never holds them.
struct Login: Sendable, Equatable {
  /// The name for Basic authentication or for an MQTT broker.
  var user: String?
  var password: SecretFile?
  /// For `Authorization: Bearer`, or for `{token}` in a URL.
  var token: SecretFile?
  /// PEM certificates that are trusted in place of the system's.
  var authorities: String?
  /// Our own certificate; `nil` if the other side requests none.
  var certificate: ClientCertificate?
  /// `nil`: `https_proxy`, `http_proxy` and `no_proxy` of the environment apply.
  var proxy: Endpoint?

  init() {}

  init(reading table: inout SettingsTable, from directory: String) {
    user = table.string("user")
    if let user,
      user.isEmpty || user.contains(":") || user.unicodeScalars.contains(where: Self.isOdd)
    {
      table.noteProblem(at: "user", "'\(user)' is empty, or holds a colon or a control character")
    }
    for (key, file) in [("password", "password_file"), ("token", "token_file")]
    where table.value(key) != nil {
      table.noteProblem(
        at: key, "a secret does not belong here; write it into a file, and name it by \(file)")
    }
    password = table.absolutePath("password_file", from: directory).map {
      SecretFile(key: "password_file", path: $0)
    }
    token = table.absolutePath("token_file", from: directory).map {
      SecretFile(key: "token_file", path: $0)
    }
    if password != nil, !table.states("user") {
      table.noteProblem(at: "password_file", "without user; say whose password it is")
    }
    authorities = table.absolutePath("ca_file", from: directory)
    certificate = ClientCertificate(reading: &table, from: directory)
    proxy = Endpoint.readSetting(&table, "proxy", schemes: [.http, .https, .socks5, .socks5h])
  }

  private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F
  }

  /// Notes a certificate that would never be used.
  func checkCertificate(for endpoint: Endpoint, _ table: inout SettingsTable) {
    guard certificate != nil, !endpoint.scheme.isEncrypted else { return }
    table.noteProblem(
      at: "client_cert_file",
      "\(endpoint.place) asks for no certificate; use TLS, as in "
        + (endpoint.scheme == .mqtt ? "mqtts://" : "https://"))
  }

  /// The part that cannot be used on this machine, with the remedy; `nil` if all can.
  func fault() -> String? {
    SinkError.message { () throws(SinkError) in
      for secret in [password, token] { _ = try secret?.readSecret() }
      try checkTLS()
    }
  }

  /// Throws if the files for TLS cannot be used; checked before each connection, for the TLS library's complaint would
  /// look like one about the server.
  func checkTLS() throws(SinkError) {
    try certificate?.check()
    guard let authorities else { return }
    guard access(authorities, R_OK) == 0 else {
      throw SinkError("ca_file: \(authorities) cannot be read: \(SystemError.text())", .refused)
    }
    var status = stat()
    if stat(authorities, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw SinkError(
        "ca_file: \(authorities) is a folder; name a file of certificates (PEM)", .refused)
    }
  }
}
