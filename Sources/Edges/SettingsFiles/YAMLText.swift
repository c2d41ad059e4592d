// SPDX-License-Identifier: Apache-2.0

import JSONText
import Yams

// Theory
// ======
//
// Yams, around libyaml, finds the structure. What a plain word means is said here, for libyaml speaks YAML 1.1, where
// `off` is false, `12:30` is 750 and `010` is 8. These are the words of YAML 1.2's core schema (yaml.org/spec/1.2.2,
// 10.3.2), the same as JSON's but for more ways to write a number: null, true, false, numbers, and everything else is
// text. So `modem: off` is a word; a flag takes `yes`, `no`, `on` and `off` too, for whoever asks for a flag knows what
// is meant (`SettingsTable.bool`).
//
// A document with several aliases can unfold to far more than its length, so there is a limit.

/// One YAML document as a tree.
enum YAMLText {
  /// The limit of aliases in a file: with 16 of them the unfolded tree is at most some 400 times the text's.
  static let aliasLimit = 16
  /// The limit of values whose lines are kept.
  static let lineLimit = 20_000
  /// The length limit of a path whose line is kept, characters: a key of half a file's length is part of the paths of
  /// all values below it.
  static let pathLimit = 400

  /// The tree, and the lines of its values by their path: `apps[1].on launch[0]`.
  static func document(_ text: String, name: String) throws -> SettingsFile.Document {
    if text.unicodeScalars.contains("\0") { throw Complaint(name, "holds a zero byte") }
    guard aliases(in: text) <= aliasLimit else {
      throw Complaint(name, "more than \(aliasLimit) aliases (*name); write the values out")
    }
    do {
      guard let root = try compose(yaml: text, .basic, .default, .utf8) else {
        return .init(value: .object([]), lines: [:])
      }
      var reader = Reader(file: name)
      let value = try reader.readValue(root, path: "", depth: 0)
      return .init(value: value == .null ? .object([]) : value, lines: reader.lines)
    } catch let error as YamlError {
      throw failure(error, name: name)
    }
  }

  private struct Reader {
    let file: String
    var values = 0
    var lines: [String: Int] = [:]

    /// `path` is `nil` if it is too long to be kept, and with it those of all values below.
    mutating func readValue(_ node: Node, path: String?, depth: Int) throws -> JSONValue {
      values += 1
      keep(node, path, isKey: false)
      guard depth < SettingsFile.depthLimit, values <= SettingsFile.valueLimit else {
        throw failure(node, "nested too deeply, or too many values")
      }
      switch node {
      case .mapping(let mapping):
        var members: [JSONValue.Member] = []
        for (key, value) in mapping {
          guard case .scalar(let scalar) = key else {
            throw failure(key, "a key that is not a plain text")
          }
          let name = scalar.string
          let path = path.flatMap { longer($0, $0.isEmpty ? name : ".\(name)") }
          keep(key, path, isKey: true)
          members.append(.init(name, try self.readValue(value, path: path, depth: depth + 1)))
        }
        return .object(members)
      case .sequence(let sequence):
        var elements: [JSONValue] = []
        for (index, element) in sequence.enumerated() {
          let path = path.flatMap { longer($0, "[\(index)]") }
          elements.append(try readValue(element, path: path, depth: depth + 1))
        }
        return .array(elements)
      // Quoted text and blocks are text, whatever their content.
      case .scalar(let scalar) where scalar.style == .plain || scalar.style == .any:
        guard let value = PlainWord.value(of: scalar.string) else {
          throw failure(node, "not a finite number; no setting means .inf or .nan")
        }
        return value
      case .scalar(let scalar): return .string(scalar.string)
      case .alias: throw failure(node, "an alias of nothing")
      }
    }

    private func longer(_ path: String, _ part: String) -> String? {
      path.utf8.count + part.utf8.count <= pathLimit ? path + part : nil
    }

    /// Keeps the line of the node at a path; that of the key takes precedence over that of its value.
    private mutating func keep(_ node: Node, _ path: String?, isKey: Bool) {
      guard let path, values <= lineLimit, isKey || lines[path] == nil else { return }
      lines[path] = node.mark?.line
    }

    private func failure(_ node: Node, _ message: String) -> Complaint {
      guard let mark = node.mark else { return Complaint(file, message) }
      return Complaint(file, TextPlace(line: mark.line, column: mark.column), message)
    }
  }

  private static func failure(_ error: YamlError, name: String) -> Complaint {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let words = context.map { "\(problem) \($0.text)" } ?? problem
      return Complaint(name, TextPlace(line: mark.line, column: mark.column), "not YAML: \(words)")
    case .duplicatedKeysInMapping(let keys, let context):
      return Complaint(
        name, TextPlace(line: context.mark.line, column: context.mark.column),
        "the key '\(keys.first ?? "")' stands there twice; keep one")
    case .reader(let problem, _, _, _): return Complaint(name, "not YAML: \(problem)")
    case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
      return Complaint(name, "not YAML: \(error)")
    }
  }

  /// The number of words that begin with `*`: never less than the number of aliases.
  private static func aliases(in text: String) -> Int {
    var count = 0
    var before = UInt8(ascii: "\n")
    var isStar = false
    for byte in text.utf8 {
      if isStar, byte > 0x20 { count += 1 }
      isStar = byte == UInt8(ascii: "*") && " \t\r\n[{,:-?".utf8.contains(before)
      before = byte
    }
    return count
  }
}

/// The meaning of a plain word in YAML 1.2's core schema.
enum PlainWord {
  /// `nil` if it is a number that is not finite.
  static func value(of word: String) -> JSONValue? {
    switch word {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return nil
    default: break
    }
    guard let number = number(word) else { return .string(word) }
    return number.isFinite ? .number(number) : nil
  }

  /// `nil` if it is none. A decimal one may be signed, and have a fraction and an exponent; hexadecimal and octal ones
  /// are whole.
  private static func number(_ word: String) -> Double? {
    if word.hasPrefix("0x") { return whole(word.dropFirst(2), radix: 16) }
    if word.hasPrefix("0o") { return whole(word.dropFirst(2), radix: 8) }
    let unsigned = word.first == "-" || word.first == "+" ? word.dropFirst() : word[...]
    if [".inf", ".Inf", ".INF"].contains(unsigned) { return .infinity }
    let signs = "+-.eE".utf8
    guard let first = unsigned.utf8.first, isDigit(first) || first == UInt8(ascii: "."),
      unsigned.utf8.allSatisfy({ isDigit($0) || signs.contains($0) })
    else { return nil }
    return Double(word)
  }

  private static func whole(_ digits: Substring, radix: Int) -> Double? {
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }) else {
      return nil
    }
    return UInt64(digits, radix: radix).map { Double($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
