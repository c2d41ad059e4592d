// SPDX-License-Identifier: Apache-2.0

/// One decision record, from its page.
struct DecisionRecord {
  /// `0022-Recordings-carry-whole-lives`.
  let name: String
  let text: String

  /// `0022`.
  var number: Substring { name.prefix(4) }

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  var title: Substring { lines.first ?? "" }

  var headings: [String] {
    lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
  }

  /// The first line between the title and the first section that is not empty.
  var summary: Substring? {
    lines.dropFirst().prefix { !$0.hasPrefix("## ") }.first { !$0.isEmpty }
  }
}
