// SPDX-License-Identifier: Apache-2.0

/// One fault of a profile file.
package struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based; `nil` if a row is missing altogether.
  package let line: Int?
  /// The row or the column concerned.
  package let key: String
  /// The text found there; `nil` if there was none.
  package let value: String?
  /// The allowed words; empty if they cannot be listed.
  package let allowed: [String]
  /// The fault, as a clause without a full stop.
  package let message: String

  init(
    line: Int? = nil, key: String, value: String? = nil, allowed: [String] = [], _ message: String
  ) {
    self.line = line
    self.key = key
    self.value = value
    self.allowed = allowed
    self.message = message
  }

  /// `line 12: gnss,track_good,power: the unit "W" is not known here; allowed: mW`.
  package var description: String {
    let place = line.map { "line \($0): " } ?? ""
    let list = allowed.isEmpty ? "" : "; allowed: " + allowed.joined(separator: ", ")
    return place + key + ": " + message + list
  }
}

/// All faults of a profile file, in the order of its lines; never empty.
package struct ProfileErrors: Error, Sendable, Equatable {
  package let errors: [ProfileError]
}
