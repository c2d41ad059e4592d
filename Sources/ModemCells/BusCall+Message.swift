// SPDX-License-Identifier: Apache-2.0

import CDBus

extension BusCall {
  /// The call as libdbus sends it; the caller releases it. `nil` where there is no memory.
  var message: OpaquePointer? {
    switch self {
    case .hello: Self.toBus("Hello", [])
    case .match(let rule): Self.toBus("AddMatch", [.string(rule)])
    case .owner: Self.toBus("GetNameOwner", [.string(BusName.modemManager)])
    case .modems:
      Self.make(
        BusName.modemManager, "/org/freedesktop/ModemManager1", BusName.objects,
        "GetManagedObjects", [])
    case .setup(let path, let setup):
      Self.make(
        BusName.modemManager, path, BusName.location, "Setup",
        [.number(setup.sources), .flag(setup.signals)])
    case .location(let path):
      Self.make(
        BusName.modemManager, path, BusName.properties, "Get",
        [.string(BusName.location), .string("Location")])
    }
  }

  private enum Argument {
    case string(String)
    case number(UInt32)
    case flag(Bool)
  }

  private static func toBus(_ member: String, _ arguments: [Argument]) -> OpaquePointer? {
    make(BusName.bus, "/org/freedesktop/DBus", BusName.bus, member, arguments)
  }

  private static func make(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [Argument]
  ) -> OpaquePointer? {
    guard let message = dbus_message_new_method_call(destination, path, interface, member) else {
      return nil
    }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for argument in arguments {
      guard append(argument, to: &iterator) else {
        dbus_message_unref(message)
        return nil
      }
    }
    return message
  }

  private static func append(_ argument: Argument, to iterator: inout DBusMessageIter) -> Bool {
    switch argument {
    case .string(let text):
      text.withCString { text in
        var text: UnsafePointer<CChar>? = text
        return dbus_message_iter_append_basic(&iterator, DBusType.string, &text) != 0
      }
    case .number(let number):
      withUnsafePointer(to: number) {
        dbus_message_iter_append_basic(&iterator, DBusType.uint32, $0) != 0
      }
    case .flag(let flag):
      withUnsafePointer(to: dbus_bool_t(flag ? 1 : 0)) {
        dbus_message_iter_append_basic(&iterator, DBusType.boolean, $0) != 0
      }
    }
  }
}

/// D-Bus' type codes (D-Bus specification, "Type system"), which Swift does not import as macros.
enum DBusType {
  static let string = Int32(UInt8(ascii: "s"))
  static let path = Int32(UInt8(ascii: "o"))
  static let uint32 = Int32(UInt8(ascii: "u"))
  static let int32 = Int32(UInt8(ascii: "i"))
  static let boolean = Int32(UInt8(ascii: "b"))
  static let array = Int32(UInt8(ascii: "a"))
  static let variant = Int32(UInt8(ascii: "v"))
  static let entry = Int32(UInt8(ascii: "e"))
}

/// Names on the bus.
enum BusName {
  static let bus = "org.freedesktop.DBus"
  static let modemManager = "org.freedesktop.ModemManager1"
  static let modem = "org.freedesktop.ModemManager1.Modem"
  static let location = "org.freedesktop.ModemManager1.Modem.Location"
  static let modem3GPP = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objects = "org.freedesktop.DBus.ObjectManager"
}

extension ModemMachine {
  /// What is subscribed to.
  static let matches = [
    "type='signal',sender='\(BusName.bus)',interface='\(BusName.bus)',"
      + "member='NameOwnerChanged',arg0='\(BusName.modemManager)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.objects)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.properties)',"
      + "member='PropertiesChanged',arg0='\(BusName.location)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.properties)',"
      + "member='PropertiesChanged',arg0='\(BusName.modem3GPP)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.modem)',"
      + "member='StateChanged'",
  ]
}
