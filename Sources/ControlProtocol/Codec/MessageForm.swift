// SPDX-License-Identifier: Apache-2.0

import JSONText

/// One kind of message: its word, its members, and which case of `Message` it is.
struct MessageForm<Message: Sendable & Equatable>: Sendable {
  let word: String
  let members: [String]
  let isForm: @Sendable (Message) -> Bool
  /// Writes the members of a message of this kind.
  let write: @Sendable (Message, inout JSONWriter) -> Void
  /// `nil` where the members make no message.
  let read: @Sendable (JSONObjectReader) throws(JSONFieldError) -> Message?

  /// A message with members: `parts` takes a message of this kind apart, `message` puts it together.
  init<Parts: Sendable>(
    _ word: String, _ empty: Parts, _ table: JSONTable<Parts>,
    _ message: @escaping @Sendable (Parts) -> Message?,
    _ parts: @escaping @Sendable (Message) -> Parts?
  ) {
    self.word = word
    members = table.names
    isForm = { parts($0) != nil }
    write = { message, json in
      if let parts = parts(message) { table.write(parts, into: &json) }
    }
    read = { (object) throws(JSONFieldError) in message(try table.read(object, into: empty)) }
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
    isForm = { $0 == message }
    write = { _, _ in }
    read = { (_) throws(JSONFieldError) in message }
  }
}
