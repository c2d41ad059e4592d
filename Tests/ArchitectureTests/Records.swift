// SPDX-License-Identifier: Apache-2.0

/// One decision record, from its page.
struct DecisionRecord {
  /// `0022-Recordings-carry-whole-lives`.
  let name: String
  let text: String

  /// In this order; those that changed end with their `history`.
  static let sections = ["Decision", "Why", "Rejected", "Reconsider when"]
  static let history = "History"
  /// Short enough to be read before one changes something, and long enough for its figures.
  static let lengths = 150...350

  /// `0022`.
  var number: Substring { name.prefix(4) }

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  var title: Substring { lines.first ?? "" }

  /// The number of its words; a row of dashes is none.
  var length: Int {
    text.split(whereSeparator: \.isWhitespace).count {
      $0.contains { $0.isLetter || $0.isNumber }
    }
  }

  var headings: [String] {
    lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
  }

  /// The first line between the title and the first section that is not empty.
  var summary: Substring? {
    lines.dropFirst().prefix { !$0.hasPrefix("## ") }.first { !$0.isEmpty }
  }
}
