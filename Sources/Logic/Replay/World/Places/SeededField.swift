// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// A field is a number for every place that changes smoothly and is the same at every return: numbers of mean
// 0 and standard deviation 1 are drawn at the corners of a lattice and blended between them (value noise
// with the weights 3u² − 2u³). Blending four independent numbers makes the spread smaller in the middle of a
// mesh, so the sum is divided by the root of the weights' squares, and the spread is 1 everywhere.
//
// The lattice is laid over latitude and longitude; in each degree of latitude meshes are as wide as they
// are high in its middle. Across a parallel of a whole degree, and across the antimeridian, the field
// jumps: once in 111 km this goes unnoticed.
//
// Two places one mesh apart have nothing in common; at 0.82 of a mesh the correlation is 1/e (measured in
// the tests).

/// A seeded smooth random field over the Earth.
struct SeededField: Sendable, Equatable {
  private let draw: Draw
  private let perDegree: Double

  /// The correlation falls to 1/e within `decorrelation` metres.
  init(seed: UInt64, purpose: Draw.Purpose, decorrelation: Double) {
    draw = Draw(seed: seed, purpose: purpose)
    perDegree = 111_195 * Self.reach / decorrelation
  }

  /// The share of a mesh at which the correlation is 1/e.
  static let reach = 0.82

  /// A place on the lattice, shared by all layers.
  struct Spot {
    fileprivate var column: UInt64
    fileprivate var row: UInt64
    fileprivate var weights: SIMD4<Double>
  }

  func spot(at place: Coordinate) -> Spot {
    let band = place.latitude.rounded(.down) + 0.5
    let x = (place.longitude + 180) * cosine(band.radians) * perDegree
    let y = (place.latitude + 90) * perDegree
    let column = x.rounded(.down)
    let row = y.rounded(.down)
    let u = Self.blend(x - column)
    let v = Self.blend(y - row)
    var weights = SIMD4((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)
    weights /= (weights * weights).sum().squareRoot()
    return Spot(
      column: UInt64(bitPattern: Int64(column)), row: UInt64(bitPattern: Int64(row)),
      weights: weights)
  }

  /// The field of one layer: layers are independent of each other.
  func value(at spot: Spot, layer: UInt64) -> Double {
    let corner = layer &* Self.layers &+ spot.column &* Self.columns &+ spot.row &* Self.rows
    let drawn = SIMD4(
      draw.nearlyNormal(corner), draw.nearlyNormal(corner &+ Self.columns),
      draw.nearlyNormal(corner &+ Self.rows),
      draw.nearlyNormal(corner &+ Self.columns &+ Self.rows))
    return (drawn * spot.weights).sum()
  }

  // Odd constants far from each other: no two corners that are looked at share a counter.
  private static let layers: UInt64 = 0xD6E8_FEB8_6659_FD93
  private static let columns: UInt64 = 0xA076_1D64_78BD_642F
  private static let rows: UInt64 = 0xE703_7ED1_A0B4_28DB

  private static func blend(_ share: Double) -> Double { share * share * (3 - 2 * share) }
}
