// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

extension OwnTracksMessage {
  /// The message as one line of JSON. `topic`, only for messages over HTTP, is the MQTT topic that the message would
  /// have: without it Dawarich takes km/h for m/s, and Home Assistant does not know the device.
  func json(from device: OwnTracksDevice, topic: String? = nil) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      switch self {
      case .location(let location): location.encode(from: device, to: &json)
      case .transition(let transition): transition.encode(from: device, to: &json)
      case .lastWill(let since):
        json.member("_type", "lwt")
        json.member("tst", Int(since.wholeSeconds))
      case .status(let status): status.encode(to: &json)
      case .waypoints(let regions): Self.encode(regions: regions, to: &json)
      }
      if let topic { json.member("topic", topic) }
    }
    return json.bytes
  }
}

extension OwnTracksMessage {
  private static func encode(regions: [MonitoredRegion], to json: inout JSONWriter) {
    json.member("_type", "waypoints")
    json.key("waypoints")
    json.array { json in
      for region in regions {
        json.object { json in
          json.member("_type", "waypoint")
          json.member("desc", region.identifier)
          json.member("lat", region.centre.latitude, decimals: 6)
          json.member("lon", region.centre.longitude, decimals: 6)
          json.known("rad", region.radius, atLeast: 1)
          json.member("tst", MonitoredRegion.waypointKey(of: region.identifier))
        }
      }
    }
  }
}

extension OwnTracksMessage.Location {
  fileprivate func encode(from device: OwnTracksDevice, to json: inout JSONWriter) {
    json.member("_type", "location")
    json.member("lat", coordinate.latitude, decimals: 6)
    json.member("lon", coordinate.longitude, decimals: 6)
    json.member("tst", Int(time.wholeSeconds))
    if created.wholeSeconds != time.wholeSeconds {
      json.member("created_at", Int(created.wholeSeconds))
    }
    json.known("acc", accuracy, atLeast: 1)
    json.known("alt", altitude)
    json.known("vac", verticalAccuracy, atLeast: 1)
    json.known("vel", speed.map { $0 * 3.6 })
    // 359.6° is north.
    json.known("cog", course.map { $0.rounded() == 360 ? 0 : $0 })
    if let trigger { json.member("t", trigger.rawValue) }
    if let monitoring { json.member("m", monitoring.rawValue) }
    json.member("tid", device.tracker)
    json.member("_id", id)
  }
}

extension OwnTracksMessage.Transition {
  fileprivate func encode(from device: OwnTracksDevice, to json: inout JSONWriter) {
    json.member("_type", "transition")
    json.member("event", isEntry ? "enter" : "leave")
    json.member("desc", region)
    json.member("lat", coordinate.latitude, decimals: 6)
    json.member("lon", coordinate.longitude, decimals: 6)
    json.member("tst", Int(time.wholeSeconds))
    json.member("wtst", MonitoredRegion.waypointKey(of: region))
    json.known("acc", accuracy, atLeast: 1)
    json.member("t", "c")
    json.member("tid", device.tracker)
    json.member("_id", id)
  }
}

extension OwnTracksMessage.Status {
  /// The documentation has an object each for iOS and Android; this one is named after its writer.
  fileprivate func encode(to json: inout JSONWriter) {
    json.member("_type", "status")
    json.key("milepost")
    json.object { json in
      json.member("version", Release.version)
      json.member("tst", Int(time.wholeSeconds))
      if let waiting { json.member("waiting", waiting) }
    }
  }
}

extension JSONWriter {
  /// Writes a member as a whole number, as OwnTracks' apps write them and Traccar reads them; none if it is unknown.
  /// Values beyond 10⁹ are no measurements, and count as unknown.
  fileprivate mutating func known(_ name: String, _ value: Double?, atLeast least: Double? = nil) {
    guard let value, value.magnitude < 1e9 else { return }
    member(name, Int(max(value.rounded(), least ?? -.infinity)))
  }
}
