// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// A program that asks GeoClue says how exact it wants to be told, and from how many metres and seconds on. From that
// follows which of our services it is, and so what it costs:
//
//   level                     thresholds                          terms
//   ------------------------  ----------------------------------  -----------------------------------------------
//   country, city             any                                 follows: the last position that anybody's
//                                                                  receiver brought; the receiver is never on for it
//   neighborhood, street      any                                 significant changes
//   exact                     500 m or more, or 300 s or more     significant changes
//   exact                     less                                standard updates, unfiltered
//
// 500 m and 300 s are what makes a change significant (`EngineRules`), whatever the configuration says of them: a
// program that can wait for so much need not hold the receiver. Weather programs and night lights ask for a city and
// run for weeks; nothing is spent on them, and where nobody else ever needed the receiver they hear nothing.
//
// A location is told, on whatever terms, only when both thresholds have passed since the last one that was told, as
// in GeoClue: metres as the crow flies, seconds by the fixes' own time, so that a fresh fix is not held back behind an
// old one that was told first. That is decided here alone: a filter of the engine's would count from what it delivered,
// so that who has moved, been held back for the time, and stopped would never be told where.
//
// Below `exact` the position is that of the middle of a cell of a fixed grid, and the accuracy is the level's: what a
// program gathers over time says no more than the cell. A cell that it was told it is not told again.
//
// There is no outbox, and the store knows nothing of it: what a program does not take is gone.

/// One client object of a program that asks GeoClue, as an app.
struct GeoClueApp: Sendable, Equatable {
  /// Numbers of these apps begin here, below those of the ports for gpsd clients.
  static let firstID: UInt32 = 0xFF00_0000

  /// The terms on which it is told, which say what it costs.
  enum Terms: Sendable, Equatable {
    /// It hears of positions that others needed, and the engine knows nothing of it.
    case follows
    case significant
    case standard
  }

  let client: GeoClueClient
  var request: GeoClueRequest
  /// The last that it was told: where it really was, and what it was given.
  private var last: (fix: Fix, told: Fix)?

  init(_ client: GeoClueClient, _ request: GeoClueRequest) {
    self.client = client
    self.request = request
  }

  var id: AppID { AppID(Self.firstID + client.number % 0xFE_0000) }

  var terms: Terms {
    let rules = EngineRules()
    switch request.level {
    case .country, .city: return .follows
    case .neighborhood, .street: return .significant
    case .exact:
      let waits =
        Double(request.distance) >= rules.significantDistance
        || Double(request.time) >= rules.significantInterval
      return waits ? .significant : .standard
    }
  }

  var declaration: AppDeclaration {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    return declaration
  }

  /// Takes a position; answers what the program is told, or `nil` where a threshold is not reached.
  mutating func take(_ fix: Fix) -> Fix? {
    let told = fix.coarsened(to: request.level)
    if let last {
      if told == last.told { return nil }
      if request.level != .exact, told.coordinate == last.told.coordinate { return nil }
      let moved = last.fix.coordinate.distance(to: fix.coordinate)
      guard moved >= Double(request.distance) else { return nil }
      if let from = last.fix.time, let to = fix.time {
        guard abs(UTCInstant.seconds(from: from, to: to)) >= Double(request.time) else {
          return nil
        }
      }
    }
    last = (fix, told)
    return told
  }

  static func == (a: Self, b: Self) -> Bool {
    a.client == b.client && a.request == b.request && a.last?.fix == b.last?.fix
      && a.last?.told == b.last?.told
  }
}

extension AccuracyLevel {
  /// Metres from the told position within which the device is; `nil` is as exact as it is known. A country and a
  /// city are as large as GeoClue's own sources say (geocode-glib, `GEOCODE_LOCATION_ACCURACY_COUNTRY` and
  /// `_CITY`), a street as its `_STREET`; a neighborhood is as blurred as GeoClue scrambles a position.
  var radius: Double? {
    switch self {
    case .country: 300_000
    case .city: 15_000
    case .neighborhood: 3_000
    case .street: 1_000
    case .exact: nil
    }
  }
}

extension Fix {
  /// The fix as a program of that level may know it: the middle of a cell in which no point lies further from it than
  /// the level's radius; neither height nor movement.
  func coarsened(to level: AccuracyLevel) -> Fix {
    guard let radius = level.radius else { return self }
    return Fix(
      time: time, coordinate: coordinate.middleOfCell(within: radius),
      horizontalAccuracy: max(radius, horizontalAccuracy ?? 0), source: source)
  }
}

extension Coordinate {
  /// The middle of the cell around it of a fixed grid: rows of equal height, each with whole cells around the earth
  /// that are as wide as high, or nearly, on the row's side next to the equator. Half the diagonal is at most `radius`
  /// metres: cells are a tenth smaller than that takes on a sphere, since the ellipsoid's degrees differ from the
  /// sphere's by less than 1 %.
  func middleOfCell(within radius: Double) -> Coordinate {
    let degree = 2 * Double.pi * WGS84.meanRadius / 360
    let side = 0.9 * radius * 2.0.squareRoot() / degree
    let rows = (180 / side).rounded(.up)
    let height = 180 / rows
    let row = min(rows - 1, ((latitude + 90) / height).rounded(.down))
    let south = -90 + row * height
    let nearest = south <= 0 && south + height >= 0 ? 0 : min(abs(south), abs(south + height))
    let around = max(1, (360 * cosine(nearest.radians) / side).rounded(.up))
    let width = 360 / around
    let column = min(around - 1, ((longitude + 180) / width).rounded(.down))
    return Coordinate(
      clampingLatitude: south + height / 2, wrappingLongitude: -180 + (column + 0.5) * width)
  }
}
