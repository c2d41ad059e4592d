// SPDX-License-Identifier: Apache-2.0

/// The reason why the daemon cannot listen: the fault, its place and the remedy.
package struct ControlServerError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
