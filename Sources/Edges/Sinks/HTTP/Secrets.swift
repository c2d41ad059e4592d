// SPDX-License-Identifier: Apache-2.0

import ControlProtocol

/// The content of a sink's secret files, and the URL and headers built from them; it lives as long as one batch.
struct Secrets: Sendable {
  /// The placeholder of the token in a URL.
  static let placeholder = "{token}"

  /// The URL as written, including `{token}`.
  private let template: String
  /// The replacement of the placeholder in the URL, percent-encoded.
  private let token: String
  /// `Authorization`, unless the token is in the URL.
  let headers: [HTTPRequest.Header]
  /// The encryption key of messages.
  let key: OwnTracksKey?

  init(
    reading login: Login, for endpoint: Endpoint, key: OwnTracksKey? = nil
  ) throws(SinkError) {
    self.key = key
    template = endpoint.text
    try login.checkTLS()
    let token = try login.token?.readSecret()
    self.token = token.map { PercentCoding.component($0) } ?? ""
    if let token, !endpoint.holdsToken {
      headers = [HTTPRequest.Header("Authorization", "Bearer \(token)")]
    } else if let user = login.user, let password = try login.password?.readSecret() {
      headers = [
        HTTPRequest.Header(
          "Authorization", "Basic \(Base64.text(Array("\(user):\(password)".utf8)))")
      ]
    } else {
      headers = []
    }
  }
}

extension Endpoint {
  /// Whether the URL has a placeholder for the token, which then is in no header.
  var holdsToken: Bool { text.contains(Secrets.placeholder) }
}

extension Secrets {
  /// The URL with its token.
  var url: String { url { $0 } }

  /// The same, after `fill` has changed the URL without its token: nothing in a token is a placeholder.
  func url(_ fill: (String) -> String) -> String {
    fill(template).replacing(Self.placeholder, with: token)
  }
}

/// Percent-encoding (RFC 3986, section 2).
enum PercentCoding {
  /// Encodes `text` as a value within a query or as a part of a path: all but the unreserved characters.
  static func component(_ text: some StringProtocol) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
