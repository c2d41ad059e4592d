// SPDX-License-Identifier: Apache-2.0

extension BusCall {
  /// The message of the call, without auto-start of ModemManager. `nil` if there is no memory.
  var message: BusMessage? {
    switch self {
    case .hello: .hello
    case .match(let rule): .toBus("AddMatch", [.string(rule)])
    case .owner: .toBus("GetNameOwner", [.string(BusName.modemManager)])
    case .modems:
      BusMessage.call(
        BusName.modemManager, "/org/freedesktop/ModemManager1", BusName.objects,
        "GetManagedObjects", [])
    case .setup(let path, let setup):
      BusMessage.call(
        BusName.modemManager, path, BusName.location, "Setup",
        [.uint32(setup.sources), .flag(setup.signals)])
    case .location(let path):
      BusMessage.call(
        BusName.modemManager, path, BusName.properties, "Get",
        [.string(BusName.location), .string("Location")])
    }
  }
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
  /// The subscribed signals.
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
