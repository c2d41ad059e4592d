// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// The members of an object are listed once, in a table: name (with the unit as its ending), form and range, whether it
// may be missing, and its place in a value. The object is written from the table, in its order, and read; the faults of
// a read one are reported with the member's name and its allowed values; and the JSON Schema is made from the table. A
// table that is only written may have computed members.
//
// Types that are sent with each position list their members by `member`, with a closure for its value, which is compiled
// for the types of that table (as in Time.swift); a key path is looked up at each use.

/// The members of one kind of object.
@usableFromInline package struct JSONTable<Root: Sendable>: Sendable {
  private var members: [Member] = []

  private struct Member: Sendable {
    let shape: JSONShape.Member
    /// Writes the member with its name, if present.
    let write: @Sendable (Root, inout JSONWriter) -> Void
    /// Does nothing if the member is only written.
    var read: @Sendable (inout Root, JSONObjectReader) throws(InputError) -> Void
  }

  package init(_ fill: (inout JSONTable) -> Void) { fill(&self) }

  // MARK: Members

  /// A member, by its place in a value: not written if `get` returns nothing; not read without a `set`.
  @inlinable package mutating func member<Value>(
    _ name: String, _ form: JSONForm<Value>, isRequired: Bool, about: String = "",
    get: @escaping @Sendable (Root) -> Value?, set: (@Sendable (inout Root, Value) -> Void)?
  ) {
    let key = JSONKey(name)
    addMember(name, form, isRequired: isRequired, about: about, set: set) { root, json in
      guard let value = get(root) else { return }
      json.key(key)
      form.write(value, &json)
    }
  }

  /// A member present in each object, null if its value is unknown.
  @inlinable package mutating func nullable<Value>(
    _ name: String, _ form: JSONForm<Value>, get: @escaping @Sendable (Root) -> Value?,
    set: @escaping @Sendable (inout Root, Value?) -> Void
  ) {
    member(name, .nullable(form), isRequired: true, get: { .some(get($0)) }, set: set)
  }

  @usableFromInline mutating func addMember<Value>(
    _ name: String, _ form: JSONForm<Value>, isRequired: Bool, about: String,
    set: (@Sendable (inout Root, Value) -> Void)?,
    write: @escaping @Sendable (Root, inout JSONWriter) -> Void
  ) {
    let shape = JSONShape.Member(
      name: name, shape: form.shape, isRequired: isRequired, about: about)
    members.append(
      Member(shape: shape, write: write) { (root, object) throws(InputError) in
        guard let set else { return }
        let value: JSONValue
        switch (object[name], form.shape) {
        case (let there?, _): value = there
        case (nil, _) where !isRequired: return
        case (nil, .nullable): value = .null
        case (nil, _): value = try object.required(name)
        }
        set(&root, try form.read(value, object.place(name)))
      })
  }

  /// A member present in each object.
  package mutating func field<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ form: JSONForm<Value>,
    about: String = ""
  ) {
    member(
      name, form, isRequired: true, about: about, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 })
  }

  /// The same, in the only form of its values; unknown is null.
  package mutating func field<Value: JSONCoded>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, about: String = ""
  ) {
    field(name, path, Value.json, about: about)
  }

  /// The same for an optional value: unknown is null.
  package mutating func field<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ form: JSONForm<Value>,
    about: String = ""
  ) {
    field(name, path, .nullable(form), about: about)
  }

  /// A member that is missing if its value is unknown.
  package mutating func option<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ form: JSONForm<Value>,
    about: String = ""
  ) {
    member(
      name, form, isRequired: false, about: about, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 })
  }

  /// A member that may be missing: reading then keeps the initial value. It is written if `isThere` says so; with a
  /// `reason`, reading refuses it if the members before it exclude it.
  package mutating func option<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ form: JSONForm<Value>,
    where isThere: @escaping @Sendable (Root) -> Bool, else reason: String? = nil
  ) {
    member(
      name, form, isRequired: false, get: { isThere($0) ? $0[keyPath: path] : nil },
      set: { $0[keyPath: path] = $1 })
    guard let reason else { return }
    let read = members[members.count - 1].read
    members[members.count - 1].read = { (root, object) throws(InputError) in
      if !isThere(root), object[name] != nil {
        throw InputError("\(object.name): \(name) \(reason)")
      }
      try read(&root, object)
    }
  }

  /// A computed member, which is only written.
  package mutating func value<Value>(
    _ name: String, _ form: JSONForm<Value>, about: String = "",
    _ value: @escaping @Sendable (Root) -> Value
  ) {
    member(name, form, isRequired: true, about: about, get: value, set: nil)
  }

  /// The same, in the only form of its values; unknown is null.
  package mutating func value<Value: JSONCoded>(
    _ name: String, about: String = "", _ value: @escaping @Sendable (Root) -> Value
  ) {
    self.value(name, Value.json, about: about, value)
  }

  /// A computed number that is always known, with at most `decimals` decimals.
  package mutating func known(
    _ name: String, in range: ClosedRange<Double> = 0...1e15, decimals: Int,
    about: String = "", _ value: @escaping @Sendable (Root) -> Double
  ) {
    self.value(name, .number(in: range, decimals: decimals), about: about, value)
  }

  /// A computed number, with at most `decimals` decimals; unknown is null.
  package mutating func number(
    _ name: String, in range: ClosedRange<Double> = 0...1e15, decimals: Int,
    about: String = "", _ value: @escaping @Sendable (Root) -> Double?
  ) {
    self.value(name, .nullable(.number(in: range, decimals: decimals)), about: about, value)
  }

  /// A computed member, missing if unknown.
  package mutating func optionalValue<Value>(
    _ name: String, _ form: JSONForm<Value>, about: String = "",
    _ value: @escaping @Sendable (Root) -> Value?
  ) {
    member(name, form, isRequired: false, about: about, get: value, set: nil)
  }

  /// Members that form a nested object.
  package mutating func object<Part: Sendable>(
    _ name: String, about: String = "", _ part: @escaping @Sendable (Root) -> Part,
    _ fill: (inout JSONTable<Part>) -> Void
  ) {
    value(name, JSONTable<Part>(fill).output, about: about, part)
  }

  /// One nested object, or null if there is none.
  package mutating func optionalObject<Part: Sendable>(
    _ name: String, about: String = "", _ part: @escaping @Sendable (Root) -> Part?,
    _ fill: (inout JSONTable<Part>) -> Void
  ) {
    value(name, .nullable(JSONTable<Part>(fill).output), about: about, part)
  }

  /// An array of objects.
  package mutating func objects<Part: Sendable>(
    _ name: String, about: String = "", _ parts: @escaping @Sendable (Root) -> [Part],
    _ fill: (inout JSONTable<Part>) -> Void
  ) {
    value(name, .array(of: JSONTable<Part>(fill).output), about: about, parts)
  }

  /// Counts by key, in the order of the alphabet.
  package mutating func counts(
    _ name: String, about: String = "", _ counts: @escaping @Sendable (Root) -> [String: Int]
  ) {
    value(name, .counts, about: about, counts)
  }

  /// A member that is the same in each object.
  package mutating func constant(_ name: String, _ value: JSONValue) {
    self.value(name, JSONForm(.constant(value)) { $1.value($0) }) { _ in value }
  }

  /// The members of a computed part, as if they were the object's.
  package mutating func include<Part>(
    _ table: JSONTable<Part>, _ part: @escaping @Sendable (Root) -> Part
  ) {
    members += table.members.map { member in
      Member(shape: member.shape, write: { member.write(part($0), &$1) }, read: { _, _ in })
    }
  }

  /// The members of a part, as if they were the object's.
  package mutating func include<Part>(
    _ path: any WritableKeyPath<Root, Part> & Sendable, _ table: JSONTable<Part>
  ) {
    members += table.members.map { member in
      Member(
        shape: member.shape, write: { member.write($0[keyPath: path], &$1) },
        read: { (root, object) throws(InputError) in
          try member.read(&root[keyPath: path], object)
        })
    }
  }

  // MARK: Objects

  package var shape: JSONShape { .object(members.map(\.shape)) }

  /// The names of the members, in their order.
  package var names: [String] { members.map(\.shape.name) }

  /// Objects being read, starting from `empty`: a missing optional member keeps its value.
  package func form(reading empty: Root) -> JSONForm<Root> {
    JSONForm(
      shape, write: { root, json in json.object { writeMembers(of: root, into: &$0) } },
      read: { (value, place) throws(InputError) in
        try read(object: JSONObjectReader(value, name: place.name), into: empty)
      })
  }

  /// Objects that are only written.
  package var output: JSONForm<Root> {
    JSONForm(shape) { root, json in json.object { writeMembers(of: root, into: &$0) } }
  }

  /// Writes the members, into an object already begun.
  package func writeMembers(of root: Root, into json: inout JSONWriter) {
    for index in members.indices { members[index].write(root, &json) }
  }

  /// One object on one line, without a line feed.
  package func document(_ root: Root) -> [UInt8] {
    var json = JSONWriter()
    json.object { writeMembers(of: root, into: &$0) }
    return json.bytes
  }

  /// Reads an object; members not in the table are skipped.
  package func read(
    object: JSONObjectReader, into empty: Root
  ) throws(InputError) -> Root {
    var root = empty
    for member in members { try member.read(&root, object) }
    return root
  }
}

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

  /// The document as a part of another.
  package var output: JSONForm<Root> { table.output }

  /// A document on one line, with its line feed.
  package func line(_ root: Root) -> [UInt8] { table.document(root) + [0x0A] }
}
