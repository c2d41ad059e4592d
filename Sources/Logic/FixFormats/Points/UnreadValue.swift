// SPDX-License-Identifier: Apache-2.0

/// An optional value of a point that is present but not a number: the point is used without it, with a finding.
package struct UnreadValue: Sendable, Equatable {
  /// The name of the value, from a closed list.
  package let name: String
  package let text: String

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Whether a text means that there is no value, as programs write it.
  package static func isUnknown(_ text: String) -> Bool {
    ["", "-", "--", "?", "n/a", "na", "nan", "null", "nil", "none", "unknown", "\\n"]
      .contains(text.lowercased())
  }

  /// `speed_mps is '10 km/h', not a number`, with a remedy if known.
  var words: String {
    if let number = Double(text), number.isFinite {
      return "\(name) is \(text), which is no value of a fix"
    }
    let hint = text.contains(",") ? " (decimals need a point, not a comma)" : ""
    return "\(name) is '\(text)', not a number\(hint)"
  }
}
