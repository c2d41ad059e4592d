// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

/// A file with restricted access: a password, a token or a key on its first and only line, or a TLS key.
///
/// It is read anew each time, so a new password needs no restart. A line feed at its end is no part of a secret.
struct SecretFile: Sendable, Equatable {
  /// The limit of a secret, bytes [ours].
  static let limit = 4_096

  /// The settings key that names it, used in messages.
  let key: String
  let path: String

  /// The secret. Throws if the file cannot be read, is readable by everybody, or holds no secret.
  func readSecret() throws(SinkError) -> String {
    guard let text = String(validating: try bytes(limit: Self.limit + 2), as: UTF8.self) else {
      throw fault("\(path) is not UTF-8")
    }
    let secret = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? text.dropLast() : text[...]
    guard !secret.isEmpty else { throw fault("\(path) is empty") }
    guard secret.utf8.count <= Self.limit else {
      throw fault("\(path) is longer than \(Self.limit) bytes")
    }
    guard !secret.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw fault("\(path) holds a control character or more than one line")
    }
    return String(secret)
  }

  /// Its content, up to some more than `limit` bytes. Throws if it cannot be read, or is readable by everybody.
  func bytes(limit: Int) throws(SinkError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw fault(
        errno == ENOENT
          ? "there is no \(path); make it, with mode 0600, as the user that the service runs as"
          : "\(path) cannot be read: \(SystemError.text())")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw fault("\(path) cannot be read: \(SystemError.text())")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw fault("\(path) is no file") }
    guard status.st_mode & 0o007 == 0 else {
      throw fault("everybody on this machine may read or change \(path); chmod o= \(path)")
    }
    guard let bytes = SmallFile.bytes(from: descriptor, limit: limit) else {
      throw fault("\(path) cannot be read: \(SystemError.text())")
    }
    return bytes
  }

  func fault(_ message: String) -> SinkError { SinkError("\(key): \(message)", .refused) }
}
