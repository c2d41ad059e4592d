// SPDX-License-Identifier: Apache-2.0

package import JSONText

// Theory
// ======
//
// The properties of a feature give its kind. Two vocabularies are known, and a feature uses the one whose words it has:
// Natural Earth's `featurecla` (naturalearthdata.com), else OpenStreetMap's keys `natural`, `water`, `waterway`,
// `highway`, `railway` and `place` (wiki.openstreetmap.org/wiki/Map_features), as `osmium export` and overpass-turbo
// write them. A feature with neither is skipped: a map of a track needs no post boxes.

/// The kind of a GeoJSON feature by its properties.
package struct GroundTags: Sendable, Equatable {
  package let kind: GroundKind
  package let source: GroundSource
  /// The name of a place; `nil` if it has none.
  package var name: String?
  /// Inhabitants; 0 if unknown.
  package var population = 0.0
  /// The finest map, in metres a unit, on which its line is still accurate.
  package var finest = 0.0

  /// Natural Earth's lines are drawn for maps of 1 to 10 million and coarser: an accuracy of 0.2 mm there is 2 km,
  /// which may be at most 20 units.
  static let finestNaturalEarth = 100.0

  /// `nil` if it is not drawn.
  package init?(_ properties: JSONValue, isArea: Bool) {
    guard let members = properties.members else { return nil }
    func value(_ key: String) -> JSONValue? { members.first { $0.key.lowercased() == key }?.value }
    func text(_ key: String) -> String? { value(key)?.string?.lowercased() }
    if let word = text("featurecla") {
      guard
        let kind = Self.naturalEarth(
          word, type: text("type"), people: value("pop_max")?.number ?? 0)
      else { return nil }
      (self.kind, source) = (kind, .naturalEarth)
      if kind.form != .place { finest = Self.finestNaturalEarth }
    } else if let kind = Self.openStreetMap(text, isArea: isArea) {
      (self.kind, source) = (kind, .openStreetMap)
    } else {
      return nil
    }
    guard kind.form == .place else { return }
    guard let name = value("name")?.string, !name.isEmpty else { return nil }
    self.name = name
    population = max(0, Self.number(value("population") ?? value("pop_max")) ?? 0)
  }

  init(
    kind: GroundKind, source: GroundSource, name: String? = nil, population: Double = 0,
    finest: Double = 0
  ) {
    (self.kind, self.source, self.name) = (kind, source, name)
    (self.population, self.finest) = (population, finest)
  }

  /// Tags of OpenStreetMap are texts, even numbers.
  private static func number(_ value: JSONValue?) -> Double? {
    value?.number
      ?? value?.string.flatMap { text in
        let bytes = Array(text.utf8)
        return Decimal.value(bytes.span, from: 0, to: bytes.count)
      }
  }

  /// The number of inhabitants above which Natural Earth's populated place is a city, as OpenStreetMap uses the word.
  package static let leastCity = 100_000.0

  private static func naturalEarth(_ word: String, type: String?, people: Double) -> GroundKind? {
    switch word {
    case "ocean": return .sea
    case "land", "island", "null island": return .land
    case "coastline": return .coast
    case "river", "lake centerline", "canal": return .river
    case "railroad": return .railway
    case "road":
      return switch type {
      case "major highway", "beltway": .motorway
      case "secondary highway", "bypass": .trunk
      case "ferry route", "track": nil
      default: .primary
      }
    default:
      if word.contains("lake") || word.contains("reservoir") { return .lake }
      if word.contains("capital") || word.contains("populated place") {
        return people >= leastCity || word.contains("admin-0 capital") ? .city : .town
      }
      return nil
    }
  }

  private static func openStreetMap(_ tag: (String) -> String?, isArea: Bool) -> GroundKind? {
    switch tag("natural") {
    case "coastline": return .coast
    case "water": return .lake
    case "bay" where isArea, "strait" where isArea: return .sea
    default: break
    }
    if isArea, tag("water") != nil || tag("landuse") == "reservoir" { return .lake }
    switch tag("waterway") {
    case "river": return .river
    case "riverbank", "dock": return isArea ? .lake : nil
    case "canal", "stream": return .stream
    default: break
    }
    // Tunnels of a railway are not visible; its yards and sidings are too many.
    if tag("railway") == "rail", tag("service") == nil { return .railway }
    if let road = tag("highway"), !isArea { return Self.road(road) }
    switch tag("place") {
    case "city": return .city
    case "town": return .town
    case "village": return .village
    case "hamlet", "suburb", "quarter", "neighbourhood": return .hamlet
    case "sea", "ocean": return isArea ? .sea : nil
    case "island", "islet": return nil
    default: return nil
    }
  }

  private static func road(_ word: String) -> GroundKind? {
    switch word {
    case "motorway", "motorway_link": .motorway
    case "trunk", "trunk_link": .trunk
    case "primary", "primary_link": .primary
    case "secondary", "secondary_link": .secondary
    case "tertiary", "tertiary_link": .tertiary
    case "residential", "unclassified", "living_street", "pedestrian", "road": .street
    case "path", "footway", "cycleway", "track", "bridleway", "steps": .path
    default: nil
    }
  }
}
