// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// The object that a path names.
enum Object: Sendable, Equatable {
  case manager
  case client(GeoClueClient)
  case location(GeoClueClient, Int)

  init?(_ path: String) {
    if path == GeoClueName.managerPath {
      self = .manager
      return
    }
    let prefix = "\(GeoClueName.root)/Client/"
    guard path.hasPrefix(prefix) else { return nil }
    let parts = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap({ UInt32($0) }), String(first) == parts[0] else {
      return nil
    }
    if parts.count == 1 {
      self = .client(GeoClueClient(first))
    } else if parts.count == 3, parts[1] == "Location", let number = Int(parts[2]) {
      self = .location(GeoClueClient(first), number)
    } else {
      return nil
    }
  }

  /// The interface of GeoClue that it has.
  var interface: String {
    switch self {
    case .manager: GeoClueName.manager
    case .client: GeoClueName.client
    case .location: GeoClueName.location
    }
  }

  /// The interface of a member that a caller names alone (D-Bus specification, "Method Calls").
  func interface(with member: String) -> String {
    switch member {
    case "Get", "Set", "GetAll": GeoClueName.properties
    case "Introspect": GeoClueName.introspectable
    case "Ping": GeoClueName.peer
    default: interface
    }
  }
}

/// What the objects say of themselves (D-Bus specification, "Introspection Data Format").
enum GeoClueIntrospection {
  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  static func text(of object: Object) -> String {
    let own =
      switch object {
      case .manager:
        interface(
          GeoClueName.manager,
          [
            method("GetClient", outputs: [("client", "o")]),
            method("CreateClient", outputs: [("client", "o")]),
            method("DeleteClient", [("client", "o")]), method("AddAgent", [("id", "s")]),
            property("InUse", "b"), property("AvailableAccuracyLevel", "u"),
          ])
      case .client:
        interface(
          GeoClueName.client,
          [
            method("Start"), method("Stop"),
            "    <signal name=\"LocationUpdated\">\n      <arg name=\"old\" type=\"o\"/>\n"
              + "      <arg name=\"new\" type=\"o\"/>\n    </signal>\n",
            property("Location", "o"), property("DistanceThreshold", "u", "readwrite"),
            property("TimeThreshold", "u", "readwrite"), property("DesktopId", "s", "readwrite"),
            property("RequestedAccuracyLevel", "u", "readwrite"), property("Active", "b"),
          ])
      case .location:
        interface(
          GeoClueName.location,
          ["Latitude", "Longitude", "Accuracy", "Altitude", "Speed", "Heading"].map {
            property($0, "d")
          } + [property("Description", "s"), property("Timestamp", "(tt)")])
      }
    return head + common + own + "</node>\n"
  }

  /// The nodes below a path that is no object itself; `nil` if there are none.
  static func folder(_ path: String, _ clients: [GeoClueClientObject]) -> String? {
    let paths =
      [GeoClueName.managerPath]
      + clients.flatMap { client in
        [client.path] + client.locations.map { "\(client.path)/Location/\($0.number)" }
      }
    let prefix = path == "/" ? "/" : path + "/"
    var names: [Substring] = []
    for below in paths where below.hasPrefix(prefix) {
      let name = below.dropFirst(prefix.count).prefix { $0 != "/" }
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else { return nil }
    return head + names.map { "  <node name=\"\($0)\"/>\n" }.joined() + "</node>\n"
  }

  private static let common =
    interface(
      GeoClueName.properties,
      [
        method(
          "Get", [("interface_name", "s"), ("property_name", "s")], outputs: [("value", "v")]),
        method("GetAll", [("interface_name", "s")], outputs: [("properties", "a{sv}")]),
        method("Set", [("interface_name", "s"), ("property_name", "s"), ("value", "v")]),
        "    <signal name=\"PropertiesChanged\">\n"
          + "      <arg name=\"interface_name\" type=\"s\"/>\n"
          + "      <arg name=\"changed_properties\" type=\"a{sv}\"/>\n"
          + "      <arg name=\"invalidated_properties\" type=\"as\"/>\n    </signal>\n",
      ])
    + interface(
      GeoClueName.introspectable, [method("Introspect", outputs: [("xml_data", "s")])])
    + interface(GeoClueName.peer, [method("Ping")])

  private static func interface(_ name: String, _ members: [String]) -> String {
    "  <interface name=\"\(name)\">\n\(members.joined())  </interface>\n"
  }

  private static func method(
    _ name: String, _ inputs: [(String, String)] = [], outputs: [(String, String)] = []
  ) -> String {
    let arguments =
      inputs.map { "      <arg name=\"\($0)\" type=\"\($1)\" direction=\"in\"/>\n" }
      + outputs.map { "      <arg name=\"\($0)\" type=\"\($1)\" direction=\"out\"/>\n" }
    return arguments.isEmpty
      ? "    <method name=\"\(name)\"/>\n"
      : "    <method name=\"\(name)\">\n\(arguments.joined())    </method>\n"
  }

  private static func property(
    _ name: String, _ type: String, _ access: String = "read"
  ) -> String {
    "    <property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>\n"
  }
}
