// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// A straight piece of the true path as one anchor sees it: the stretch of it on which the device is near.
///
/// Distance along a straight line first falls and then rises, so "near" is one stretch of the leg, or
/// none. A fraction is 0 at the leg's start and 1 at its end.
struct Leg {
  let start: EngineInstant
  let end: EngineInstant
  /// Between these fractions (ends excluded) the device is nearer than the distance; both are infinite
  /// with the first above the second if it never is.
  private let nearFrom: Double
  let nearTo: Double

  init(from a: TruePoint, to b: TruePoint, around frame: LocalFrame, within distance: Double) {
    start = a.at
    end = b.at
    let x = frame.east(of: a.coordinate)
    let y = frame.north(of: a.coordinate)
    let dx = frame.east(of: b.coordinate) - x
    let dy = frame.north(of: b.coordinate) - y
    // |a + u·(b − a)|² = distance²: the two u of a quadratic equation.
    let square = dx * dx + dy * dy
    let along = x * dx + y * dy
    let beyond = x * x + y * y - distance * distance
    let discriminant = along * along - square * beyond
    if square < 1e-12 || frame.isBeyondReach(x, y) {
      (nearFrom, nearTo) = beyond < 0 ? (-.infinity, .infinity) : (.infinity, -.infinity)
    } else if discriminant <= 0 {
      (nearFrom, nearTo) = (.infinity, -.infinity)
    } else {
      let root = discriminant.squareRoot()
      (nearFrom, nearTo) = ((-along - root) / square, (-along + root) / square)
    }
  }

  func isNear(at fraction: Double) -> Bool { nearFrom < fraction && fraction < nearTo }

  /// The first fraction from `fraction` on, at most 1, at which the device is near or about to be; `nil`
  /// if there is none. It stays near up to `nearTo`.
  func near(from fraction: Double) -> Double? {
    if isNear(at: fraction) { return fraction }
    return fraction <= nearFrom && nearFrom < 1 ? nearFrom : nil
  }

  /// The first fraction from `fraction` on, at most 1, at which the device is not near.
  func far(from fraction: Double) -> Double? {
    if !isNear(at: fraction) { return fraction }
    return nearTo <= 1 ? nearTo : nil
  }

  func instant(_ fraction: Double) -> EngineInstant {
    start.advanced(bySeconds: EngineInstant.seconds(from: start, to: end) * fraction)
  }

  /// The fraction of an instant, 0 to 1.
  func fraction(of instant: EngineInstant) -> Double {
    let length = EngineInstant.seconds(from: start, to: end)
    guard length > 0 else { return 1 }
    return min(1, max(0, EngineInstant.seconds(from: start, to: instant) / length))
  }
}

extension LocalFrame {
  fileprivate func isBeyondReach(_ x: Double, _ y: Double) -> Bool {
    x.magnitude > Self.reach || y.magnitude > Self.reach
  }
}

/// The true position at an instant.
package struct TruePoint: Sendable, Equatable {
  package var at: EngineInstant
  package var coordinate: Coordinate

  package init(at: EngineInstant, coordinate: Coordinate) {
    self.at = at
    self.coordinate = coordinate
  }
}
