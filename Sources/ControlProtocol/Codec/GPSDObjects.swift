// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// The objects that ordinary gpsd clients read, as gpsd_json(5) of protocol 3.14 has them.
enum GPSDObjects {
  /// The protocol of gpsd 3.20 to 3.22; later ones only add to it.
  static let protocolMajor = 3
  static let protocolMinor = 14

  static func writeVersion(_ release: String, into json: inout JSONWriter) {
    json.object { json in
      json.member("class", "VERSION")
      json.member("release", release)
      json.member("rev", "milepost-\(release)")
      json.member("proto_major", protocolMajor)
      json.member("proto_minor", protocolMinor)
    }
  }

  static func writeDevices(_ devices: [ServerMessage.Device], into json: inout JSONWriter) {
    json.object { json in
      json.member("class", "DEVICES")
      json.key("devices")
      json.array { json in
        for device in devices {
          json.object { json in
            json.member("class", "DEVICE")
            json.member("path", device.path)
            if let driver = device.driver { json.member("driver", driver) }
          }
        }
      }
    }
  }

  static func writeWatch(_ isOn: Bool, into json: inout JSONWriter) {
    json.object { json in
      json.member("class", "WATCH")
      json.member("enable", isOn)
      json.member("json", isOn)
      json.member("nmea", false)
      json.member("raw", 0)
      for name in ["scaled", "timing", "split24", "pps"] { json.member(name, false) }
    }
  }

  /// Unknown members are absent, as in gpsd's reports; without a fix the mode is 0.
  static func writeReport(_ fix: Fix?, device: String, into json: inout JSONWriter) {
    json.object { json in
      json.member("class", "TPV")
      if !device.isEmpty { json.member("device", device) }
      json.member("mode", fix.map(mode) ?? 0)
      guard let fix else { return }
      if let time = fix.time { json.member("time", time.rfc3339) }
      // gpsd writes `alt` beside its successors, for clients older than 3.20.
      let numbers: [(String, Double?)] = [
        ("lat", fix.coordinate.latitude), ("lon", fix.coordinate.longitude),
        ("altHAE", fix.ellipsoidalHeight), ("altMSL", fix.altitude), ("alt", fix.altitude),
        ("eph", fix.horizontalAccuracy), ("epv", fix.verticalAccuracy), ("track", fix.course),
        ("speed", fix.speed),
      ]
      for (name, value) in numbers {
        guard let value else { continue }
        json.key(name)
        json.exact(value)
      }
    }
  }

  private static func mode(_ fix: Fix) -> Int {
    fix.altitude == nil && fix.ellipsoidalHeight == nil ? 2 : 3
  }

  static func writePoll(
    _ fix: Fix?, device: String, at time: UTCInstant, into json: inout JSONWriter
  ) {
    json.object { json in
      json.member("class", "POLL")
      json.member("time", time.rfc3339)
      json.member("active", fix == nil ? 0 : 1)
      json.key("tpv")
      json.array { writeReport(fix, device: device, into: &$0) }
      json.key("gst")
      json.array { _ in }
      json.key("sky")
      json.array { _ in }
    }
  }

  // Reading --------------------------------------------------------------------------------------

  static func devices(_ object: ObjectReader) throws(ProtocolError) -> [ServerMessage.Device] {
    var devices: [ServerMessage.Device] = []
    for device in try object.objects("devices") {
      devices.append(
        .init(path: try device.string("path"), driver: try device.optionalString("driver")))
    }
    return devices
  }

  /// `nil` where the report has no position.
  static func report(_ object: ObjectReader) throws(ProtocolError) -> (fix: Fix?, device: String) {
    let device = try object.optionalString("device") ?? ""
    guard try object.integer("mode", in: 0...3) >= 2,
      let latitude = try object.optionalNumber("lat", in: -90...90),
      let longitude = try object.optionalNumber("lon", in: -180...180),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return (nil, device) }
    var fix = Fix(time: try object.optionalInstant("time"), coordinate: coordinate)
    fix.ellipsoidalHeight = try object.optionalNumber("altHAE")
    fix.altitude = try object.optionalNumber("altMSL")
    fix.horizontalAccuracy = try object.optionalNumber("eph", in: 0...1e15)
    fix.verticalAccuracy = try object.optionalNumber("epv", in: 0...1e15)
    fix.course = try object.optionalNumber("track", in: 0...360)
    fix.speed = try object.optionalNumber("speed", in: 0...1e15)
    return (fix, device)
  }
}
