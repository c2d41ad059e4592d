// SPDX-License-Identifier: Apache-2.0

/// Densities of a way that was found, per metre.
extension PaceBelief {
  /// The way from the last fix to a new one, metres, and its standard deviation.
  typealias Way = (metres: Double, error: Double)

  /// Of a normal way.
  static func density(of way: Way, _ mean: Double, _ variance: Double) -> Double {
    FixError.density(way.metres - mean, variance + way.error * way.error)
  }

  /// Of a way that is any up to the farthest alike.
  static func density(of way: Way, upTo farthest: Double) -> Double {
    way.metres < farthest ? 1 / farthest : 0
  }

  /// Of a jump, times its chance: the lengths from 100 m to 100 km are alike on a scale of ratios, so ln 1,000 of them.
  static func jumped(_ way: Way) -> Double {
    FilterNumbers.jumps / (6.9 * max(100, way.metres))
  }
}
