// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import ServiceContract
import Settings

/// By which certificate a sink proves to a server or a broker who it is, where that asks for one (TLS, RFC 8446,
/// 4.4.2): two files of PEM, or one that holds both.
///
/// The key goes to the TLS library by its path, and is never read here but for its first lines. A key under a
/// passphrase is refused: the library would ask for that on a terminal, which a service has not.
struct ClientCertificate: Sendable, Equatable {
  /// Bytes of a key file that are looked at: the largest RSA key in use, 16,384 bits, has 13 kB as PEM, and a chain
  /// may stand before it [ours].
  static let limit = 256 << 10

  /// The certificate, with those between it and its authority behind it.
  let certificate: String
  /// Its private key.
  let key: String

  init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads `client_cert_file` and `client_key_file`; `nil` where there is no certificate.
  init?(reading table: inout SettingsTable, from directory: String) {
    let certificate = table.absolutePath("client_cert_file", from: directory)
    let key = table.absolutePath("client_key_file", from: directory)
    if key != nil, !table.states("client_cert_file") {
      table.note("client_key_file", "without client_cert_file; name the certificate that it is for")
    }
    guard let certificate else { return nil }
    self.certificate = certificate
    self.key = key ?? certificate
  }

  /// Throws where the files cannot be used, and says what to do.
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
    // PKCS #8 (RFC 7468, 11), and the older form of OpenSSL's (PEM_read_bio(3)).
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("4,ENCRYPTED") {
      throw file.fault(
        "\(key) is under a passphrase, for which nobody can be asked here; take it off: "
          + "openssl pkey -in \(key) -out NEW")
    }
  }
}
