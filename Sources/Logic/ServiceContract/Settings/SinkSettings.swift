// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The sink for an app's deliveries, and its settings: the table `sink` of a manifest.
///
/// Only its kind is read here; the rest is for that kind (`SinkKind`).
package struct SinkSettings: Sendable, Equatable {
  /// The table as in the manifest; an object.
  package let table: JSONValue

  package init(_ table: JSONValue) { self.table = table }

  package init(kind: String) { table = .object([.init("kind", .string(kind))]) }

  /// Its kind's name; empty if unstated.
  package var kind: String { table["kind"]?.string ?? "" }

  /// `file, folder = /srv/tracks`: for people.
  package var words: String {
    (table.members ?? []).map { member in
      let value = member.value.string ?? SettingsTable.words(member.value)
      return member.key == "kind" ? value : "\(member.key) = \(value)"
    }.joined(separator: ", ")
  }
}

extension SinkSettings: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do throws(SyntaxError) {
      table = try JSONValue.parse(Array(text.utf8).span)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not JSON: \(error.message)"))
    }
  }

  /// As a text of JSON.
  package func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    json.value(table)
    var container = encoder.singleValueContainer()
    try container.encode(json.text)
  }
}
