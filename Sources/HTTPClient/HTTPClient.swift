// SPDX-License-Identifier: Apache-2.0

import CCurl
import CUnix
import Glibc
import Synchronization
import Threads

// Theory
// ======
//
// libcurl is asked in its simplest way: one call, which returns when the answer is there or the time is up. So
// each piece of work has a thread of its own for as long as it lasts, and there is none, no timer and no
// connection in between: an idle client wakes nobody. Requests of one piece of work go over one connection
// where the other side keeps it, and it is closed at the end: a connection that is held would cost a radio
// tail more when the other side ends it. TLS's session is kept, which spares the next work the
// certificates.
//
//     run ─ thread ─ handle ─ send ─ answer ─ send ─ answer ─ closed, octets counted ─ answer of the work

/// Sends requests to one server, one after the other.
package final class HTTPClient: Sendable {
  /// Our identity, for a server that asks: files of PEM.
  package struct Certificate: Sendable, Equatable {
    package var file: String
    package var key: String

    package init(file: String, key: String) {
      self.file = file
      self.key = key
    }
  }

  package struct Settings: Sendable, Equatable {
    package var userAgent: String
    /// A file of PEM certificates that are trusted in place of the system's.
    package var authorities: String?
    package var certificate: Certificate?
    /// A URL; `nil`: as the environment says (`https_proxy`, `no_proxy`, as libcurl reads them).
    package var proxy: String?
    /// Seconds until there is a connection, TLS included.
    package var connectTimeout = 10.0
    /// Seconds until a request is answered, the connection included.
    package var timeout = 30.0

    package init(
      userAgent: String, authorities: String? = nil, certificate: Certificate? = nil,
      proxy: String? = nil
    ) {
      self.userAgent = userAgent
      self.authorities = authorities
      self.certificate = certificate
      self.proxy = proxy
    }
  }

  private let settings: Settings
  private let sessions: TLSSessions

  package init(_ settings: Settings) {
    self.settings = settings
    sessions = TLSSessions()
  }

  /// Does `work` on a thread of its own, with requests over one connection, and answers with the octets that it
  /// took. Work that is given meanwhile waits, in its thread. Throws where there can be no thread.
  package func run<Answer: Sendable>(
    _ work: @escaping @Sendable (borrowing HTTPSession) -> Answer
  ) async throws(HTTPFailure) -> (answer: Answer, traffic: HTTPTraffic) {
    let outcome: (Answer, HTTPTraffic)?
    do throws(BlockingThread.Missing) {
      outcome = try await BlockingThread.run { [settings, sessions] in
        let octets = Octets()
        let answer = sessions.withHandle { handle, share in
          work(HTTPSession(handle: handle, share: share, settings: settings, octets: octets))
        }
        return answer.map { ($0, octets.total) }
      }
    } catch {
      throw HTTPFailure(.unusable, error.description)
    }
    guard let outcome else { throw HTTPFailure(.unusable, "libcurl has no memory") }
    return outcome
  }
}

/// The sessions of TLS with one server, kept from one connection to the next.
private final class TLSSessions: Sendable {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// A pointer of libcurl's, which goes from thread to thread only with the lock.
  private struct Share: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
  }

  private let share: Mutex<Share>

  init() {
    let pointer = Self.isReady ? curl_share_init() : nil
    if let pointer { ccurl_share_tls_sessions(pointer) }
    share = Mutex(Share(pointer: pointer))
  }

  deinit {
    share.withLock { share in
      if let pointer = share.pointer { curl_share_cleanup(pointer) }
    }
  }

  /// A new handle for `body`, which is gone, with its connections, when this returns; `nil` where there can be
  /// none.
  func withHandle<Answer: Sendable>(
    _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Answer
  ) -> Answer? {
    share.withLock { share in
      guard Self.isReady, let handle = curl_easy_init() else { return nil }
      defer { curl_easy_cleanup(handle) }
      return body(handle, share.pointer)
    }
  }
}

/// Octets of the connections of one piece of work, added up as each is closed.
final class Octets {
  private(set) var total = HTTPTraffic()

  func close(_ socket: Int32) -> Int32 {
    var (sent, received): (Int64, Int64) = (0, 0)
    if unix_octets(socket, &sent, &received) == 0 {
      total.up += Int(sent)
      total.down += Int(received)
    }
    return Glibc.close(socket)
  }
}
