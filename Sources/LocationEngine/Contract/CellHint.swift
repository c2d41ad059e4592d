// SPDX-License-Identifier: Apache-2.0

/// Names a cell, and says nothing else of it: equal names are the same cell.
///
/// The listener of the modem makes it of what the network broadcasts (operator, area, cell). Names of
/// different networks must differ.
package struct CellHint: Sendable, Hashable, Codable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
