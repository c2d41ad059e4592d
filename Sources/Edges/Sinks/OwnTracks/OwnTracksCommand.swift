// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

/// The messages for the device from the other side.
enum OwnTracksAnswer {
  /// The requests in `body`: a message, an array of them, or, with the key, an encrypted one that contains either. Any
  /// other content is no request.
  static func requests(in body: [UInt8], key: OwnTracksKey? = nil) -> [OwnTracksCommand] {
    guard let value = try? JSONValue.parse(body.span) else { return [] }
    return (value.array ?? [value]).flatMap { message -> [OwnTracksCommand] in
      switch message["_type"]?.string {
      case "cmd": return OwnTracksCommand(message).map { [$0] } ?? []
      case "encrypted":
        guard let key, let data = message["data"]?.string, let opened = key.openMessage(data) else {
          return []
        }
        // Without the key, so that a nested encrypted one is not opened again.
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
// the key of a region is its name, `desc`; a region whose `lat` or `lon` is no degree is removed, as on iOS [doc]. The
// list is in `waypoints` of a nested message [doc], or directly in the command, as people's servers write it. Beacons
// have no radius, and are ignored here. `clearWaypoints` removes all regions set so [source: owntracks/android].

/// A command that makes sense for a device without an app on a screen.
enum OwnTracksCommand: Sendable, Equatable {
  case reportLocation
  case status
  /// Requests the list of monitored regions.
  case waypoints
  case changeRegions([RegionChange])

  /// The limit of examined waypoints of one command; the engine has room for fewer (`MonitoredRegion.limit`) [ours].
  static let waypointLimit = 64

  /// `nil` if it is none of these commands.
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
  /// The key by which OwnTracks' apps distinguish waypoints, and by which transitions refer to them (`tst`, `wtst`):
  /// the time at which a region was made, which is unknown here. It is derived from the name instead (FNV-1a, 32 bits),
  /// so it is always the same, and within 1970, unlike any real one.
  static func waypointKey(of name: String) -> Int {
    var hash: UInt32 = 0x811c_9dc5
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int(hash % 31_536_000)
  }
}
