// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol

/// One connection; never used again for another.
@usableFromInline package struct ClientID: Sendable, Hashable, Codable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

/// An event of a connection: of an app, of a user's command, or of an ordinary gpsd client.
package enum ClientEvent: Sendable, Equatable, Codable {
  /// The first event of a client; gpsd's clients expect a VERSION at once.
  case connected(ClientID, Origin)
  /// `id` is what the client calls its request; its answer bears it.
  case message(ClientID, ClientMessage, id: String? = nil)
  /// It said what is no message; the error is its answer, in the order of its questions.
  case malformed(ClientID, ServerMessage, id: String? = nil)
  /// A message found no room: nothing of it was sent. `writable` follows, or `disconnected`.
  case refused(ClientID, ServerMessage)
  /// It can take more again after it could not.
  case writable(ClientID)
  /// The last event of a client.
  case disconnected(ClientID)

  /// Where a client came from.
  package enum Origin: Sendable, Equatable, Codable {
    /// The Unix socket; the peer's process, its process group and its user, as the kernel says. The
    /// group is `nil` where the process is gone already.
    case socket(pid: Int32, group: Int32?, uid: UInt32)
    /// A loopback TCP port for gpsd clients: it may watch and ask, and nothing else.
    case gpsdPort(Int)
  }
}
