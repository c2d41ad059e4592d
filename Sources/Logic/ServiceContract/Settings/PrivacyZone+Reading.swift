// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

extension DaemonConfiguration {
  static func zones(in table: inout SettingsTable) -> [PrivacyZone]? {
    var names: [String: String] = [:]
    return table.tables("privacy_zones", limit: PrivacyZone.limit) { part, path in
      guard let zone = PrivacyZone(&part) else { return nil }
      if let other = names.updateValue(path, forKey: zone.name) {
        part.noteProblem(at: "name", "'\(zone.name)' is the name of \(other) too; choose another")
      }
      return zone
    }
  }
}

extension PrivacyZone {
  fileprivate init?(_ table: inout SettingsTable) {
    let name = table.string("name")
    if !table.states("name") { table.noteProblem(at: "name", "missing; as in name: home") }
    if let name, !AppName.isValid(name) {
      table.noteProblem(
        at: "name",
        "'\(SettingsTable.shortened(name))' is not a name: \(AppName.words)")
    }
    let latitude = table.number("latitude", in: GridSquare.latitudes, unit: "degrees")
    let longitude = table.number("longitude", in: -180...180, unit: "degrees")
    let radius = table.number("radius_m", in: PrivacyZone.radii, unit: "metres")
    for (key, advice) in [
      ("latitude", "degrees, north positive"), ("longitude", "degrees, east positive"),
      ("radius_m", "300 hides a house among others"),
    ] where !table.states(key) { table.noteProblem(at: key, "missing; \(advice)") }
    let says = table.choice("say", among: PrivacyZone.Telling.allCases)
    let apps = table.strings("apps", limit: 256)
    for app in apps ?? [] where !AppName.isValid(app) {
      table.noteProblem(at: "apps", "'\(SettingsTable.shortened(app))' is no name of an app")
    }
    table.finish()
    guard let name, let latitude, let longitude, let radius, table.problems.isEmpty,
      let centre = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      name: name, centre: centre, radius: radius, says: says ?? .nothing, apps: apps ?? [])
  }
}
