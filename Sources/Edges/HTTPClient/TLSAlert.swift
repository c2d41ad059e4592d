// SPDX-License-Identifier: Apache-2.0

/// An alert of the other side of TLS (RFC 8446, 6.2), in OpenSSL's words.
package enum TLSAlert {
  /// Whether OpenSSL's words mean that the other side rejects our certificate, or requires one. Only an alert comes
  /// from the other side: our own objections to its certificate have other names. In TLS 1.3 it comes when the
  /// handshake is over for us, in place of an answer.
  package static func refusesOurCertificate(_ words: String) -> Bool {
    guard words.contains(" alert ") else { return false }
    return words.contains("certificate") || words.contains("unknown ca")
      || words.contains("access denied")
  }
}
