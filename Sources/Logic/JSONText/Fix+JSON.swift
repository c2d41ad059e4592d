// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

extension Fix.Source: JSONCoded {
  package static var json: JSONForm<Fix.Source> {
    JSONForm(
      .words(["gnss", "network"]), "one of gnss, network",
      write: { $1.string($0 == .gnss ? "gnss" : "network") },
      convert: { ["gnss": .gnss, "network": .network][$0.string ?? ""] })
  }
}

extension Fix: JSONObject {
  /// The names of Milepost's JSON lines; unknown is null.
  package static let empty = Fix(
    time: nil, coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: 0))
  package static let table = JSONTable<Self> { fix in
    let length = JSONForm<Double>.number(in: 0...1e15)
    fix.nullable("time", UTCInstant.json, get: \.time) { $0.time = $1 }
    fix.member("latitude", .number(in: -90...90), isRequired: true, get: \.coordinate.latitude) {
      $0.coordinate = Coordinate(
        clampingLatitude: $1, wrappingLongitude: $0.coordinate.longitude)
    }
    fix.member("longitude", .number(in: -180...180), isRequired: true, get: \.coordinate.longitude)
    {
      $0.coordinate = Coordinate(
        clampingLatitude: $0.coordinate.latitude, wrappingLongitude: $1)
    }
    fix.nullable("accuracy_m", length, get: \.horizontalAccuracy) { $0.horizontalAccuracy = $1 }
    fix.nullable("altitude_m", .number(), get: \.altitude) { $0.altitude = $1 }
    fix.nullable("ellipsoidal_height_m", .number(), get: \.ellipsoidalHeight) {
      $0.ellipsoidalHeight = $1
    }
    fix.nullable("vertical_accuracy_m", length, get: \.verticalAccuracy) {
      $0.verticalAccuracy = $1
    }
    fix.nullable("speed_mps", length, get: \.speed) { $0.speed = $1 }
    fix.nullable("course_deg", .number(in: 0...360), get: \.course) { $0.course = $1 }
    fix.nullable("hdop", length, get: \.hdop) { $0.hdop = $1 }
    fix.nullable("satellites", Int.json, get: \.satellites) { $0.satellites = $1 }
    fix.member("source", Source.json, isRequired: true, get: \.source) { $0.source = $1 }
    // Few receivers state these; if unknown, they are absent.
    fix.member("speed_accuracy_mps", length, isRequired: false, get: \.speedAccuracy) {
      $0.speedAccuracy = $1
    }
    fix.member(
      "course_accuracy_deg", .number(in: 0...180), isRequired: false, get: \.courseAccuracy
    ) { $0.courseAccuracy = $1 }
  }
}

extension JSONForm where Value == Fix {
  /// The same form, for a fix in several messages: it is written once.
  package static var shared: Self {
    let form = Fix.json
    return JSONForm(form.shape, write: { $1.fix($0, by: form.write) }, read: form.read)
  }
}
