// SPDX-License-Identifier: Apache-2.0

import JSONText

// Theory
// ======
//
// A file is a sequence of statements, one per line: `key = value`, the header `[table]`, the header `[[array of
// tables]]`. `TOMLReader` reads the bytes once and knows the statements; `TOMLTable` knows the statements that a known
// table still allows. Nothing is read twice, recursion stays within `SettingsFile.depthLimit`, and every wrong byte is
// an error with its place: a settings file may come from anyone, and none may end the service.
//
// The parser is our own since the available libraries abort the process for some wrong inputs
// (decision record 0029).

/// TOML 1.0 as a tree; the members of a table are in the order of the file.
enum TOMLText {
  static func parse(_ text: String) throws(SyntaxError) -> JSONValue {
    var reader = TOMLReader(Array(text.utf8))
    return try reader.document()
  }
}
