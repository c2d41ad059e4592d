// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Files that people write, as one kind of tree.
package enum SettingsFile {
  /// Reads TOML, YAML, JSON or a property list (XML or binary), by the file name's ending.
  package static func parse(_ bytes: [UInt8], name: String) throws -> JSONValue { .null }
}
