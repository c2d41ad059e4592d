// SPDX-License-Identifier: Apache-2.0

import JSONText

// Theory
// ======
//
// A file is a sequence of statements, one a line: `key = value`, the header `[table]`, the header
// `[[array of tables]]`. `TOMLReader` goes through the bytes once and knows the statements, `TOMLTable`
// what may be said of a table that was spoken of before. Nothing is looked at twice, nothing recurses
// deeper than `SettingsFile.depthLimit`, and every wrong byte is an error with its place: a settings
// file comes from anybody, and no file may end the service.
//
// It is our own since the libraries that could be had abort the process for some wrong inputs
// (decision record 0029).

/// TOML 1.0 as a tree; the members of a table stand in the order of the file.
enum TOMLText {
  static func parse(_ text: String, name: String) throws -> JSONValue {
    var reader = TOMLReader(Array(text.utf8))
    do throws(TOMLFailure) {
      return try reader.document()
    } catch {
      throw SettingsFileError(
        name, TextPlace(of: error.offset, in: text), "not TOML: \(error.message)")
    }
  }
}

/// The fault, and at which byte.
struct TOMLFailure: Error, Equatable {
  let offset: Int
  let message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}
