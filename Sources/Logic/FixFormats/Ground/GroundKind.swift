// SPDX-License-Identifier: Apache-2.0

/// The kind of ground under a track, as far as a map of it distinguishes; in drawing order.
package enum GroundKind: String, CaseIterable, Sendable {
  case sea
  case land
  case lake
  case coast
  case stream
  case river
  case path
  case street
  case tertiary
  case secondary
  case primary
  case railway
  case trunk
  case motorway
  case hamlet
  case village
  case town
  case city

  package enum Form: Sendable {
    case area
    case line
    case place
  }

  package var form: Form {
    switch self {
    case .sea, .land, .lake: .area
    case .hamlet, .village, .town, .city: .place
    case .coast, .stream, .river, .path, .street, .tertiary, .secondary, .primary, .railway, .trunk,
      .motorway:
      .line
    }
  }

  /// The coarsest map, in metres a unit, on which it is drawn; a unit is about a pixel [ours, so that a map of
  /// 600 units in the middle of a European city keeps some hundred lines].
  package var coarsest: Double {
    switch self {
    // Names are few anyway, the largest places first.
    case .sea, .land, .lake, .coast, .river, .city, .town: .infinity
    case .motorway: 1_500
    case .trunk: 400
    case .primary: 150
    case .railway, .village: 100
    case .secondary: 60
    case .tertiary: 20
    case .stream, .hamlet: 12
    case .street: 6
    case .path: 4
    }
  }

  /// Which are kept if there are too many: small is important.
  package var rank: Int {
    switch self {
    case .sea, .land: 0
    case .lake, .coast: 1
    case .city: 2
    case .river, .motorway: 3
    case .town, .trunk: 4
    case .primary: 5
    case .railway, .secondary: 6
    case .village, .tertiary: 7
    case .stream: 8
    case .hamlet, .street: 9
    case .path: 10
    }
  }
}

/// The source of the ground: it decides the credit beside the map.
package enum GroundSource: String, CaseIterable, Sendable {
  case openStreetMap
  case naturalEarth
  case geoNames

  /// The attribution that its licence requires, or that is fair.
  package var credit: String {
    switch self {
    case .openStreetMap: "© OpenStreetMap contributors (ODbL)"
    case .naturalEarth: "Natural Earth (public domain)"
    case .geoNames: "GeoNames (CC BY)"
    }
  }
}
