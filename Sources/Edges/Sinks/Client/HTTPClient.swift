// SPDX-License-Identifier: Apache-2.0

import CCurl
import CUnix
import Glibc
import Host
import Synchronization

// Theory
// ======
//
// libcurl is used in its simplest way: one call, which returns with the answer or at the time limit. So each piece of
// work has a thread for as long as it lasts; in between there is no thread, no timer and no connection: an idle client
// wakes nothing. Requests of one piece of work share one connection if the other side keeps it open, and it is closed
// at the end: a held connection would cost one more radio tail when the other side ends it. The TLS session is kept,
// which saves the next work the certificates.
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
    /// A URL; `nil`: from the environment (`https_proxy`, `no_proxy`, as libcurl reads them).
    package var proxy: String?
    /// The time limit of a connection, including TLS, seconds.
    package var connectTimeout = 10.0
    /// The time limit of a request, including the connection, seconds.
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

  /// Runs `work` on a new thread, with requests over one connection, and returns its result and its octets. Work that
  /// is given meanwhile waits in its own thread. Throws if there can be no thread.
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

  /// Provides a new handle for `body`, released with its connections when this returns; `nil` if there can be none.
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

  func closeSocket(_ socket: Int32) -> Int32 {
    var (sent, received): (Int64, Int64) = (0, 0)
    if unix_octets(socket, &sent, &received) == 0 {
      total.up += Int(sent)
      total.down += Int(received)
    }
    return Glibc.close(socket)
  }
}
