// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// A fix as an object with the names of Milepost's JSON lines; unknown is `null`.
enum FixObject {
  static func write(_ fix: Fix, into json: inout JSONWriter) {
    json.object { json in
      json.member("time", fix.time?.rfc3339)
      let numbers: [(String, Double?)] = [
        ("latitude", fix.coordinate.latitude), ("longitude", fix.coordinate.longitude),
        ("accuracy_m", fix.horizontalAccuracy), ("altitude_m", fix.altitude),
        ("ellipsoidal_height_m", fix.ellipsoidalHeight),
        ("vertical_accuracy_m", fix.verticalAccuracy), ("speed_mps", fix.speed),
        ("course_deg", fix.course), ("hdop", fix.hdop),
      ]
      for (name, value) in numbers {
        json.key(name)
        json.exact(value)
      }
      json.member("satellites", fix.satellites)
      json.member("source", fix.source == .gnss ? "gnss" : "network")
    }
  }

  static func read(_ object: ObjectReader) throws(ProtocolError) -> Fix {
    let latitude = try object.number("latitude", in: -90...90)
    let longitude = try object.number("longitude", in: -180...180)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw ProtocolError("\(object.name) has no valid coordinate")
    }
    var fix = Fix(time: try object.optionalInstant("time"), coordinate: coordinate)
    fix.horizontalAccuracy = try object.optionalNumber("accuracy_m", in: 0...1e15)
    fix.altitude = try object.optionalNumber("altitude_m")
    fix.ellipsoidalHeight = try object.optionalNumber("ellipsoidal_height_m")
    fix.verticalAccuracy = try object.optionalNumber("vertical_accuracy_m", in: 0...1e15)
    fix.speed = try object.optionalNumber("speed_mps", in: 0...1e15)
    fix.course = try object.optionalNumber("course_deg", in: 0...360)
    fix.hdop = try object.optionalNumber("hdop", in: 0...1e15)
    fix.satellites = try object.optionalInteger("satellites").map(Int.init)
    let source = try object.string("source")
    fix.source = source == "network" ? .network : .gnss
    return fix
  }
}
