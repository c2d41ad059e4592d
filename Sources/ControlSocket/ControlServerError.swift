// SPDX-License-Identifier: Apache-2.0

/// Why the daemon cannot listen: what, where and what to do.
package struct ControlServerError: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
