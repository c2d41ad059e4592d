// SPDX-License-Identifier: Apache-2.0

/// The numbers of a profile, in the order of its file, found by key. An absent row is 0; reading the
/// profile settled which ones may be absent.
struct ProfileNumbers: Sendable, Equatable {
  let rows: [ProfileNumber]
  private let places: [ProfileKey: Int]
  /// Their keys without the quantity: a simulated world asks for them each second.
  private let states: Set<ProfileKey>

  init(_ rows: [ProfileNumber]) {
    self.rows = rows
    states = Set(rows.map { ProfileKey($0.key.component, $0.key.state, "") })
    places = Dictionary(
      rows.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The row of a key.
  subscript(_ key: ProfileKey) -> ProfileNumber? { places[key].map { rows[$0] } }

  subscript(_ component: String, _ state: String, _ quantity: String) -> Quantity {
    self[ProfileKey(component, state, quantity)]?.value ?? .zero
  }

  func has(_ component: String) -> Bool { rows.contains { $0.key.component == component } }

  func has(_ component: String, _ state: String) -> Bool {
    states.contains(ProfileKey(component, state, ""))
  }
}
