// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol

/// One connection to the daemon: plain calls that block, no event loop.
package final class ControlClient: Sendable {
  /// Where the daemon listens for this user: `MILEPOST_SOCKET`, else `milepost/socket` in
  /// `XDG_RUNTIME_DIR`, else in `/run/user/UID`.
  package static func defaultPath(environment: [String: String]) -> String { "" }

  package init(path: String) throws { fatalError("not yet") }

  package func send(_ message: ClientMessage) throws {}

  /// The next message; `nil` where the daemon closed the connection, or after `timeout` seconds.
  package func receive(timeout: Double? = nil) throws -> ServerMessage? { nil }

  package func close() {}
}
