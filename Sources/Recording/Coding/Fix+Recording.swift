// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

// A fix has the names of JSON lines, so that `jq .input.fix` of a recording is a trace.

extension JSONWriter {
  mutating func fix(_ fix: Fix) {
    object { json in
      json.time("time", fix.time)
      json.exact("latitude", fix.coordinate.latitude)
      json.exact("longitude", fix.coordinate.longitude)
      json.exact("accuracy_m", fix.horizontalAccuracy)
      json.exact("altitude_m", fix.altitude)
      json.exact("ellipsoidal_height_m", fix.ellipsoidalHeight)
      json.exact("vertical_accuracy_m", fix.verticalAccuracy)
      json.exact("speed_mps", fix.speed)
      json.exact("course_deg", fix.course)
      json.exact("hdop", fix.hdop)
      if let satellites = fix.satellites { json.whole("satellites", Int64(satellites)) }
      if fix.source == .network { json.member("source", "network") }
    }
  }
}

extension Fix {
  init(recorded value: JSONValue?, _ name: String) throws(RecordingError) {
    let members = try Members(value, name)
    guard
      let coordinate = Coordinate(
        latitude: try members.number("latitude"), longitude: try members.number("longitude"))
    else { throw members.failure("latitude and longitude", "a place on Earth") }
    let source = try members.textIfKnown("source") ?? "gnss"
    guard source == "gnss" || source == "network" else {
      throw members.failure("source", "gnss or network")
    }
    self.init(
      time: try members.time("time"), coordinate: coordinate,
      horizontalAccuracy: try members.numberIfKnown("accuracy_m"),
      altitude: try members.numberIfKnown("altitude_m"),
      ellipsoidalHeight: try members.numberIfKnown("ellipsoidal_height_m"),
      verticalAccuracy: try members.numberIfKnown("vertical_accuracy_m"),
      speed: try members.numberIfKnown("speed_mps"),
      course: try members.numberIfKnown("course_deg"),
      hdop: try members.numberIfKnown("hdop"),
      satellites: members.has("satellites") ? try members.whole("satellites") : nil,
      source: source == "gnss" ? .gnss : .network)
  }
}
