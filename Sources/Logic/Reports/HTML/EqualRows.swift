// SPDX-License-Identifier: Apache-2.0

/// Modes that look the same in a picture, shown once.
struct EqualRows<Picture: Equatable> {
  /// At least one.
  private(set) var rows: [ModeRow]
  let picture: Picture

  /// Its head: all names, `Standard, foreground · Continuous, pocket`.
  var heading: String { rows.map(\.heading).joined(separator: " · ") }

  /// The class of its lines and labels: that of the mode that goes on in the pocket, if any does, since the
  /// answer names it.
  var styleClass: String { (rows.first(where: \.goesOnInPocket) ?? rows.first)?.styleClass ?? "" }

  /// Rows with equal pictures joined, in the order in which each picture was first seen.
  static func merging(_ all: [(row: ModeRow, picture: Picture)]) -> [EqualRows] {
    var merged: [EqualRows] = []
    for (row, picture) in all {
      if let index = merged.firstIndex(where: { $0.picture == picture }) {
        merged[index].rows.append(row)
      } else {
        merged.append(EqualRows(rows: [row], picture: picture))
      }
    }
    return merged
  }
}
