// SPDX-License-Identifier: Apache-2.0

import Host
package import JSONText

// Theory
// ======
//
// What people write is YAML, of which JSON is a part; an app's Info.plist, as Xcode builds it, is a property list. The
// file's name says which, except for a binary property list, which its first bytes identify. Each becomes the same kind
// of tree, a `JSONValue`, and is judged once, by `Settings`.
//
// JSON has a reader here that knows all of its escapes, which libyaml does not. A value that JSON lacks becomes the
// nearest text: a date and a time become RFC 3339, bytes become base64. Not-a-number and infinities are refused: no
// setting means them.
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
  package enum Form: Sendable, Equatable {
    case yaml
    case json
    case propertyList

    /// The form by a file's name and first bytes; `nil` if they give none.
    package init?(name: String, bytes: [UInt8]) {
      if bytes.starts(with: Array("bplist".utf8)) {
        self = .propertyList
        return
      }
      switch SettingsFile.ending(of: name) {
      case "yaml", "yml": self = .yaml
      case "json": self = .json
      case "plist": self = .propertyList
      default: return nil
      }
    }
  }

  /// A file's content, and its line numbers.
  package struct Document: Sendable, Equatable {
    package let value: JSONValue
    /// Lines from 1, by the path of a key, for YAML; none for the other forms.
    package let lines: [String: Int]
  }

  /// Reads YAML or JSON, by the ending of the file's name; `orInfoPlist` also allows a property list, XML or binary.
  ///
  /// Throws `Complaint`. An empty YAML file is an object without members.
  package static func document(
    _ bytes: [UInt8], name: String, orInfoPlist: Bool = false
  ) throws -> Document {
    guard bytes.count <= lengthLimit else {
      throw Complaint(name, "\(bytes.count) bytes; a file of settings has at most \(lengthLimit)")
    }
    switch Form(name: name, bytes: bytes) {
    case nil: throw Complaint(name, unknownForm(name, orInfoPlist: orInfoPlist))
    case .yaml:
      let text = try text(bytes, name)
      guard !TOMLTrace.isIn(text) else { throw Complaint(name, TOMLTrace.advice) }
      return try YAMLText.document(text, name: name)
    case .json:
      let text = try text(bytes, name)
      do throws(SyntaxError) {
        return Document(value: try JSONValue.parse(text), lines: [:])
      } catch {
        throw Complaint(
          name, TextPlace(of: error.offset, in: text), "not JSON: \(error.message)")
      }
    case .propertyList:
      guard orInfoPlist else {
        throw Complaint(name, "a property list is read as an app's Info.plist only; write YAML")
      }
      return Document(value: try PropertyListText.parse(bytes, name: name), lines: [:])
    }
  }

  /// `yaml` of `walker.YAML`; empty if there is none.
  private static func ending(of name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func unknownForm(_ name: String, orInfoPlist: Bool) -> String {
    if ending(of: name) == "toml" { return TOMLTrace.advice }
    return "its name does not say its form; name it .yaml, .yml"
      + (orInfoPlist ? ", .json, or .plist if it is an app's Info.plist" : " or .json")
  }

  /// The text without a byte order mark, which Windows editors write.
  private static func text(_ bytes: [UInt8], _ name: String) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Complaint(name, "not UTF-8 text; save it as UTF-8")
    }
    return text.unicodeScalars.first == "\u{FEFF}"
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// The bytes of a settings file. Throws `Complaint` if it cannot be read.
  package static func readBytes(of path: String) throws -> [UInt8] {
    // Reads a little more than the limit, so that a longer one is detected.
    guard let bytes = SmallFile.bytes(of: path, limit: lengthLimit + 1) else {
      throw Complaint(path, SystemError.reading())
    }
    return bytes
  }
}

/// What earlier releases read, and what to do with it.
private enum TOMLTrace {
  static let advice = """
    TOML is no longer read; write it as YAML, in a file that ends in .yaml: a = "b" becomes a: b, and the keys of \
    [sinks.van] stand indented below sinks: and van: (the page Apps and manifests shows both)
    """

  /// Whether the first line that says something is one of TOML: `key = value`, or a table's header. In YAML neither
  /// begins a table.
  static func isIn(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).lazy.map { $0.drop { $0 == " " } }
    guard let line = lines.first(where: { !$0.isEmpty && $0.first != "#" }) else { return false }
    if line.first == "[" { return !line.contains(",") && !line.contains(":") }
    let key = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
    let rest = line.dropFirst(key.count).drop { $0 == " " }
    return !key.isEmpty && rest.first == "="
  }
}

extension Complaint {
  /// About a file of settings: `walker.yaml: …`.
  init(_ name: String, _ message: String) { self.init("\(name): \(message)") }

  /// About a place in it: `walker.yaml:3:8: …`.
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
