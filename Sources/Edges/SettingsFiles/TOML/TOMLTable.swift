// SPDX-License-Identifier: Apache-2.0

import JSONText

/// A table while its file is read, with the statements that it still allows.
final class TOMLTable {
  /// The origin of a table.
  enum Origin {
    /// A longer header implied it; its own header may still come, once.
    case implied
    /// Its header has come.
    case header
    /// A dotted key made it; more dotted keys may add to it, headers may not.
    case dotted
    /// It was written in braces; nothing may be added.
    case inline
  }

  /// A key with its bytes: two keys are equal if these are, however the text looks.
  struct Key {
    let text: String
    let bytes: [UInt8]
    let offset: Int
  }

  private enum Node {
    case value(JSONValue)
    case table(TOMLTable)
    /// The array of tables with this number in `arrays`.
    case tables(Int)
  }

  private var origin: Origin
  /// The number of tables and arrays around it.
  let depth: Int
  private var members: [(key: String, node: Node)] = []
  private var places: [[UInt8]: Int] = [:]
  /// Kept beside the members, so that an array grows in place and is not copied for each `[[table]]`.
  private var arrays: [[TOMLTable]] = []

  init(_ origin: Origin, depth: Int) {
    self.origin = origin
    self.depth = depth
  }

  var value: JSONValue {
    .object(
      members.map { key, node in
        switch node {
        case .value(let value): .init(key, value)
        case .table(let table): .init(key, table.value)
        case .tables(let number): .init(key, .array(arrays[number].map(\.value)))
        }
      })
  }

  // MARK: Keys

  /// Performs `key = value`; the parts before the last are tables.
  func set(_ keys: [Key], to value: JSONValue) throws(SyntaxError) {
    var table = self
    for key in keys.dropLast() { table = try table.dotted(key) }
    guard let last = keys.last else { return }
    guard table.places[last.bytes] == nil else { throw Self.twice(last) }
    table.add(last, .value(value))
  }

  /// The table below a part of a dotted key.
  private func dotted(_ key: Key) throws(SyntaxError) -> TOMLTable {
    guard let place = places[key.bytes] else { return try addTable(key, .dotted) }
    guard case .table(let table) = members[place].node else { throw Self.twice(key) }
    switch table.origin {
    case .implied, .dotted:
      table.origin = .dotted
      return table
    case .header, .inline:
      throw SyntaxError(key.offset, "the table '\(Self.shown(key))' is complete already")
    }
  }

  // MARK: Headers

  /// The table of `[keys]`.
  func header(_ keys: [Key]) throws(SyntaxError) -> TOMLTable {
    let parent = try parent(of: keys)
    guard let last = keys.last else { return parent }
    guard let place = parent.places[last.bytes] else { return try parent.addTable(last, .header) }
    guard case .table(let table) = parent.members[place].node, case .implied = table.origin else {
      throw Self.twice(last)
    }
    table.origin = .header
    return table
  }

  /// The next table of `[[keys]]`.
  func nextElement(_ keys: [Key]) throws(SyntaxError) -> TOMLTable {
    let parent = try parent(of: keys)
    guard let last = keys.last else { return parent }
    let table = TOMLTable(.header, depth: parent.depth + 2)
    try table.checkDepth(last)
    guard let place = parent.places[last.bytes] else {
      parent.add(last, .tables(parent.arrays.count))
      parent.arrays.append([table])
      return table
    }
    guard case .tables(let number) = parent.members[place].node else { throw Self.twice(last) }
    parent.arrays[number].append(table)
    return table
  }

  /// The table around the last part of a header.
  private func parent(of keys: [Key]) throws(SyntaxError) -> TOMLTable {
    var table = self
    for key in keys.dropLast() {
      guard let place = table.places[key.bytes] else {
        table = try table.addTable(key, .implied)
        continue
      }
      switch table.members[place].node {
      case .table(let next):
        if case .inline = next.origin { throw Self.twice(key) }
        table = next
      case .tables(let number): table = table.arrays[number].last ?? table
      case .value: throw Self.twice(key)
      }
    }
    return table
  }

  // MARK: Members

  private func add(_ key: Key, _ node: Node) {
    places[key.bytes] = members.count
    members.append((key.text, node))
  }

  private func addTable(_ key: Key, _ origin: Origin) throws(SyntaxError) -> TOMLTable {
    let table = TOMLTable(origin, depth: depth + 1)
    try table.checkDepth(key)
    add(key, .table(table))
    return table
  }

  private func checkDepth(_ key: Key) throws(SyntaxError) {
    guard depth < SettingsFile.depthLimit else {
      throw SyntaxError(key.offset, "nested too deeply")
    }
  }

  private static func twice(_ key: Key) -> SyntaxError {
    SyntaxError(key.offset, "the key '\(shown(key))' stands there twice; keep one")
  }

  private static func shown(_ key: Key) -> String {
    key.text.count > 40 ? key.text.prefix(40) + "…" : key.text
  }
}
