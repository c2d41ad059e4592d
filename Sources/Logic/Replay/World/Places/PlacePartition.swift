// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// The ground is cut into places: seeds lie at random, one in each mesh of a lattice of `size` metres, and a place is
// the area nearest to its seed (Voronoi cells; on the average a square of `size`). Each place has its number, uniform
// in 0 to 1, that decides its properties; it is the same at every return. Degrees of latitude and the antimeridian are
// as in `SeededField`.

/// A seeded partition of the Earth into places.
package struct PlacePartition: Sendable, Equatable {
  private let draw: Draw
  private let perDegree: Double
  private var latest: (here: LocalFrame, share: Double)?
  private let step: Double

  /// `size` in metres; `layer` separates independent partitions of one seed.
  package init(seed: UInt64, layer: UInt64, size: Double) {
    draw = Draw(seed: seed &+ layer &* 0x5851_F42D_4C95_7F2D, purpose: .place)
    perDegree = 111_195 / size
    step = size / 20
  }

  package static func == (left: PlacePartition, right: PlacePartition) -> Bool {
    left.draw == right.draw && left.perDegree == right.perDegree
  }

  /// The number of the place in which `position` lies, 0 ≤ x < 1. A movement of less than a twentieth of the size
  /// changes nothing, so asking every second is cheap.
  package mutating func share(at position: Coordinate) -> Double {
    if let latest, latest.here.distance(to: position) < step { return latest.share }
    let share = exactShare(at: position)
    latest = (LocalFrame(origin: position), share)
    return share
  }

  private func exactShare(at position: Coordinate) -> Double {
    let band = position.latitude.rounded(.down) + 0.5
    let x = (position.longitude + 180) * cosine(band.radians) * perDegree
    let y = (position.latitude + 90) * perDegree
    var nearest = (distance: Double.infinity, counter: UInt64(0))
    for row in -1...1 {
      for column in -1...1 {
        let left = x.rounded(.down) + Double(column)
        let bottom = y.rounded(.down) + Double(row)
        let counter =
          UInt64(bitPattern: Int64(left)) &* 0xA076_1D64_78BD_642F
          &+ UInt64(bitPattern: Int64(bottom)) &* 0xE703_7ED1_A0B4_28DB
        let bits = draw.bits(counter)
        let east = left + Double(bits & 0xFFFF_FFFF) * 0x1p-32 - x
        let north = bottom + Double(bits >> 32) * 0x1p-32 - y
        let distance = east * east + north * north
        if distance < nearest.distance { nearest = (distance, counter) }
      }
    }
    return draw.uniform(nearest.counter ^ 0x2545_F491_4F6C_DD1D)
  }
}
