// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

/// The regions and visits monitored for an app without a request.
package struct ManifestPlaces: Sendable, Equatable, Codable {
  /// At most `MonitoredRegion.limit`, each with a unique name.
  package var regions: [MonitoredRegion] = []
  package var visits = false

  package var isEmpty: Bool { regions.isEmpty && !visits }
}

extension ManifestPlaces {
  /// Reads `regions` and `visits`, under the names in the file's form.
  init(_ table: inout SettingsTable, regionsKey: String, visitsKey: String) {
    visits = table.bool(visitsKey) ?? false
    let expected =
      "at most \(MonitoredRegion.limit) tables were expected, each with name, latitude, longitude and radius_m"
    var names: Set<String> = []
    regions =
      table.tables(regionsKey, limit: MonitoredRegion.limit, expected: expected) { part, _ in
        guard let region = Self.region(&part) else { return nil }
        if !names.insert(region.identifier).inserted {
          part.noteProblem(
            at: "name", "'\(region.identifier)' is the name of another one; choose another")
        }
        return region
      } ?? []
  }

  private static func region(_ table: inout SettingsTable) -> MonitoredRegion? {
    let name = table.string("name")
    let latitude = table.number("latitude", in: -90...90, unit: "degrees")
    let longitude = table.number("longitude", in: -180...180, unit: "degrees")
    let radius = table.number("radius_m", in: MonitoredRegion.radii, unit: "metres")
    let entry = table.bool("notify_on_entry") ?? true
    let exit = table.bool("notify_on_exit") ?? true
    for key in ["name", "latitude", "longitude", "radius_m"] where !table.states(key) {
      table.noteProblem(at: key, "missing; a region has name, latitude, longitude and radius_m")
    }
    if let name, name.isEmpty || name.utf8.count > MonitoredRegion.identifierLimit {
      table.noteProblem(
        at: "name", "not a name: 1 to \(MonitoredRegion.identifierLimit) bytes")
    }
    table.finish()
    guard let name, let latitude, let longitude, let radius else { return nil }
    return MonitoredRegion(
      name,
      centre: Coordinate(clampingLatitude: latitude, wrappingLongitude: longitude),
      radius: radius, notifiesOnEntry: entry, notifiesOnExit: exit)
  }
}
