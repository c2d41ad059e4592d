// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The position of a trace among the added ones.
///
/// The sum of floating-point numbers depends on the order in which they are added. Always adding by this order gives
/// the same total, bit for bit, whatever order the traces arrive in.
package struct SummingOrder: Sendable, Hashable, Comparable {
  /// The name of the trace, and of the list judged against it.
  package let name: String
  package let list: String
  /// Times as documents have them, so that the order is the same before and after writing; empty if unknown.
  package let start: String
  package let end: String

  package init(name: String, list: String = "", start: UTCInstant?, end: UTCInstant?) {
    self.name = name
    self.list = list
    self.start = start?.rfc3339 ?? ""
    self.end = end?.rfc3339 ?? ""
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.name, a.list, a.start, a.end) < (b.name, b.list, b.start, b.end)
  }
}
