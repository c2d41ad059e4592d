// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The level at which a tower is heard, in dB against an arbitrary zero that all towers share:
//
//   level = −39.1 · log10(distance)  +  shadow(place, tower)  +  flicker(time, tower)
//
// - *Path loss*: 39.08 dB a decade, the urban macro cell out of sight of 3GPP TR 38.901, table 7.4.1-1; not nearer than
//   35 m (table 7.2-1). Antennas are taken as omnidirectional, and all as equally strong.
// - *Shadow*: log-normal with 6 dB (same table), half of its variance common to all towers (between sites 0.5: TR
//   36.814, table A.2.1.1-2). The common half changes no ranking and is left out, so 6 · √0.5 = 4.2 dB remain per
//   tower. Its correlation distance: Gudmundson ("Correlation model for shadow fading in mobile radio systems",
//   Electronics Letters 27, 1991) measured 7.5 dB and some 500 m in suburbs, 4.3 dB and some 10 m in streets; 50 m is
//   TR 38.901's (table 7.5-6). In a synthetic grid it is a sixteenth of the spacing, 50 m at 800 m: wide cells stand in
//   open country, where shadows are long [ours]. The field is smoother than his exponential one, since a modem averages
//   over metres.
// - *Flicker*: movement around a device at rest (people, cars, doors) makes 1.5 dB after the modem's averaging, and
//   another value every 20 s or so [estimate]. It makes a phone on a table between two cells change to and fro.
//
// The result: a straight way crosses 1.2 to 1.3 borders per spacing (4/π = 1.27 in cells of random shape). With
// ping-pong at the borders that makes, at 25 m/s, 1.4 changes per spacing of 600 m, 1.6 of 800 m, 1.9 of 1,500 m and
// 2.3 of 5,000 m, where flicker has more time to play. At rest at 800 m 85 % of places see no change in 12 h, one in
// ten 37 or more (400 places, seed 1). There are no field data here for comparison.
//
// A modem that is not in a call chooses by rank (TS 36.304, section 5.2.4.6): it moves to a neighbour that
// is better by Qhyst for Treselection, having camped for a second. Both are broadcast (TS 36.331: 0 to
// 24 dB, 0 to 7 s); 4 dB and 1 s are usual [estimate].

/// A modem's reception of towers, and the numbers by which it chooses.
package struct CellRadio: Sendable, Equatable {
  /// dB per decade of distance.
  static let exponent = 39.1
  /// Metres; nearer counts as this.
  static let nearest = 35.0
  /// dB per tower, standard deviation.
  package static let shadowing = 4.2
  /// dB per tower added by time, standard deviation [estimate].
  package static let flicker = 1.5
  /// Seconds between independent values of the flicker [estimate].
  static let flickerTime = 20.0
  /// dB by which a neighbour must be better [estimate].
  package static let hysteresis = 4.0
  /// Seconds for which it must be [estimate].
  package static let reselectionTime = 1.0
  /// dB below the best at which a modem has lost its cell and takes the best at once [ours].
  static let lost = 20.0

  private let shadows: SeededField
  private let flickers: Draw

  package init(seed: UInt64, decorrelation: Double) {
    shadows = SeededField(seed: seed, purpose: .shadowing, decorrelation: decorrelation)
    flickers = Draw(seed: seed, purpose: .cellFlicker)
  }

  func spot(at place: Coordinate) -> SeededField.Spot { shadows.spot(at: place) }

  /// dB without flicker of a tower at the square of a distance in metres.
  func level(of tower: CellID, squaredDistance: Double, at spot: SeededField.Spot) -> Double {
    let far = max(squaredDistance, Self.nearest * Self.nearest)
    return -Self.exponent / 2 * Self.perNaturalLogarithm * logarithm(far)
      + Self.shadowing * shadows.value(at: spot, layer: tower.rawValue)
  }

  /// A moment, shared by all towers.
  struct Moment {
    fileprivate var step: UInt64
    fileprivate var weights: (Double, Double)

    init(_ now: EngineInstant) {
      let along = now.seconds / CellRadio.flickerTime
      let whole = along.rounded(.down)
      step = UInt64(bitPattern: Int64(whole))
      let share = (along - whole) * (along - whole) * (3 - 2 * (along - whole))
      let spread = (share * share + (1 - share) * (1 - share)).squareRoot()
      weights = ((1 - share) / spread, share / spread)
    }
  }

  /// dB that time adds to a tower's level.
  func flicker(of tower: CellID, at moment: Moment) -> Double {
    let counter = tower.rawValue &* 0x9FB2_1C65_1E98_DF25 &+ moment.step
    return Self.flicker
      * (moment.weights.0 * flickers.nearlyNormal(counter)
        + moment.weights.1 * flickers.nearlyNormal(counter &+ 1))
  }

  private static let perNaturalLogarithm = 0.434_294_481_903_251_8
}
