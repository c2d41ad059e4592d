// SPDX-License-Identifier: Apache-2.0

import CDBus

/// A value in a message (D-Bus specification, "Type system"); only the types used here.
package indirect enum BusValue: Sendable, Equatable {
  case string(String)
  case path(String)
  case uint32(UInt32)
  case int32(Int32)
  case uint64(UInt64)
  case double(Double)
  case flag(Bool)
  case variant(BusValue)
  case structure([BusValue])
  /// Values of one type, whose signature is stated, since the array may be empty.
  case array(of: String, [BusValue])
  /// A key and its value, in an array of `{…}`.
  case entry(BusValue, BusValue)

  /// `a{sv}`: names and values of any type, in this order.
  package static func properties(_ properties: [(String, BusValue)]) -> Self {
    .array(of: "{sv}", properties.map { .entry(.string($0), .variant($1)) })
  }

  package static func strings(_ strings: [String]) -> Self {
    .array(of: "s", strings.map { .string($0) })
  }

  /// The type in signature form.
  package var signature: String {
    switch self {
    case .string: "s"
    case .path: "o"
    case .uint32: "u"
    case .int32: "i"
    case .uint64: "t"
    case .double: "d"
    case .flag: "b"
    case .variant: "v"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .array(let element, _): "a\(element)"
    case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
    }
  }
}

/// D-Bus' type codes, which Swift does not import as macros.
enum BusCode {
  static let string = Int32(UInt8(ascii: "s"))
  static let path = Int32(UInt8(ascii: "o"))
  static let uint32 = Int32(UInt8(ascii: "u"))
  static let int32 = Int32(UInt8(ascii: "i"))
  static let uint64 = Int32(UInt8(ascii: "t"))
  static let double = Int32(UInt8(ascii: "d"))
  static let boolean = Int32(UInt8(ascii: "b"))
  static let array = Int32(UInt8(ascii: "a"))
  static let variant = Int32(UInt8(ascii: "v"))
  static let structure = Int32(UInt8(ascii: "r"))
  static let entry = Int32(UInt8(ascii: "e"))
}

extension BusValue {
  /// `false` if there is no memory, or a text has a zero byte.
  func append(to iterator: inout DBusMessageIter) -> Bool {
    switch self {
    case .string(let text): Self.append(text: text, BusCode.string, to: &iterator)
    case .path(let text): Self.append(text: text, BusCode.path, to: &iterator)
    case .uint32(let number): Self.append(number: number, BusCode.uint32, to: &iterator)
    case .int32(let number): Self.append(number: number, BusCode.int32, to: &iterator)
    case .uint64(let number): Self.append(number: number, BusCode.uint64, to: &iterator)
    case .double(let number): Self.append(number: number, BusCode.double, to: &iterator)
    case .flag(let flag):
      Self.append(number: dbus_bool_t(flag ? 1 : 0), BusCode.boolean, to: &iterator)
    case .variant(let value):
      Self.append(values: [value], within: BusCode.variant, value.signature, to: &iterator)
    case .structure(let members):
      Self.append(values: members, within: BusCode.structure, nil, to: &iterator)
    case .array(let element, let values):
      Self.append(values: values, within: BusCode.array, element, to: &iterator)
    case .entry(let key, let value):
      Self.append(values: [key, value], within: BusCode.entry, nil, to: &iterator)
    }
  }

  private static func append(
    text: String, _ code: Int32, to iterator: inout DBusMessageIter
  ) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { text in
      var text: UnsafePointer<CChar>? = text
      return dbus_message_iter_append_basic(&iterator, code, &text) != 0
    }
  }

  private static func append<Number: BitwiseCopyable>(
    number: Number, _ code: Int32, to iterator: inout DBusMessageIter
  ) -> Bool {
    withUnsafePointer(to: number) { dbus_message_iter_append_basic(&iterator, code, $0) != 0 }
  }

  private static func append(
    values: [BusValue], within code: Int32, _ contents: String?,
    to iterator: inout DBusMessageIter
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, code, contents, &inner) != 0 else {
      return false
    }
    guard values.allSatisfy({ $0.append(to: &inner) }) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }
}
