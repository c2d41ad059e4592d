// SPDX-License-Identifier: Apache-2.0

/// The reason why the daemon cannot be reached: the fault, its place and the remedy.
package struct ControlClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String
  /// Whether there is no listener on the socket: no service runs, or it listens elsewhere.
  package let isAbsence: Bool

  package init(_ message: String, isAbsence: Bool = false) {
    self.message = message
    self.isAbsence = isAbsence
  }

  package var description: String { message }
}
