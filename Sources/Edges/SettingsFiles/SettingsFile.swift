// SPDX-License-Identifier: Apache-2.0

import Files
package import JSONText

// Theory
// ======
//
// People write settings in the form that they like; the reader should not care. So each form
// becomes the same kind of tree, a `JSONValue`, and is judged once, by `Settings`. The file's name
// gives the form, except for a binary property list, which its first bytes identify.
//
// A value that JSON lacks becomes the nearest text: a date and a time become RFC 3339, bytes become base64.
// Not-a-number and infinities are refused: no setting means them.
//
// A file may come from another process over a socket, so nothing in it may cost more than its length: the length is
// bounded, and so are the depth and the unfolding of YAML's aliases.

/// Files that people write, as one kind of tree.
package enum SettingsFile {
  /// The limit of a file, bytes; a longer one is no settings file.
  package static let lengthLimit = 1_048_576
  /// The limit of nested tables and arrays, in every form; JSON's own limit.
  package static let depthLimit = JSONValue.depthLimit
  /// The limit of values of the unfolded tree, in forms in which a file can write a value once and use it often.
  package static let valueLimit = 1_000_000

  /// The readable forms.
  package enum Form: String, Sendable, CaseIterable {
    case toml
    case yaml
    case json
    case propertyList = "plist"

    /// The form by a file's name and first bytes; `nil` if they give none.
    package init?(name: String, bytes: [UInt8]) {
      if bytes.starts(with: Array("bplist".utf8)) {
        self = .propertyList
        return
      }
      guard let dot = name.lastIndex(of: ".") else { return nil }
      switch name[name.index(after: dot)...].lowercased() {
      case "toml": self = .toml
      case "yaml", "yml": self = .yaml
      case "json": self = .json
      case "plist": self = .propertyList
      default: return nil
      }
    }
  }

  /// Reads TOML, YAML, JSON or a property list (XML or binary), by the file name's extension.
  ///
  /// Throws `Complaint`. An empty TOML or YAML file is an object without members.
  package static func parse(_ bytes: [UInt8], name: String) throws -> JSONValue {
    try document(bytes, name: name).value
  }

  /// The content of a file, and its line numbers.
  package struct Document: Sendable, Equatable {
    package let value: JSONValue
    /// Lines from 1, by the path of a key, for YAML; none for the other forms.
    package let lines: [String: Int]
  }

  /// The same with the lines of the keys, for messages.
  package static func document(_ bytes: [UInt8], name: String) throws -> Document {
    guard bytes.count <= lengthLimit else {
      throw Complaint(name, "\(bytes.count) bytes; a file of settings has at most \(lengthLimit)")
    }
    guard let form = Form(name: name, bytes: bytes) else {
      throw Complaint(
        name,
        "its name does not say its form; name it .toml, .yaml, .yml, .json or .plist")
    }
    if form == .propertyList {
      return Document(value: try PropertyListText.parse(bytes, name: name), lines: [:])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Complaint(name, "not UTF-8 text; save it as UTF-8")
    }
    // A byte order mark is no part of the text; Windows editors write one.
    let body =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    return switch form {
    case .toml: try document(body, name, "TOML", TOMLText.parse)
    case .yaml: try YAMLText.document(body, name: name)
    case .json, .propertyList: try document(body, name, "JSON", JSONValue.parse)
    }
  }

  /// The bytes of a settings file. Throws `Complaint` if it cannot be read.
  package static func read(_ path: String) throws -> [UInt8] {
    // Reads a little more than the limit, so that a longer one is detected.
    guard let bytes = SmallFile.bytes(of: path, limit: lengthLimit + 1) else {
      throw Complaint(path, SystemError.reading())
    }
    return bytes
  }

  private static func document(
    _ text: String, _ name: String, _ form: String,
    _ parse: (String) throws(SyntaxError) -> JSONValue
  ) throws -> Document {
    do throws(SyntaxError) {
      return Document(value: try parse(text), lines: [:])
    } catch {
      throw Complaint(name, TextPlace(of: error.offset, in: text), "not \(form): \(error.message)")
    }
  }
}

extension Complaint {
  /// About a file of settings: `walker.toml: …`.
  init(_ name: String, _ message: String) { self.init("\(name): \(message)") }

  /// About a place in it: `walker.toml:3:8: …`.
  init(_ name: String, _ place: TextPlace, _ message: String) {
    self.init("\(name):\(place.line):\(place.column): \(message)")
  }
}

/// A line and a column, both from 1.
struct TextPlace: Equatable {
  let line: Int
  let column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of the byte at `offset`; columns count characters.
  init(of offset: Int, in text: String) {
    let before = text.utf8.prefix(offset)
    line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { before.index(after: $0) } ?? before.startIndex
    column = String(decoding: before[start...], as: UTF8.self).count + 1
  }
}
