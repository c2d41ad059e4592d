// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

// Theory
// ======
//
// The sums over any number of traces as one line of text, which can be added to others in any order and by any tree:
//
//     {"schema":"milepost.compare-partial/5", settings, how many, names …, "sums":"base85"}
//
//   trace ──► line ─┐
//   trace ──► line ─┴─ += ──► line ─┐
//   trace ──► line ─────────────────┴─ += ──► line ──► total
//
// The head is a table as in every document: it states the options behind the line, and what it is about. Lines with other
// options or of another release cannot be added up and are refused, with the differences. The sums are `ExactSums`,
// whose places only the same release of this program knows; so equal sets of traces are equal bytes, and the length of a
// line does not grow with their number.

/// A line that can be added to others of its kind.
package protocol PartialLine: JSONObject {
  /// Schema, and the command that writes such lines.
  static var title: String { get }
  static var command: String { get }
  var release: String { get }
  /// The options that decide the sums, by name, as they would be written.
  var settings: [(name: String, value: String)] { get }
  var subjects: PartialSubjects { get }
  var sums: ExactSums { get set }
  /// Adds what another line of the same settings says beside its sums.
  mutating func addHead(of other: Self)
}

/// How many traces are in a line, and what some of them are called.
package struct PartialSubjects: Sendable, Equatable {
  /// At least 1 in every line.
  package internal(set) var count = 0
  /// The first names in the order of their bytes.
  package internal(set) var names: [String] = []

  /// The most names that are kept [ours].
  package static let mostNames = 20
  /// The most bytes of one; of a longer one only the end is kept [ours].
  private static let longestName = 96

  package init() {}

  package init(name: String) {
    count = 1
    names = [
      name.utf8.count <= Self.longestName
        ? name : "…" + String(decoding: name.utf8.suffix(Self.longestName - 3), as: UTF8.self)
    ]
  }

  package static func += (a: inout Self, b: Self) {
    a.count += b.count
    // As most of a million lines: none of the first names.
    if a.names.count == mostNames,
      !b.names.contains(where: { $0.utf8.lexicographicallyPrecedes(a.names[mostNames - 1].utf8) })
    {
      return
    }
    a.names = Array(
      (a.names + b.names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .prefix(mostNames))
  }
}

extension PartialLine {
  /// The line without its line feed.
  package var line: [UInt8] { Self.table.document(self) }

  /// The schema of a line about `subject`.
  static func schema(of subject: String) -> JSONSchema {
    JSONSchema(
      title,
      "milepost \(command) --partial: the sums over \(subject) as one line, to be added up by milepost \(command) "
        + "--merge of the same release.", table.shape)
  }

  /// Adds another line of the same settings and shape.
  package static func += (a: inout Self, b: Self) { a.add(b, b.sums) }

  /// Adds another line, whose sums are these.
  package mutating func add(_ head: Self, _ sums: ExactSums) {
    addHead(of: head)
    self.sums += sums
  }

  /// Reads a line, and checks whether it was made by `release` with `settings`; its sums must have the places of `shape`.
  package static func read(
    line: [UInt8], release: String, settings: [(name: String, value: String)], shape: ExactSums
  ) throws(InputError) -> Self {
    var reader = PartialReader<Self>(release: release, settings: settings, shape: shape)
    var partial = try reader.read(line)
    partial.sums = reader.sums
    return partial
  }
}

extension JSONTable where Root: PartialLine {
  /// What stands at the beginning of each line.
  mutating func head(
    _ release: any WritableKeyPath<Root, String> & Sendable,
    _ settings: any WritableKeyPath<Root, [(name: String, value: String)]> & Sendable,
    _ subjects: any WritableKeyPath<Root, PartialSubjects> & Sendable, of name: String
  ) {
    constant("schema", .string(Root.title))
    field("release", release)
    field("settings", settings, .texts, about: "Options by name; lines of others are not added up.")
    member(
      name, .whole(in: 0...1_000_000_000_000), isRequired: true, about: "How many are in the sums.",
      get: { $0[keyPath: subjects].count }, set: { $0[keyPath: subjects].count = $1 })
    member(
      "names", [String].json, isRequired: true,
      about: "The first \(PartialSubjects.mostNames) of them, by name.",
      get: { $0[keyPath: subjects].names }, set: { $0[keyPath: subjects].names = $1 })
  }

  /// What stands at its end.
  mutating func sums() {
    value("sums", about: "What is added up; read by the same release only.") {
      Base85.text($0.sums.words)
    }
  }
}

extension JSONForm where Value == Int {
  /// A count that can be added to a million others.
  static var summable: Self { .whole(in: 0...1_000_000_000_000) }
}

/// A text that all parts have in common; `nil` if they differ.
func common(_ a: String?, _ b: String?) -> String? {
  // Not as text: é has two spellings, and which one is kept would depend on the order.
  guard let a, let b, a.utf8.elementsEqual(b.utf8) else { return nil }
  return a
}

/// The earlier and the later of two times that may be unknown.
func earlier(_ a: UTCInstant?, _ b: UTCInstant?) -> UTCInstant? {
  [a, b].compactMap(\.self).min()
}

func later(_ a: UTCInstant?, _ b: UTCInstant?) -> UTCInstant? {
  [a, b].compactMap(\.self).max()
}
