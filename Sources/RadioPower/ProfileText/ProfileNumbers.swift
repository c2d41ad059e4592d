// SPDX-License-Identifier: Apache-2.0

/// The numbers of a profile, in the order of its file, found by key. A row that is absent is 0; which
/// ones may be absent was settled when the profile was read.
struct ProfileNumbers: Sendable, Equatable {
  let rows: [ProfileNumber]

  init(_ rows: [ProfileNumber]) { self.rows = rows }

  subscript(_ component: String, _ state: String, _ quantity: String) -> Quantity {
    let key = ProfileKey(component, state, quantity)
    return rows.first { $0.key == key }?.value ?? .zero
  }

  func has(_ component: String) -> Bool { rows.contains { $0.key.component == component } }

  func has(_ component: String, _ state: String) -> Bool {
    rows.contains { $0.key.component == component && $0.key.state == state }
  }
}
