// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText

/// A property list, XML or binary, as a tree; members in the order of their keys.
enum PropertyListText {
  static func parse(_ bytes: [UInt8], name: String) throws -> JSONValue {
    guard !bytes.isEmpty else { throw Complaint(name, "the file is empty") }
    let isBinary = bytes.starts(with: Array("bplist".utf8))
    // The library reads elements by recursion, and unfolds repeated objects of a binary list.
    if !isBinary, depth(bytes) > SettingsFile.depthLimit {
      throw Complaint(name, "nested too deeply")
    }
    if isBinary {
      do throws(BinaryListSurvey.Fault) {
        try BinaryListSurvey.check(bytes)
      } catch {
        switch error {
        case .tooMuch: throw Complaint(name, "nested too deeply, or too many values")
        case .foreign:
          throw Complaint(
            name, "a set, or another object that property list files do not have: save it as XML")
        case .damaged:
          throw Complaint(
            name,
            "not a property list: its content is damaged (plutil -lint tells more on a Mac)")
        }
      }
    }
    let tree: Any
    do {
      tree = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
    } catch {
      throw Complaint(
        name, "not a property list: \(reason(error)) (plutil -lint tells more on a Mac)")
    }
    return try value(tree, name: name, path: [])
  }

  private static func value(_ node: Any, name: String, path: [String]) throws -> JSONValue {
    guard path.count < SettingsFile.depthLimit else {
      throw Complaint(name, "nested too deeply")
    }
    switch node {
    case let table as [String: Any]:
      return .object(
        try table.keys.sorted().map { key in
          .init(key, try value(table[key] as Any, name: name, path: path + [key]))
        })
    case let array as [Any]:
      return .array(
        try array.enumerated().map { index, element in
          try value(element, name: name, path: path + ["\(index)"])
        })
    case let text as String: return .string(text)
    case let number as NSNumber: return try self.number(number, name: name, path: path)
    case let date as Date: return .string(date.ISO8601Format())
    case let data as Data: return .string(data.base64EncodedString())
    default:
      let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
      throw Complaint(name, "\(place)a value of a kind that cannot be read")
    }
  }

  private static func number(
    _ number: NSNumber, name: String, path: [String]
  ) throws -> JSONValue {
    if isBoolean(number) { return .bool(number.boolValue) }
    guard number.doubleValue.isFinite else {
      throw Complaint(name, "\(path.joined(separator: ".")): not a finite number")
    }
    return .number(number.doubleValue)
  }

  /// Whether a number of the library is one of its two truth values.
  private static func isBoolean(_ number: NSNumber) -> Bool {
    number === NSNumber(value: true) || number === NSNumber(value: false)
  }

  private static func reason(_ error: any Error) -> String {
    let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
    return words.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } ?? "its content is damaged"
  }

  /// The nesting depth of elements, by counting tags.
  private static func depth(_ bytes: [UInt8]) -> Int {
    var depth = 0
    var deepest = 0
    var opened = false
    for (before, byte) in zip(bytes, bytes.dropFirst()) {
      if before == UInt8(ascii: "<") {
        opened = byte != UInt8(ascii: "/") && byte != UInt8(ascii: "!") && byte != UInt8(ascii: "?")
        if opened { depth += 1 }
        if byte == UInt8(ascii: "/") { depth -= 1 }
      }
      // An element without content.
      if opened, byte == UInt8(ascii: ">") {
        if before == UInt8(ascii: "/") { depth -= 1 }
        opened = false
      }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
