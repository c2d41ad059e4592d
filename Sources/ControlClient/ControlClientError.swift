// SPDX-License-Identifier: Apache-2.0

/// Why there is no talking to the daemon: what, where and what to do.
package struct ControlClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  /// Whether nobody listens on the socket: no service runs, or it listens elsewhere.
  package let isAbsence: Bool

  package init(_ message: String, isAbsence: Bool = false) {
    self.message = message
    self.isAbsence = isAbsence
  }

  package var description: String { message }
}
