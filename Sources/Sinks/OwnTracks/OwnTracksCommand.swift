// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

/// What the other side answers or sends: messages for the device.
enum OwnTracksAnswer {
  /// What is asked for in `body`: a message, an array of them, or, with the key, such in an encrypted one. What
  /// is no such thing asks for nothing.
  static func requests(in body: [UInt8], key: OwnTracksKey? = nil) -> [OwnTracksCommand] {
    guard let value = try? JSONValue.parse(body.span) else { return [] }
    return (value.array ?? [value]).flatMap { message -> [OwnTracksCommand] in
      switch message["_type"]?.string {
      case "cmd": return OwnTracksCommand(message).map { [$0] } ?? []
      case "encrypted":
        guard let key, let data = message["data"]?.string, let opened = key.open(data) else {
          return []
        }
        // Without the key, so that an encrypted one within it is not opened again.
        return requests(in: opened)
      default: return []
      }
    }
  }
}

// Theory
// ======
//
// A command is a message `cmd` with its name in `action` [doc: owntracks.org/booklet/tech/json]. `setWaypoints` merges:
// the key of a region is its name, `desc`; a region whose `lat` or `lon` is no degree is taken away, as iOS does [doc].
// The list stands in `waypoints` of a message within [doc], or by itself, as servers of people write it. Beacons have
// no radius, and are nobody's here. `clearWaypoints` takes away all that came so [source: owntracks/android].

/// A command that makes sense for a device without an app on a screen.
enum OwnTracksCommand: Sendable, Equatable {
  case reportLocation
  case status
  /// The regions that are monitored are to be told.
  case waypoints
  case changeRegions([RegionChange])

  /// Waypoints of one command that are looked at; the engine has room for fewer (`MonitoredRegion.limit`) [ours].
  static let waypointLimit = 64

  /// `nil` where it is no command of these.
  init?(_ message: JSONValue) {
    switch message["action"]?.string {
    case "reportLocation": self = .reportLocation
    case "status": self = .status
    case "waypoints": self = .waypoints
    case "clearWaypoints": self = .changeRegions([.stopAll])
    case "setWaypoints":
      guard let list = message["waypoints"]?.array ?? message["waypoints"]?["waypoints"]?.array
      else { return nil }
      let changes = list.prefix(Self.waypointLimit).compactMap(Self.change)
      guard !changes.isEmpty else { return nil }
      self = .changeRegions(changes)
    default: return nil
    }
  }

  private static func change(_ waypoint: JSONValue) -> RegionChange? {
    guard let name = waypoint["desc"]?.string, !name.isEmpty,
      name.utf8.count <= MonitoredRegion.identifierLimit, waypoint["uuid"] == nil
    else { return nil }
    guard let latitude = waypoint["lat"]?.number, let longitude = waypoint["lon"]?.number,
      let centre = Coordinate(latitude: latitude, longitude: longitude)
    else { return .stop(name) }
    guard let radius = waypoint["rad"]?.number, MonitoredRegion.radii.contains(radius) else {
      return nil
    }
    return .monitor(MonitoredRegion(name, centre: centre, radius: radius))
  }
}

extension MonitoredRegion {
  /// The key by which OwnTracks' apps tell waypoints apart, and transitions name theirs (`tst`, `wtst`): the time at
  /// which a region was made, which nobody here knows. Made of the name instead, it is the same each time, and within
  /// 1970, as no real one is (FNV-1a, 32 bits).
  static func waypointKey(of name: String) -> Int {
    var hash: UInt32 = 0x811c_9dc5
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int(hash % 31_536_000)
  }
}
