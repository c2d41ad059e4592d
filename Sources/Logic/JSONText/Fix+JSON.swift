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
    fix.field("time", \.time)
    fix.member(
      "latitude", .number(in: -90...90), isRequired: true, get: \.coordinate.latitude,
      set: {
        $0.coordinate = Coordinate(
          clampingLatitude: $1, wrappingLongitude: $0.coordinate.longitude)
      })
    fix.member(
      "longitude", .number(in: -180...180), isRequired: true, get: \.coordinate.longitude,
      set: {
        $0.coordinate = Coordinate(
          clampingLatitude: $0.coordinate.latitude, wrappingLongitude: $1)
      })
    fix.field("accuracy_m", \.horizontalAccuracy, .number(in: 0...1e15))
    fix.field("altitude_m", \.altitude, .number())
    fix.field("ellipsoidal_height_m", \.ellipsoidalHeight, .number())
    fix.field("vertical_accuracy_m", \.verticalAccuracy, .number(in: 0...1e15))
    fix.field("speed_mps", \.speed, .number(in: 0...1e15))
    fix.field("course_deg", \.course, .number(in: 0...360))
    fix.field("hdop", \.hdop, .number(in: 0...1e15))
    fix.field("satellites", \.satellites)
    fix.field("source", \.source)
    // Few receivers state these; if unknown, they are absent.
    fix.option("speed_accuracy_mps", \.speedAccuracy, .number(in: 0...1e15))
    fix.option("course_accuracy_deg", \.courseAccuracy, .number(in: 0...180))
  }
}

extension JSONForm where Value == Fix {
  /// The same form, for a fix in several messages: it is written once.
  package static var shared: Self {
    let form = Fix.json
    return JSONForm(form.shape, write: { $1.fix($0, by: form.write) }, read: form.read)
  }
}
