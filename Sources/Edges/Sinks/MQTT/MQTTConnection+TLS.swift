// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

// What a failed TLS handshake means, by what libmosquitto (net_mosq.c) and OpenSSL complained about. Only the
// files for TLS and the certificates need a person; a connection that breaks off, or another protocol at the other end,
// may be a broker that restarts, so it is tried again soon.

extension MQTTConnection {
  var tlsTrouble: MQTTTrouble { Self.tlsTrouble(complaints) }

  /// `certificate verify failed`: the last part of OpenSSL's line, and the library's finding about the name.
  var tlsWords: String { Self.tlsWords(complaints) }

  /// OpenSSL's last complaint.
  var tlsLine: String? { Self.tlsLine(complaints) }

  /// `complaints`: newest last.
  static func tlsTrouble(_ complaints: [String]) -> MQTTTrouble {
    func says(_ words: String) -> Bool { complaints.contains { $0.contains(words) } }
    let words = tlsWords(complaints)
    if says("Unable to load CA certificates") {
      return .notReady("ca_file: it holds no certificate that can be read: \(words)")
    }
    if says("Unable to load client") || says("key are inconsistent") { return .unproven(words) }
    if tlsLine(complaints).map(TLSAlert.refusesOurCertificate) == true { return .unproven(words) }
    if says("host name verification failed") || says("certificate verify failed") {
      return .untrusted(words)
    }
    return .unreachable("the TLS handshake failed: \(words)")
  }

  private static func tlsWords(_ complaints: [String]) -> String {
    guard !complaints.contains(where: { $0.contains("host name verification failed") }) else {
      return "its certificate is for another name"
    }
    return tlsLine(complaints)?.split(separator: ":").last.map { String($0).trimmed }
      ?? "the connection broke off"
  }

  private static func tlsLine(_ complaints: [String]) -> String? {
    complaints.last { $0.hasPrefix("OpenSSL Error") }
  }
}

/// A connection that is made only to see whether it can be.
enum PlainConnection {
  /// The time limit for one address, milliseconds.
  private static let patience: Int32 = 2_000

  /// The system's reason why no address of `host` accepts a connection; `nil` if one does, or if it is not known.
  static func refusal(of host: String, _ port: Int) -> String? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var reason: String?
    var next = found
    while let address = next?.pointee {
      guard let number = error(of: address) else { return nil }
      reason = SystemError.text(number)
      next = address.ai_next
    }
    return reason
  }

  /// The error of a connection to this address; `nil` if there is none.
  private static func error(of address: addrinfo) -> Int32? {
    let line = socket(
      address.ai_family,
      Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard line >= 0 else { return errno }
    defer { close(line) }
    if connect(line, address.ai_addr, address.ai_addrlen) == 0 { return nil }
    guard errno == EINPROGRESS else { return errno }
    var entry = pollfd(fd: line, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, patience) > 0 else { return ETIMEDOUT }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(line, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code == 0 ? nil : code
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
