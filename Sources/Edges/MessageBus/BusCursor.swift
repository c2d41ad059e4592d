// SPDX-License-Identifier: Apache-2.0

import CDBus

/// A place in a received message. A value of another type than requested is `nil`; libdbus has validated the message
/// itself.
package struct BusCursor {
  /// The limit of kept characters of a text.
  package static let textLimit = 256

  private let message: BusMessage
  private var iterator = DBusMessageIter()

  init(_ message: BusMessage) {
    self.message = message
    dbus_message_iter_init(message.pointer, &iterator)
  }

  private init(inside other: inout DBusMessageIter, of message: BusMessage) {
    self.message = message
    dbus_message_iter_recurse(&other, &iterator)
  }

  private var code: Int32 {
    var copy = iterator
    return dbus_message_iter_get_arg_type(&copy)
  }

  /// Whether an array begins here.
  package var isArray: Bool { code == BusCode.array }

  /// Moves on; `false` at the end.
  package mutating func next() -> Bool { dbus_message_iter_next(&iterator) != 0 }

  package var string: String? { text(BusCode.string) }
  package var path: String? { text(BusCode.path) }

  private func text(_ wanted: Int32) -> String? {
    guard code == wanted else { return nil }
    var copy = iterator
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&copy, &text)
    // libdbus has checked that it is UTF-8.
    return text.map { String(String(cString: $0).prefix(Self.textLimit)) }
  }

  package var uint32: UInt32? { number(BusCode.uint32, 0) }
  package var int32: Int32? { number(BusCode.int32, 0) }
  package var flag: Bool? { number(BusCode.boolean, dbus_bool_t(0)).map { $0 != 0 } }

  private func number<Number: FixedWidthInteger>(_ wanted: Int32, _ zero: Number) -> Number? {
    guard code == wanted else { return nil }
    var copy = iterator
    var number = zero
    dbus_message_iter_get_basic(&copy, &number)
    return number
  }

  package var variant: BusCursor? {
    guard code == BusCode.variant else { return nil }
    var copy = iterator
    return BusCursor(inside: &copy, of: message)
  }

  /// The value here, or the one in a variant; `nil` for containers.
  package var value: BusValue? {
    switch code {
    case BusCode.string: string.map { .string($0) }
    case BusCode.path: path.map { .path($0) }
    case BusCode.uint32: uint32.map { .uint32($0) }
    case BusCode.int32: int32.map { .int32($0) }
    case BusCode.boolean: flag.map { .flag($0) }
    case BusCode.uint64: number(BusCode.uint64, UInt64(0)).map { .uint64($0) }
    case BusCode.variant: variant?.value.map { .variant($0) }
    default: nil
    }
  }

  /// The elements of `as`; `nil` for any other type.
  package var strings: [String]? {
    guard isArray else { return nil }
    var copy = iterator
    guard dbus_message_iter_get_element_type(&copy) == BusCode.string else { return nil }
    var element = BusCursor(inside: &copy, of: message)
    var strings: [String] = []
    while let string = element.string {
      strings.append(string)
      guard element.next() else { break }
    }
    return strings
  }

  /// Calls `body` with the key of each entry of a dictionary.
  package mutating func eachEntry(_ body: (inout BusCursor) -> Void) {
    guard isArray else { return }
    var element = BusCursor(inside: &iterator, of: message)
    while element.code == BusCode.entry {
      var entry = BusCursor(inside: &element.iterator, of: message)
      body(&entry)
      guard element.next() else { return }
    }
  }

  /// Calls `body` with each name and value of `a{sv}`.
  package mutating func eachProperty(_ body: (String, inout BusCursor) -> Void) {
    eachEntry { entry in
      guard let name = entry.string, entry.next(), var value = entry.variant else { return }
      body(name, &value)
    }
  }
}
