// SPDX-License-Identifier: Apache-2.0

import CDBus
import ServiceContract

/// Reads values out of one message, which outlives it. What has another type than expected is passed
/// over; libdbus has validated the message itself.
struct MessageReader {
  /// Modems that are looked at; a machine with more has some of no use to us.
  static let modemLimit = 16
  /// Bytes of a text that is kept.
  static let textLimit = 256

  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  // MARK: Answers

  func answer(to call: BusCall) -> BusAnswer {
    var cursor = Cursor(message)
    switch call {
    case .hello, .match, .setup: return .done
    case .owner: return cursor.string.map { .owner($0) } ?? Self.misunderstood
    case .modems: return modems(&cursor).map { .modems($0) } ?? Self.misunderstood
    case .location:
      guard var value = cursor.variant else { return Self.misunderstood }
      return .location(Self.cell(&value))
    }
  }

  /// An answer of another shape than the interface states.
  private static let misunderstood = BusAnswer.refused(
    name: "", text: "its answer is not understood; Milepost knows the interface of release 1.20")

  var refusal: BusAnswer {
    let name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
    return .refused(name: name, text: Cursor(message).string ?? "")
  }

  // MARK: Signals

  var signal: BusSignal? {
    guard let interface = dbus_message_get_interface(message).map({ String(cString: $0) }),
      let member = dbus_message_get_member(message).map({ String(cString: $0) }),
      let path = dbus_message_get_path(message).map({ String(cString: $0) })
    else { return nil }
    var cursor = Cursor(message)
    switch (interface, member) {
    case (BusName.bus, "NameOwnerChanged"):
      guard cursor.string == BusName.modemManager, cursor.next(), cursor.next(),
        let owner = cursor.string
      else { return nil }
      return .owner(owner.isEmpty ? nil : owner)
    case (BusName.objects, "InterfacesAdded"), (BusName.objects, "InterfacesRemoved"):
      return .modems
    case (BusName.modem, "StateChanged"):
      guard cursor.next(), let state = cursor.int32 else { return nil }
      return .state(path: path, ModemState(rawValue: state))
    case (BusName.properties, "PropertiesChanged"): return change(&cursor, path)
    default: return nil
    }
  }

  private func change(_ cursor: inout Cursor, _ path: String) -> BusSignal? {
    guard let interface = cursor.string, cursor.next() else { return nil }
    switch interface {
    case BusName.location:
      var change = LocationChange()
      cursor.eachProperty { name, value in
        switch name {
        case "Enabled": change.sources = value.uint32
        case "SignalsLocation": change.signals = value.flag
        case "Location": change.text = .some(Self.cell(&value))
        default: break
        }
      }
      return .location(path: path, change)
    case BusName.modem3GPP:
      var registration: UInt32?
      cursor.eachProperty { name, value in
        if name == "RegistrationState" { registration = value.uint32 }
      }
      return registration.map { .registration(path: path, Registration(rawValue: $0)) }
    default: return nil
    }
  }

  // MARK: Parts

  /// `a{oa{sa{sv}}}`, in the order of the paths; `nil` where it is something else.
  private func modems(_ cursor: inout Cursor) -> [ModemRecord]? {
    guard cursor.type == DBusType.array else { return nil }
    var modems: [ModemRecord] = []
    cursor.eachEntry { entry in
      guard let path = entry.path, entry.next() else { return }
      var record = ModemRecord(path: path)
      var isModem = false
      entry.eachEntry { entry in
        guard let interface = entry.string, entry.next() else { return }
        if interface == BusName.modem { isModem = true }
        Self.read(&entry, of: interface, into: &record)
      }
      if isModem && modems.count < Self.modemLimit { modems.append(record) }
    }
    // By number: 10 comes after 9.
    return modems.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }

  private static func read(
    _ cursor: inout Cursor, of interface: String, into record: inout ModemRecord
  ) {
    switch interface {
    case BusName.modem:
      cursor.eachProperty { name, value in
        switch name {
        case "State": record.state = ModemState(rawValue: value.int32 ?? 0)
        case "Model": record.name = String((value.string ?? "").prefix(40))
        default: break
        }
      }
    case BusName.modem3GPP:
      cursor.eachProperty { name, value in
        if name == "RegistrationState" {
          record.registration = value.uint32.map(Registration.init(rawValue:))
        }
      }
    case BusName.location:
      var location = ModemRecord.Location()
      cursor.eachProperty { name, value in
        switch name {
        case "Capabilities": location.capabilities = value.uint32 ?? 0
        case "Enabled": location.setup.sources = value.uint32 ?? 0
        case "SignalsLocation": location.setup.signals = value.flag ?? false
        case "Location": location.text = cell(&value)
        default: break
        }
      }
      record.location = location
    default: break
    }
  }

  /// The text under key 1 of `a{uv}`; `nil` where there is none.
  private static func cell(_ cursor: inout Cursor) -> String? {
    var text: String?
    cursor.eachEntry { entry in
      guard entry.uint32 == LocationSetup.cells, entry.next() else { return }
      text = entry.variant?.string
    }
    return text
  }
}

/// A place in a message.
private struct Cursor {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) { dbus_message_iter_init(message, &iterator) }

  private init(inside other: inout DBusMessageIter) {
    dbus_message_iter_recurse(&other, &iterator)
  }

  var type: Int32 {
    var copy = iterator
    return dbus_message_iter_get_arg_type(&copy)
  }

  /// Moves on; `false` at the end.
  mutating func next() -> Bool { dbus_message_iter_next(&iterator) != 0 }

  var string: String? { text(DBusType.string) }
  var path: String? { text(DBusType.path) }

  private func text(_ wanted: Int32) -> String? {
    guard type == wanted else { return nil }
    var copy = iterator
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&copy, &text)
    // libdbus has checked that it is UTF-8.
    return text.map { String(String(cString: $0).prefix(MessageReader.textLimit)) }
  }

  var uint32: UInt32? { number(DBusType.uint32, 0) }
  var int32: Int32? { number(DBusType.int32, 0) }
  var flag: Bool? { number(DBusType.boolean, dbus_bool_t(0)).map { $0 != 0 } }

  private func number<Number: FixedWidthInteger>(_ wanted: Int32, _ zero: Number) -> Number? {
    guard type == wanted else { return nil }
    var copy = iterator
    var number = zero
    dbus_message_iter_get_basic(&copy, &number)
    return number
  }

  var variant: Cursor? {
    guard type == DBusType.variant else { return nil }
    var copy = iterator
    return Cursor(inside: &copy)
  }

  /// Calls `body` with the key of each entry of a dictionary.
  mutating func eachEntry(_ body: (inout Cursor) -> Void) {
    guard type == DBusType.array else { return }
    var element = Cursor(inside: &iterator)
    while element.type == DBusType.entry {
      var entry = Cursor(inside: &element.iterator)
      body(&entry)
      guard element.next() else { return }
    }
  }

  /// Calls `body` with each name and value of `a{sv}`.
  mutating func eachProperty(_ body: (String, inout Cursor) -> Void) {
    eachEntry { entry in
      guard let name = entry.string, entry.next(), var value = entry.variant else { return }
      body(name, &value)
    }
  }
}
