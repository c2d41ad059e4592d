// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import NIOCore

/// Listens for apps, for the user's commands and for ordinary gpsd clients.
package final class ControlServer: Sendable {
  /// One connection; never used again for another.
  package struct ClientID: Sendable, Hashable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
  }

  /// Where a client came from.
  package enum Origin: Sendable, Equatable {
    /// The Unix socket; the peer's process and user, as the kernel says.
    case socket(pid: Int32, uid: UInt32)
    /// A loopback TCP port for gpsd clients: it may watch and ask, and nothing else.
    case gpsdPort(Int)
  }

  package enum Event: Sendable, Equatable {
    case connected(ClientID, Origin)
    case message(ClientID, ClientMessage)
    /// It can take more again after `send` said that it could not.
    case writable(ClientID)
    case disconnected(ClientID)
  }

  /// What bounds one client.
  package struct Limits: Sendable, Equatable {
    /// Bytes of a line from a client.
    package var line = 65_536
    /// Messages of a client per second, on the average; 10 s of it may come at once.
    package var messagesPerSecond = 200.0
    /// Bytes that wait for a client; more are refused until it has read.
    package var pendingBytes = 1 << 20
    package var clients = 2_048

    package init() {}
  }

  /// `sink` is called in order for each client and must not block.
  package init(
    on group: any EventLoopGroup, limits: Limits = Limits(),
    sink: @escaping @Sendable (Event) -> Void
  ) {
    fatalError("not yet")
  }

  /// Listens on a Unix socket, mode 0600; a stale file is replaced, a live one is an error.
  package func listen(path: String) async throws {}
  /// Takes over a listening socket that systemd opened.
  package func listen(descriptor: Int32) async throws {}
  /// Listens on loopback for gpsd clients; answers the port (0 asks for a free one).
  package func listen(gpsdPort: Int) async throws -> Int { 0 }

  /// Sends one message; `false` where the client is gone or has too much to read already: nothing was
  /// sent then, and `writable` follows when it can be.
  @discardableResult
  package func send(_ message: ServerMessage, to client: ClientID) -> Bool { false }

  /// Sends what is pending, then closes the connection.
  package func close(_ client: ClientID) {}

  /// Closes everything and removes the socket's file.
  package func stop() async {}
}
