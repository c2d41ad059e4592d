// SPDX-License-Identifier: Apache-2.0

import JSONText
import Yams

/// One YAML document as a tree.
///
/// Plain words are read as in YAML 1.1, as most tools do: `yes`, `on` and `true` are true. Dates stay text. A document
/// with several aliases can unfold to far more than its length, so there is a limit.
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
    let resolver = Resolver.default.removing(.timestamp).removing(.merge).removing(.value)
    do {
      guard let root = try compose(yaml: text, resolver, .default, .utf8) else {
        return .init(value: .object([]), lines: [:])
      }
      var reader = Reader(file: name)
      let value = try reader.value(root, path: "", depth: 0)
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
    mutating func value(_ node: Node, path: String?, depth: Int) throws -> JSONValue {
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
          members.append(.init(name, try self.value(value, path: path, depth: depth + 1)))
        }
        return .object(members)
      case .sequence(let sequence):
        var elements: [JSONValue] = []
        for (index, element) in sequence.enumerated() {
          let path = path.flatMap { longer($0, "[\(index)]") }
          elements.append(try value(element, path: path, depth: depth + 1))
        }
        return .array(elements)
      case .scalar(let scalar): return try self.scalar(scalar, node)
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

    private func scalar(_ scalar: Node.Scalar, _ node: Node) throws -> JSONValue {
      // Quoted text and blocks are text, whatever their content.
      guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
      if node.null != nil { return .null }
      if let isTrue = node.bool { return .bool(isTrue) }
      if let whole = node.int { return .number(Double(whole)) }
      guard let number = node.float else { return .string(scalar.string) }
      guard number.isFinite else {
        throw failure(node, "not a finite number; no setting means .inf or .nan")
      }
      return .number(number)
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
