// SPDX-License-Identifier: Apache-2.0

/// One kind of document: its members, of which the first names its schema.
package struct JSONDocument<Root: Sendable>: Sendable {
  package let schema: JSONSchema
  private let table: JSONTable<Root>

  /// `title` is that of the schema, `milepost.info/1`; `about` says what the documents are.
  package init(_ title: String, _ about: String, _ fill: (inout JSONTable<Root>) -> Void) {
    table = JSONTable { members in
      members.constant("schema", .string(title))
      fill(&members)
    }
    schema = JSONSchema(title, about, table.shape)
  }

  /// A document on one line, with its line feed.
  package func line(_ root: Root) -> [UInt8] { table.document(root) + [0x0A] }
}
