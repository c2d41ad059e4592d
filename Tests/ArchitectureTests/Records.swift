// SPDX-License-Identifier: Apache-2.0

/// One decision record, from its page.
struct DecisionRecord {
  /// `0022-Recordings-carry-decisions`.
  let name: String
  let text: String

  /// `0022`.
  var number: Substring { name.prefix(4) }

  /// The relations between records, and their inverses.
  enum Relation: String, CaseIterable {
    case replaces = "Replaces"
    case replaced = "Replaced by"
    case amends = "Amends"
    case amended = "Amended by"

    var inverse: Self {
      switch self {
      case .replaces: .replaced
      case .replaced: .replaces
      case .amends: .amended
      case .amended: .amends
      }
    }
  }

  struct Status {
    /// In the order of the page, each with the whole name of the other record.
    var relations: [(relation: Relation, other: String)] = []

    /// The words of the overview.
    var words: String {
      let said = relations.map { "\($0.relation.rawValue.lowercased()) \($0.other.prefix(4))" }
      let isReplaced = relations.contains { $0.relation == .replaced }
      return ((isReplaced ? [] : ["accepted"]) + said).joined(separator: ", ")
    }
  }

  static let sections = ["Status", "Context", "Decision", "Consequences", "Alternatives"]

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  var title: Substring { lines.first ?? "" }

  /// As other records name it.
  var link: String { "[\(number)](\(name).md)" }

  var headings: [String] {
    lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
  }

  /// The first line between the title and the first section that is not empty.
  var summary: Substring? {
    lines.dropFirst().prefix { !$0.hasPrefix("## ") }.first { !$0.isEmpty }
  }

  /// `Accepted, 2026-11.`, then a sentence for each record that it replaces or amends, or by which it is replaced or
  /// amended; `nil` for any other text.
  var status: Status? {
    let section = lines.drop { $0 != "## Status" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    let sentences = section.joined(separator: " ").split(separator: ". ").map {
      $0.drop { $0 == " " }
    }
    guard let first = sentences.first, first.hasPrefix("Accepted, 20") else { return nil }
    var status = Status()
    for sentence in sentences.dropFirst() where !sentence.isEmpty {
      // `Amends [0034](0034-One-belief-one-decision.md)`, and a full stop if it is the last one.
      guard let parts = sentence.wholeMatch(of: /(.+) \[(\d{4})\]\((\2-.+)\.md\)\.?/),
        let relation = Relation(rawValue: String(parts.1))
      else { return nil }
      status.relations.append((relation, String(parts.3)))
    }
    return status
  }
}
