// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol

/// One connection; never reused for another.
@usableFromInline package struct ClientID: Sendable, Hashable, Codable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

/// An event of a connection: of an app, of a user's command, or of an ordinary gpsd client.
package enum ClientEvent: Sendable, Equatable, Codable {
  /// The first event of a client; gpsd's clients expect a VERSION at once.
  case connected(ClientID, Origin)
  /// `id` is the client's name for its request; its answer carries it.
  case message(ClientID, ClientMessage, id: String? = nil)
  /// The client sent no valid message; the error is its answer, in the order of its questions.
  case malformed(ClientID, ServerMessage, id: String? = nil)
  /// A message found no room: no part of it was sent. `writable` follows, or `disconnected`.
  case refused(ClientID, ServerMessage)
  /// The client can take more again after it could not.
  case writable(ClientID)
  /// The last event of a client.
  case disconnected(ClientID)

  /// The source of a client.
  package enum Origin: Sendable, Equatable, Codable {
    /// The Unix socket; the peer's process, its process group and its user, according to the kernel.
    /// The group is `nil` if the process is gone already.
    case socket(pid: Int32, group: Int32?, uid: UInt32)
    /// A loopback TCP port for gpsd clients: it may only watch and ask.
    case gpsdPort(Int)
  }
}
