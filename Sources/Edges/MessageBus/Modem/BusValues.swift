// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// A question to the bus or to ModemManager.
enum BusCall: Sendable, Equatable {
  /// The first call on a connection.
  case hello
  /// Subscribes to signals that match the rule.
  case match(String)
  /// The owner of ModemManager's name on the bus.
  case owner
  /// All modems with their properties.
  case modems
  /// The sources of location that a modem gathers, and whether it signals them.
  case setup(path: String, LocationSetup)
  /// The `Location` of a modem.
  case location(path: String)
}

/// An answer.
enum BusAnswer: Sendable, Equatable {
  /// Nothing, or nothing that matters.
  case done
  case owner(String)
  case modems([ModemRecord])
  case location(String?)
  /// An error: its name on the bus, and its text.
  case refused(name: String, text: String)
}

/// A signal from the bus.
enum BusSignal: Sendable, Equatable {
  /// ModemManager appeared (its unique name) or vanished.
  case owner(String?)
  /// Modems or their interfaces appeared or vanished.
  case modems
  case location(path: String, LocationChange)
  case state(path: String, ModemState)
  case registration(path: String, Registration)
}

/// The arguments of `Setup`.
struct LocationSetup: Sendable, Equatable {
  /// `MM_MODEM_LOCATION_SOURCE_3GPP_LAC_CI`.
  static let cells: UInt32 = 1

  var sources: UInt32
  var signals: Bool

  /// Whether changes of cell are signalled.
  var tellsCells: Bool { sources & Self.cells != 0 && signals }
}

/// What `PropertiesChanged` said of a modem's location; `nil` is unchanged.
struct LocationChange: Sendable, Equatable {
  var sources: UInt32?
  var signals: Bool?
  /// The text of the cell; the inner `nil` is no cell.
  var text: String??
}

/// One modem as ModemManager lists it.
struct ModemRecord: Sendable, Equatable {
  let path: String
  var name = ""
  var state = ModemState(rawValue: 0)
  var registration: Registration?
  /// `nil` if there is no location interface.
  var location: Location?

  struct Location: Sendable, Equatable {
    var capabilities: UInt32 = 0
    var setup = LocationSetup(sources: 0, signals: false)
    var text: String?
  }

  var knowsCells: Bool { (location?.capabilities ?? 0) & LocationSetup.cells != 0 }

  /// A name for people: the model, if known, and the path's number.
  var title: String {
    let number = path.split(separator: "/").last ?? ""
    return name.isEmpty ? "modem \(number)" : "\(name), modem \(number)"
  }
}

/// `MMModem3gppRegistrationState`: 1 home, 5 roaming, 6 to 10 registered for some services; 0, 2, 3 and 4
/// are not registered, searching, denied and unknown (include/ModemManager-enums.h).
struct Registration: RawRepresentable, Sendable, Equatable {
  let rawValue: UInt32

  var words: String {
    switch rawValue {
    case 0: "not registered with a network"
    case 2: "searching for a network"
    case 3: "denied by the network"
    case 4: "registered or not, unknown"
    default: "registered with a network"
    }
  }
}
