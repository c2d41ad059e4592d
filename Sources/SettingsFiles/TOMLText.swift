// SPDX-License-Identifier: Apache-2.0

import JSONText
import TOMLKit

/// TOML 1.0 as a tree.
enum TOMLText {
  /// Points in a file at most, wherever they stand: with them the depth of its tables is bounded too.
  static let pointLimit = 2_048

  static func parse(_ text: String, name: String) throws -> JSONValue {
    if text.unicodeScalars.contains("\0") { throw SettingsFileError(name, "holds a zero byte") }
    // The library builds one table per part of a dotted key, and frees them by recursion.
    guard text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= pointLimit else {
      throw SettingsFileError(
        name, "more than \(pointLimit) points, comments included; no settings need so many")
    }
    do {
      return try value(TOMLTable(string: text), Path(file: name), depth: 0)
    } catch let error as TOMLParseError {
      let begin = error.source.begin
      let place = TextPlace(line: begin.line, column: begin.column)
      throw SettingsFileError(name, place, "not TOML: \(Self.words(error.description))")
    }
  }

  private struct Path {
    let file: String
    var keys: [String] = []

    func appending(_ key: String) -> Path { Path(file: file, keys: keys + [key]) }

    func failure(_ message: String) -> SettingsFileError {
      SettingsFileError(file, keys.isEmpty ? message : "\(keys.joined(separator: ".")): \(message)")
    }
  }

  private static func value(
    _ node: any TOMLValueConvertible, _ path: Path, depth: Int
  ) throws -> JSONValue {
    guard depth < SettingsFile.depthLimit else { throw path.failure("nested too deeply") }
    switch node.type {
    case .table:
      guard let table = node.table else { break }
      // The library gives its keys in their alphabetical order.
      return .object(
        try table.keys.compactMap { key in
          guard let member = table[key] else { return nil }
          return .init(key, try value(member, path.appending(key), depth: depth + 1))
        })
    case .array:
      guard let array = node.array else { break }
      return .array(
        try array.enumerated().map { index, element in
          try value(element, path.appending("\(index)"), depth: depth + 1)
        })
    case .string: if let text = node.string { return .string(text) }
    case .bool: if let isTrue = node.bool { return .bool(isTrue) }
    case .int: if let number = node.int { return .number(Double(number)) }
    case .double:
      guard let number = node.double, number.isFinite else {
        throw path.failure("not a finite number; no setting means inf or nan")
      }
      return .number(number)
    case .date: if let date = node.date { return .string(date.debugDescription) }
    case .time: if let time = node.time { return .string(time.debugDescription) }
    case .dateTime: if let time = node.dateTime { return .string(time.debugDescription) }
    }
    throw path.failure("a value that cannot be read")
  }

  /// The library's sentence without its first words, which say that it is parsing.
  private static func words(_ description: String) -> String {
    let mark = ": "
    guard description.hasPrefix("Error while parsing "),
      let range = description.firstRange(of: mark)
    else { return description }
    return String(description[range.upperBound...])
  }
}
