// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Where a trace stands among those that are added up.
///
/// The sum of floating-point numbers depends on the order in which they are added. Who always adds by this one
/// gets the same total, bit for bit, in whatever order the traces come.
package struct SummingOrder: Sendable, Hashable, Comparable {
  /// The trace's, and that of the list that is judged against it.
  package let name: String
  package let list: String
  /// Times as documents have them, so that it is the same before and after writing; empty where unknown.
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
