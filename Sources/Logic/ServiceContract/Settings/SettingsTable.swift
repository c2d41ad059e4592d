// SPDX-License-Identifier: Apache-2.0

package import JSONText

// Theory
// ======
//
// A file of settings is read key by key. Each question names a key and its allowed values; a fault is noted and the
// default applies, so one reading finds all problems. A key that was asked for is known from then on: `finish` compares
// the keys in the file with them, so no second list of known keys can go stale.

/// One object of a file of settings while being read.
package struct SettingsTable {
  package let file: String
  /// Keys that lead here, with a final point if there are any.
  private let prefix: String
  private let members: [JSONValue.Member]
  private(set) var known: [String] = []
  package private(set) var problems: [SettingsProblem] = []

  /// Reads `value`; if it is not an object, that is a problem and it has no members.
  package init(_ value: JSONValue, file: String, path: String = "") {
    self.file = file
    prefix = path.isEmpty ? "" : path + "."
    members = value.members ?? []
    if value.members == nil {
      problems.append(
        .init(
          file: file, path: path,
          message: "\(Self.words(value)) where keys and values were expected"))
    }
  }

  /// The keys present, in the order of the file.
  var keys: [String] { members.map(\.key) }

  /// Whether `key` has a value; null is none.
  package func states(_ key: String) -> Bool {
    members.contains { $0.key == key && $0.value != .null }
  }

  package mutating func noteProblem(at key: String, _ message: String) {
    problems.append(.init(file: file, path: key.isEmpty ? "" : prefix + key, message: message))
  }

  /// Adds the problems found in a nested table.
  package mutating func include(problems found: [SettingsProblem]) { problems += found }

  /// The path of a key, as problems name it.
  package func path(_ key: String) -> String { prefix + key }

  /// The value of `key`; `nil` if there is none or it is null. A second name counts the same.
  package mutating func value(_ key: String, or other: String? = nil) -> JSONValue? {
    known.append(key)
    if let other { known.append(other) }
    let found = members.filter { $0.key == key || $0.key == other }
    if found.count > 1 {
      let isSame = found.allSatisfy { $0.key == key }
      noteProblem(
        at: key,
        isSame || other == nil
          ? "given twice; keep one" : "given as \(key) and as \(other ?? ""); keep one")
    }
    guard let value = found.first?.value, value != .null else { return nil }
    return value
  }

  package mutating func string(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else {
      noteProblem(at: key, "\(Self.words(value)) where a text in quotes was expected")
      return nil
    }
    if text.unicodeScalars.contains("\0") {
      noteProblem(at: key, "holds a zero byte")
      return nil
    }
    return text
  }

  /// A path; a relative one begins at `directory`, the file's folder.
  package mutating func absolutePath(_ key: String, from directory: String) -> String? {
    guard let text = string(key) else { return nil }
    guard !text.isEmpty, !text.hasPrefix("~") else {
      noteProblem(
        at: key, "'\(text)' is not a path; write it out, from / or from where this file lies")
      return nil
    }
    if text.hasPrefix("/") { return text }
    return text == "." ? directory : directory + (directory.hasSuffix("/") ? "" : "/") + text
  }

  /// A flag; also in the words that people use for it.
  package mutating func bool(_ key: String, or other: String? = nil) -> Bool? {
    guard let value = value(key, or: other) else { return nil }
    switch value {
    case .bool(let isTrue): return isTrue
    case .string("yes"), .string("on"): return true
    case .string("no"), .string("off"): return false
    default:
      noteProblem(at: key, "\(Self.words(value)) where true or false was expected")
      return nil
    }
  }

  /// A number within `range`, in `unit`.
  package mutating func number(_ key: String, in range: ClosedRange<Double>, unit: String)
    -> Double?
  {
    guard let value = value(key) else { return nil }
    guard let number = value.number, range.contains(number) else {
      let (low, high) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
      noteProblem(at: key, "\(Self.words(value)) is not a number of \(unit) from \(low) to \(high)")
      return nil
    }
    return number
  }

  package mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.number, let whole = Int(exactly: number), range.contains(whole) else {
      noteProblem(
        at: key,
        "\(Self.words(value)) is not a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
      return nil
    }
    return whole
  }

  /// One of a list of words.
  package mutating func choice<Choice: RawRepresentable<String>>(
    _ key: String, among choices: [Choice]
  ) -> Choice? {
    guard let name = word(key, among: choices.map(\.rawValue)) else { return nil }
    return Choice(rawValue: name)
  }

  /// One of a list of words.
  package mutating func word(_ key: String, among words: [String]) -> String? {
    guard let text = string(key) else { return nil }
    guard words.contains(text) else {
      noteProblem(at: key, Self.refusal(of: text, among: words))
      return nil
    }
    return text
  }

  /// An array of texts, of at most `limit`.
  package mutating func strings(_ key: String, or other: String? = nil, limit: Int) -> [String]? {
    guard let value = value(key, or: other) else { return nil }
    guard let elements = value.array else {
      noteProblem(
        at: key, "\(Self.words(value)) where an array of texts was expected, as in [a, b]")
      return nil
    }
    guard elements.count <= limit else {
      noteProblem(at: key, "\(elements.count) elements; at most \(limit) are allowed")
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = element.string, !text.unicodeScalars.contains("\0") else {
        noteProblem(
          at: "\(key)[\(index)]", "\(Self.words(element)) where a text in quotes was expected")
        continue
      }
      texts.append(text)
    }
    return texts.count == elements.count ? texts : nil
  }

  /// An array of at most `limit` tables, as `read` reads each, which also gets its path; `nil` from it leaves a table out.
  mutating func tables<Element>(
    _ key: String, limit: Int, expected: String? = nil,
    read: (_ table: inout SettingsTable, _ path: String) -> Element?
  ) -> [Element]? {
    guard let value = value(key) else { return nil }
    guard let elements = value.array, elements.count <= limit else {
      let expected = expected ?? "an array of at most \(limit) tables was expected"
      noteProblem(at: key, "\(Self.words(value)) where \(expected)")
      return nil
    }
    return elements.enumerated().compactMap { index, element in
      let path = path("\(key)[\(index)]")
      var part = SettingsTable(element, file: file, path: path)
      let found = read(&part, path)
      include(problems: part.problems)
      return found
    }
  }

  /// Notes the keys never asked for, except those for which `isForeign` is true.
  package mutating func finish(isForeign: (String) -> Bool = { _ in false }) {
    for key in keys where !known.contains(key) && !isForeign(key) {
      noteProblem(at: Self.shortened(key), "no such key\(NearestName.advice(key, among: known))")
    }
  }

  package static func refusal(of text: String, among words: [String]) -> String {
    "'\(shortened(text))' is not one of \(words.joined(separator: ", "))"
      + NearestName.advice(text, among: words)
  }

  /// A value in few words.
  package static func words(_ value: JSONValue) -> String {
    switch value {
    case .null: "nothing"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let number): Decimal.shortest(number)
    case .string(let text): "'\(shortened(text))'"
    case .array: "an array"
    case .object: "a table"
    }
  }

  /// A text short enough for a line.
  package static func shortened(_ text: String) -> String {
    text.count <= 60 ? text : text.prefix(57) + "..."
  }
}
