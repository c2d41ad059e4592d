// SPDX-License-Identifier: Apache-2.0

/// Names of GeoClue's D-Bus interface (GeoClue 2.6, `interface/*.xml`), and of the bus' own.
enum GeoClueName {
  static let service = "org.freedesktop.GeoClue2"
  static let manager = "org.freedesktop.GeoClue2.Manager"
  static let client = "org.freedesktop.GeoClue2.Client"
  static let location = "org.freedesktop.GeoClue2.Location"
  static let agent = "org.freedesktop.GeoClue2.Agent"
  static let bus = "org.freedesktop.DBus"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let peer = "org.freedesktop.DBus.Peer"

  static let root = "/org/freedesktop/GeoClue2"
  static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  static let agentPath = "/org/freedesktop/GeoClue2/Agent"
}

/// An error for a caller; names and texts are those of GeoClue 2.6.0 (GDBus 2.74), so that programs that check them see
/// no difference.
struct BusRefusal: Error, Sendable, Equatable {
  let name: String
  let text: String

  private init(_ name: String, _ text: String) {
    (self.name, self.text) = ("org.freedesktop.DBus.Error." + name, text)
  }

  static let notYours = Self("AccessDenied", "Access denied")
  static let noDesktopID = Self("AccessDenied", "'DesktopId' property must be set")
  static func isOff(_ user: UInt32) -> Self {
    Self("AccessDenied", "Geolocation disabled for UID \(user)")
  }
  static func noObject(_ path: String) -> Self {
    Self("UnknownMethod", "Object does not exist at path “\(path)”")
  }
  static func noMethod(_ name: String) -> Self { Self("UnknownMethod", "No such method “\(name)”") }
  static func noInterface(_ name: String) -> Self {
    Self("InvalidArgs", "No such interface “\(name)”")
  }
  static func noProperty(_ name: String) -> Self {
    Self("InvalidArgs", "No such property “\(name)”")
  }
  static func readOnly(_ name: String) -> Self {
    Self("InvalidArgs", "Property “\(name)” is not writable")
  }
  static func wrongType(_ name: String, _ given: String, for expected: String) -> Self {
    Self(
      "InvalidArgs",
      "Error setting property “\(name)”: Expected type “\(expected)” but got “\(given)”")
  }
  static func wrongArguments(_ given: String, for expected: String) -> Self {
    Self(
      "InvalidArgs",
      "Type of message, “(\(given))”, does not match expected type “(\(expected))”")
  }

  // Only here, not in GeoClue.
  static func foreign(_ user: UInt32, own: UInt32) -> Self {
    Self(
      "AccessDenied",
      "this milepostd tells user \(own) where the device is, and you are user \(user)")
  }
  static func tooMany(_ limit: Int) -> Self {
    Self("LimitsExceeded", "\(limit) clients are served at once, and more are not; delete some")
  }
  static func tooManyPrograms(_ limit: Int) -> Self {
    Self("LimitsExceeded", "\(limit) programs are served at once, and more are not; end some")
  }
  static func tooManyCalls(_ limit: Int) -> Self {
    Self("LimitsExceeded", "\(limit) calls of this program wait already; wait for their answers")
  }
}
