// SPDX-License-Identifier: Apache-2.0

/// Bars of eighths of a block, for a terminal: the longest value has the full width.
package enum TextBars {
  private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

  /// One bar per value, each at most `width` columns and without trailing spaces; a value above 0 shows
  /// at least the thinnest block, 0 shows nothing.
  package static func bars(_ values: [Double], width: Int) -> [String] {
    let full = values.max() ?? 0
    return values.map { value in
      guard value > 0, full > 0 else { return "" }
      let count = max(1, Int((value / full * Double(width * 8)).rounded()))
      let rest = count % 8
      return String(repeating: "█", count: count / 8) + (rest > 0 ? String(eighths[rest - 1]) : "")
    }
  }
}
