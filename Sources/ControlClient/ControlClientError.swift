// SPDX-License-Identifier: Apache-2.0

/// Why there is no talking to the daemon: what, where and what to do.
package struct ControlClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
