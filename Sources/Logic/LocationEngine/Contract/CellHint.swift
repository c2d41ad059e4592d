// SPDX-License-Identifier: Apache-2.0

/// The name of a cell and nothing else: equal names are the same cell.
///
/// The modem listener derives it from the network's broadcast (operator, area, cell). Names of
/// different networks must differ.
package struct CellHint: Sendable, Hashable, Codable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
