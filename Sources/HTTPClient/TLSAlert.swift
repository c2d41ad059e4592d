// SPDX-License-Identifier: Apache-2.0

/// An alert of the other side of TLS (RFC 8446, 6.2), as OpenSSL puts it into words.
package enum TLSAlert {
  /// Whether words of OpenSSL's tell that the other side does not take our certificate, or misses one. Only an alert
  /// comes from the other side: what we find wrong with its certificate is called otherwise. In TLS 1.3 it comes when
  /// the handshake is over for us, in place of an answer.
  package static func refusesOurCertificate(_ words: String) -> Bool {
    guard words.contains(" alert ") else { return false }
    return words.contains("certificate") || words.contains("unknown ca")
      || words.contains("access denied")
  }
}
