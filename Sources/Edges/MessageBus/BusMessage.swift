// SPDX-License-Identifier: Apache-2.0

import CDBus

/// A message to or from a bus: the only owner of libdbus' message.
package final class BusMessage {
  package enum Kind: Sendable, Equatable {
    case call, answer, refusal, signal, other
  }

  let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(taking pointer: OpaquePointer) { self.pointer = pointer }

  deinit { dbus_message_unref(pointer) }

  // MARK: Making one

  /// A call; `nil` if there is no memory or a name is invalid. It does not start the called program.
  package static func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], startsDestination: Bool = false
  ) -> BusMessage? {
    guard let made = dbus_message_new_method_call(destination, path, interface, member) else {
      return nil
    }
    let call = BusMessage(taking: made)
    dbus_message_set_auto_start(made, startsDestination ? 1 : 0)
    return call.append(arguments: arguments)
  }

  /// A call of the bus itself.
  package static func toBus(_ member: String, _ arguments: [BusValue] = []) -> BusMessage? {
    call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }

  /// The first call on a connection (D-Bus specification, "org.freedesktop.DBus.Hello").
  package static var hello: BusMessage? { toBus("Hello") }

  /// A signal, to all listeners or only to `destination`.
  package static func signal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue],
    to destination: String? = nil
  ) -> BusMessage? {
    guard let made = dbus_message_new_signal(path, interface, member) else { return nil }
    let signal = BusMessage(taking: made)
    if let destination, dbus_message_set_destination(made, destination) == 0 { return nil }
    return signal.append(arguments: arguments)
  }

  /// The answer to this call.
  package func answer(_ arguments: [BusValue]) -> BusMessage? {
    dbus_message_new_method_return(pointer).flatMap {
      BusMessage(taking: $0).append(arguments: arguments)
    }
  }

  /// The error that answers this call.
  package func refusal(_ name: String, _ text: String) -> BusMessage? {
    dbus_message_new_error(pointer, name, text).map { BusMessage(taking: $0) }
  }

  private func append(arguments: [BusValue]) -> BusMessage? {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(pointer, &iterator)
    return arguments.allSatisfy { $0.append(to: &iterator) } ? self : nil
  }

  // MARK: Reading one

  package var kind: Kind {
    switch dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .answer
    case DBUS_MESSAGE_TYPE_ERROR: .refusal
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: .other
    }
  }

  /// The unique name of the sender, from the bus.
  package var sender: String? { Self.text(dbus_message_get_sender(pointer)) }
  package var path: String? { Self.text(dbus_message_get_path(pointer)) }
  package var interface: String? { Self.text(dbus_message_get_interface(pointer)) }
  package var member: String? { Self.text(dbus_message_get_member(pointer)) }
  /// The types of its arguments.
  package var signature: String { Self.text(dbus_message_get_signature(pointer)) ?? "" }
  /// The serial of the call that it answers.
  package var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
  package var errorName: String? { Self.text(dbus_message_get_error_name(pointer)) }
  /// Whether the caller waits for an answer.
  package var wantsAnswer: Bool {
    kind == .call && dbus_message_get_no_reply(pointer) == 0
  }
  /// Its arguments, without those of types that `BusCursor.value` does not read.
  package var values: [BusValue] {
    var cursor = arguments
    var values: [BusValue] = []
    repeat { if let value = cursor.value { values.append(value) } } while cursor.next()
    return values
  }
  /// Its arguments from the first.
  package var arguments: BusCursor { BusCursor(self) }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
  }
}
