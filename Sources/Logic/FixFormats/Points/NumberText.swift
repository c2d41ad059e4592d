// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Numbers in trace files: a point for decimals, whatever the locale.
package enum NumberText {
  /// The number in `text` (surrounding blanks allowed), or `nil` if there is none.
  package static func value(_ text: borrowing Span<UInt8>) -> Double? {
    value(text, 0..<text.count)
  }

  /// The number in a part of `text`.
  package static func value(_ text: borrowing Span<UInt8>, _ part: Range<Int>) -> Double? {
    var (start, end) = (part.lowerBound, part.upperBound)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    return Decimal.value(text, from: start, to: end)
  }

  /// The shortest text that reads back as the same number; see `Decimal.shortest`.
  package static func text(_ value: Double) -> String { Decimal.shortest(value) }

  /// Appends the text of `text(_:)`.
  package static func appendText(of value: Double, to bytes: inout [UInt8]) {
    Decimal.append(shortest: value, to: &bytes)
  }
}
