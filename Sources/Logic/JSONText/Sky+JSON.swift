// SPDX-License-Identifier: Apache-2.0

package import LocationModel

extension Sky: JSONObject {
  /// The members of gpsd's `SKY`; unknown ones are absent.
  package static let empty = Sky()
  package static let table = JSONTable<Self> { sky in
    sky.option("time", \.time, UTCInstant.json)
    let dilution = JSONForm<Double>.number(in: 0...1e15)
    sky.option("xdop", \.xdop, dilution)
    sky.option("ydop", \.ydop, dilution)
    sky.option("vdop", \.vdop, dilution)
    sky.option("tdop", \.tdop, dilution)
    sky.option("hdop", \.hdop, dilution)
    sky.option("gdop", \.gdop, dilution)
    sky.option("pdop", \.pdop, dilution)
    sky.value("nSat") { $0.satellites.count }
    sky.value("uSat") { $0.satellites.count { $0.isUsed } }
    sky.option("satellites", \.satellites, [Satellite].json) { !$0.satellites.isEmpty }
  }
}

extension Sky.Satellite: JSONObject {
  package static let empty = Self(number: 0, isUsed: false)
  package static let table = JSONTable<Self> { satellite in
    satellite.field("PRN", \.number)
    satellite.option("el", \.elevation, .number(in: -90...90))
    satellite.option("az", \.azimuth, .number(in: 0...360))
    satellite.option("ss", \.signal, .number(in: 0...1e3))
    satellite.field("used", \.isUsed)
    satellite.option("gnssid", \.system, Int.json)
    satellite.option("svid", \.systemNumber, Int.json)
    satellite.option("health", \.health, Int.json)
  }
}
