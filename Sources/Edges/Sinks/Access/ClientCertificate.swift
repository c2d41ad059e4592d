// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

/// The certificate by which a sink identifies itself to a server or a broker that requests one (TLS, RFC 8446, 4.4.2):
/// two files of PEM, or one that holds both.
///
/// The TLS library gets the key by its path; only its first lines are read here. A key with a passphrase is refused:
/// the library would ask for it on a terminal, which a service does not have.
struct ClientCertificate: Sendable, Equatable {
  /// The limit of examined bytes of a key file: the largest RSA key in use, 16,384 bits, has 13 kB as PEM, and a chain
  /// may precede it [ours].
  static let limit = 256 << 10

  /// The certificate, followed by those up to its authority.
  let certificate: String
  /// Its private key.
  let key: String

  init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads `client_cert_file` and `client_key_file`; `nil` if there is no certificate.
  init?(reading table: inout SettingsTable, from directory: String) {
    let certificate = table.absolutePath("client_cert_file", from: directory)
    let key = table.absolutePath("client_key_file", from: directory)
    if key != nil, !table.states("client_cert_file") {
      table.noteProblem(
        at: "client_key_file", "without client_cert_file; name the certificate that it is for")
    }
    guard let certificate else { return nil }
    self.certificate = certificate
    self.key = key ?? certificate
  }

  /// Throws if the files cannot be used, with the remedy.
  func check() throws(SinkError) {
    if access(certificate, R_OK) != 0 {
      throw SinkError(
        "client_cert_file: \(certificate) cannot be read: \(SystemError.text())", .refused)
    }
    let file = SecretFile(
      key: key == certificate ? "client_cert_file" : "client_key_file", path: key)
    let text = String(decoding: try file.bytes(limit: Self.limit), as: UTF8.self)
    guard text.contains("PRIVATE KEY-----") else {
      throw file.fault(
        "\(key) holds no private key in PEM"
          + (key == certificate ? "; name the file that does by client_key_file" : ""))
    }
    // PKCS #8 (RFC 7468, 11), and OpenSSL's older form (PEM_read_bio(3)).
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("4,ENCRYPTED") {
      throw file.fault(
        "\(key) is under a passphrase, for which nobody can be asked here; take it off: "
          + "openssl pkey -in \(key) -out NEW")
    }
  }
}
