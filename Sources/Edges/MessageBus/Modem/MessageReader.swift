// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// Reads values out of one message. A value of another type than expected is skipped.
struct MessageReader {
  /// The limit of examined modems; a machine with more has some that are of no use here.
  static let modemLimit = 16

  private let message: BusMessage

  init(_ message: BusMessage) { self.message = message }

  // MARK: Answers

  func answer(to call: BusCall) -> BusAnswer {
    var cursor = message.arguments
    switch call {
    case .hello, .match, .setup: return .done
    case .owner: return cursor.string.map { .owner($0) } ?? Self.misunderstood
    case .modems: return modems(&cursor).map { .modems($0) } ?? Self.misunderstood
    case .location:
      guard var value = cursor.variant else { return Self.misunderstood }
      return .location(Self.cell(&value))
    }
  }

  /// An answer whose shape differs from the interface.
  private static let misunderstood = BusAnswer.refused(
    name: "", text: "its answer is not understood; Milepost knows the interface of release 1.20")

  var refusal: BusAnswer {
    .refused(name: message.errorName ?? "", text: message.arguments.string ?? "")
  }

  // MARK: Signals

  var signal: BusSignal? {
    guard let interface = message.interface, let member = message.member, let path = message.path
    else { return nil }
    var cursor = message.arguments
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

  private func change(_ cursor: inout BusCursor, _ path: String) -> BusSignal? {
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

  /// `a{oa{sa{sv}}}`, in the order of the paths; `nil` for any other type.
  private func modems(_ cursor: inout BusCursor) -> [ModemRecord]? {
    guard cursor.isArray else { return nil }
    var modems: [ModemRecord] = []
    cursor.eachEntry { entry in
      guard let path = entry.path, entry.next() else { return }
      var record = ModemRecord(path: path)
      var isModem = false
      entry.eachEntry { entry in
        guard let interface = entry.string, entry.next() else { return }
        if interface == BusName.modem { isModem = true }
        Self.readProperties(&entry, of: interface, into: &record)
      }
      if isModem && modems.count < Self.modemLimit { modems.append(record) }
    }
    // By number: 10 comes after 9.
    return modems.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }

  private static func readProperties(
    _ cursor: inout BusCursor, of interface: String, into record: inout ModemRecord
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

  /// The text under key 1 of `a{uv}`; `nil` if there is none.
  private static func cell(_ cursor: inout BusCursor) -> String? {
    var text: String?
    cursor.eachEntry { entry in
      guard entry.uint32 == LocationSetup.cells, entry.next() else { return }
      text = entry.variant?.string
    }
    return text
  }
}
