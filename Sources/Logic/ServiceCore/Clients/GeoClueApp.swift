// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// A program that asks GeoClue states the exactness that it wants, and its thresholds in metres and seconds. They
// determine which of our services it gets, and so its cost:
//
//   level                     thresholds                          terms
//   ------------------------  ----------------------------------  -----------------------------------------------
//   country, city             any                                 follows: the last position that any app's
//                                                                  receiver brought; the receiver is never on for it
//   neighborhood, street      any                                 significant changes
//   exact                     500 m or more, or 300 s or more     significant changes
//   exact                     less                                standard updates, unfiltered
//
// 500 m and 300 s are the thresholds of a significant change (`EngineRules`), whatever the configuration says of them:
// a program that can wait that long need not hold the receiver. Weather programs and night lights ask for a city and
// run for weeks; no energy is spent on them, and if no other app ever needed the receiver they hear nothing.
//
// A location is sent, on whatever terms, only when both thresholds have passed since the last one sent, as in GeoClue:
// metres as the crow flies, seconds by the fixes' own time, so that a fresh fix is not held back behind an old one that
// was sent first. Only this place decides that: a filter of the engine's would count from its own deliveries, so that a
// program whose device moved, was held back for the time, and stopped would never be told the place.
//
// Below `exact` the position is the middle of a cell of a fixed grid, and the accuracy is the level's: all positions
// that a program gathers over time reveal no more than the cell. The same cell is not sent twice.
//
// There is no outbox, and the store knows nothing of it: a location that a program does not take is lost.

/// One client object of a program that asks GeoClue, as an app.
struct GeoClueApp: Sendable, Equatable {
  /// The first number of these apps, below those of the ports for gpsd clients.
  static let firstID: UInt32 = 0xFF00_0000

  /// The terms of a program's locations, which determine its cost.
  enum Terms: Sendable, Equatable {
    /// It receives positions that others needed, unknown to the engine.
    case follows
    case significant
    case standard
  }

  let client: GeoClueClient
  var request: GeoClueRequest
  /// The last location for it: the true fix, and the one sent.
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

  /// Takes a position; returns the fix for the program, or `nil` if a threshold is not reached.
  mutating func fix(toTell fix: Fix) -> Fix? {
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
