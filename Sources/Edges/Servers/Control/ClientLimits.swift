// SPDX-License-Identifier: Apache-2.0

import Glibc

extension ControlServer {
  /// The limits of one client.
  package struct Limits: Sendable, Equatable {
    /// The longest line from a client, bytes.
    package var line = 65_536
    /// Messages of a client per second on average; 10 s of them may come at once.
    package var messagesPerSecond = 200.0
    /// Bytes that may wait for a client; more are refused until it has read.
    package var pendingBytes = 1 << 20
    /// Bytes that may wait for all clients of the Unix socket together, and one message for each besides.
    package var unreadBytes = 16 << 20
    /// The same for clients of ports, which may be any user's: enough for a report and a sky to each of 512.
    package var gpsdUnreadBytes = 4 << 20
    /// Connections, of all kinds.
    package var clients = 2_048
    /// The last of them, reserved for the user's commands; a quarter of all at most.
    package var commands = 32
    /// Seconds after which a silent client on one of these yields its place if another needs it.
    package var silence = 10.0
    /// Connections to ports for gpsd clients, to which any user of this machine has access.
    package var gpsdClients = 512

    package init() {}

    /// The limits of a process with this limit of descriptors: half of them are for clients, since apps' keepers and
    /// sockets, the database and the sinks need some too.
    package init(descriptors: Int) {
      clients = max(8, min(clients, descriptors / 2))
      gpsdClients = min(gpsdClients, clients / 4)
    }

    var forCommands: Int { min(commands, clients / 4) }

    /// The limits of this process (getrlimit(2)).
    package static var ofThisProcess: Self {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return Self()
      }
      return Self(descriptors: Int(clamping: limit.rlim_cur))
    }
  }
}
