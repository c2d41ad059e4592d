// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Members of a document, or cells of its CSV, in their order: names that end in their unit, and values.
struct Members: Sendable, ExpressibleByDictionaryLiteral {
  enum Value: Sendable {
    case text(String?)
    case flag(Bool)
    case count(Int?)
    case number(Double?, decimals: Int)

    // With the decimals that documents have of them (`Measure`).
    static func joules(_ value: Double?) -> Self { .number(value, decimals: 6) }
    static func seconds(_ value: Double?) -> Self { .number(value, decimals: 3) }
    static func metres(_ value: Double?) -> Self { .number(value, decimals: 1) }
    static func share(_ value: Double?) -> Self { .number(value, decimals: 6) }
  }

  private(set) var list: [(name: String, value: Value)]

  init(_ list: [(name: String, value: Value)]) { self.list = list }

  init(dictionaryLiteral elements: (String, Value)...) {
    list = elements.map { (name: $0.0, value: $0.1) }
  }

  static func + (a: Self, b: Self) -> Self { Self(a.list + b.list) }

  /// As cells of CSV; unknown is empty, and what is in `left` is left out.
  func cells(without left: Set<String> = []) -> [String] {
    list.filter { !left.contains($0.name) }.map { _, value in
      switch value {
      case .text(let text): CompareCSV.quoted(text ?? "")
      case .flag(let flag): flag ? "true" : "false"
      case .count(let count): count.map(String.init) ?? ""
      case .number(let number, let decimals):
        number.map { Decimal.text($0, decimals: decimals, trimmed: true) } ?? ""
      }
    }
  }
}

extension JSONWriter {
  /// Writes the members in their order; unknown is `null`.
  mutating func members(_ members: Members) {
    for (name, value) in members.list {
      switch value {
      case .text(let text): member(name, text)
      case .flag(let flag): member(name, flag)
      case .count(let count): member(name, count)
      case .number(let number, let decimals): member(name, number, decimals: decimals)
      }
    }
  }

  mutating func object(_ members: Members) { object { $0.members(members) } }

  mutating func object(_ name: String, _ members: Members) {
    key(name)
    object(members)
  }

  /// An array under a name, an element for each of `elements`.
  mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>,
    _ write: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    array { json in for element in elements { write(element, &json) } }
  }

  mutating func objects<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ members: (Element) -> Members
  ) {
    array(name, elements) { $1.object(members($0)) }
  }

  mutating func strings(_ name: String, _ texts: [String]) {
    array(name, texts) { $1.string($0) }
  }

  /// An object of counts, by key in the order of the alphabet.
  mutating func counts(_ name: String, _ counts: [String: Int]) {
    let sorted = counts.sorted { $0.key < $1.key }
    object(name, Members(sorted.map { ($0.key, .count($0.value)) }))
  }
}
