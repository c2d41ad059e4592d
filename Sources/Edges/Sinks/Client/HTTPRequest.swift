// SPDX-License-Identifier: Apache-2.0

/// One request.
package struct HTTPRequest: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: String
  /// Absolute, percent-encoded.
  package var url: String
  package var headers: [Header]
  /// `nil` sends none, and no length.
  package var body: [UInt8]?

  package init(_ method: String, _ url: String, headers: [Header] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// An answer.
package struct HTTPAnswer: Sendable, Equatable {
  /// The limit of kept bytes of a body; the connection is closed beyond them.
  package static let limit = 64 << 10

  /// 200 to 599.
  package var status: Int
  package var body: [UInt8] = []
  /// The reason why the body is not whole; `nil` if it is.
  package var cut: Cut?
  /// The wait that the other side requests, seconds; `nil` if none.
  package var retryAfter: Double?
  /// The absolute target of a redirect; it is never followed.
  package var redirect: String?
  /// The header Content-Type, as it was sent; `nil` if none.
  package var contentType: String?
}

extension HTTPAnswer {
  /// The reason why a body is not whole.
  package enum Cut: Sendable, Equatable {
    /// It is longer than the limit.
    case tooLong
    /// The other side ended it before its stated length.
    case brokenOff
  }
}

/// The reason why there is no answer.
package struct HTTPFailure: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// No name, no route, no listener, or too slow.
    case unreachable
    /// Its certificate is not trusted.
    case untrusted
    /// The file of the trusted authorities holds none that can be read.
    case noAuthorities
    /// The other side rejects our certificate, or requires one; or it cannot be read.
    case unproven
    /// The whole request went out, and the connection was closed without an answer.
    case silent
    /// The answer is no HTTP, or the connection broke.
    case broken
    /// The request cannot be sent in this form.
    case unusable
  }

  package var kind: Kind
  /// The library's words, without a final full stop.
  package var words: String

  package init(_ kind: Kind, _ words: String) {
    self.kind = kind
    self.words = words
  }
}

/// Octets above TCP, both ways, including TLS and retransmissions.
package struct HTTPTraffic: Sendable, Equatable {
  package var up: Int = 0
  package var down: Int = 0
}
