// SPDX-License-Identifier: Apache-2.0

/// What can name an app, in a manifest and on the wire.
package enum AppName {
  /// The greatest length in bytes.
  package static let lengthLimit = 64
  /// What is a name, for a sentence.
  package static let words =
    "1 to \(lengthLimit) of a-z, A-Z, 0-9, '.', '_' and '-', not beginning with '.'"

  /// Whether `text` is 1 to 64 of a–z, A–Z, 0–9, `.`, `_` and `-`, not beginning with `.`.
  package static func isValid(_ text: String) -> Bool {
    let isAllowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isAllowed && (1...lengthLimit).contains(text.utf8.count) && !text.hasPrefix(".")
  }
}
