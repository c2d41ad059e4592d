// SPDX-License-Identifier: Apache-2.0

/// An optional value of a point that is there and is no number: the point is used without it, and that
/// is told.
package struct UnreadValue: Sendable, Equatable {
  /// What the value is, by a closed list of names.
  package let name: String
  package let text: String

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Whether a text says that there is no value, as programs write it.
  package static func isUnknown(_ text: String) -> Bool {
    ["", "-", "--", "?", "n/a", "na", "nan", "null", "nil", "none", "unknown", "\\n"]
      .contains(text.lowercased())
  }

  /// `speed_mps is '10 km/h', not a number`, with what to do where that is known.
  var words: String {
    if let number = Double(text), number.isFinite {
      return "\(name) is \(text), which is no value of a fix"
    }
    let hint = text.contains(",") ? " (decimals need a point, not a comma)" : ""
    return "\(name) is '\(text)', not a number\(hint)"
  }
}
