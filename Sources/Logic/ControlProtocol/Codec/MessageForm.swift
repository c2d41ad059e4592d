// SPDX-License-Identifier: Apache-2.0

import JSONText

/// One kind of message: its word, its members, and its case of `Message`.
struct MessageForm<Message: Sendable & Equatable>: Sendable {
  let word: String
  let members: [JSONShape.Member]
  /// Returns the writer of the members of a message of this kind; `nil` for one of another kind.
  let writer: @Sendable (Message) -> ((inout JSONWriter) -> Void)?
  /// `nil` if the members make no message.
  let read: @Sendable (JSONObjectReader) throws(InputError) -> Message?

  /// A message with members: `parts` takes a message of this kind apart, `message` puts it together.
  init<Parts: Sendable>(
    _ word: String, _ empty: Parts, _ table: JSONTable<Parts>,
    _ message: @escaping @Sendable (Parts) -> Message?,
    _ parts: @escaping @Sendable (Message) -> Parts?
  ) {
    self.word = word
    members = table.shape.members
    writer = { message in
      parts(message).map { parts in { table.writeMembers(of: parts, into: &$0) } }
    }
    read = { (object) throws(InputError) in message(try table.read(object: object, into: empty)) }
  }

  /// A message with one member.
  init<Value: Sendable>(
    _ word: String, _ name: String, _ form: JSONForm<Value>,
    _ message: @escaping @Sendable (Value) -> Message,
    _ value: @escaping @Sendable (Message) -> Value?
  ) {
    let table = JSONTable<Value?> {
      $0.member(name, form, isRequired: true, get: \.self) { $0 = $1 }
    }
    self.init(word, nil, table, { $0.map(message) }, { value($0).map { .some($0) } })
  }

  /// A message without members.
  init(_ word: String, _ message: Message) {
    self.word = word
    members = []
    writer = { $0 == message ? { _ in } : nil }
    read = { (_) throws(InputError) in message }
  }
}

extension Array {
  /// The word of a message, and the writer of its members.
  func form<Message>(of message: Message) -> (word: String, write: (inout JSONWriter) -> Void)?
  where Element == MessageForm<Message> {
    lazy.compactMap { form in form.writer(message).map { (form.word, $0) } }.first
  }
}
