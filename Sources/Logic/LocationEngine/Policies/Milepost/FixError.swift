// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The errors of two fixes that are s seconds apart have the share ρ = exp(−s / 120 s) in common (`Fix.errorLasts`). So of
// a device that rests another fix tells (1 − ρ) / (1 + ρ) of what an independent one would (the mean of two errors of σ²
// with the correlation ρ has σ²·(1 + ρ) / 2), and nothing at once: it will not find a crossing that the last one has not
// found. Else the receiver would stay on for a whole night that is spent
// within the stated error of the border.

/// The error of a fix, and what it has in common with that of another one of its source.
enum FixError {
  /// The share in common after `seconds`, 0 to 1; 0 where it makes no difference.
  static func share(after seconds: Double) -> Double {
    seconds < 5 * Fix.errorLasts ? exponential(-seconds / Fix.errorLasts) : 0
  }

  /// The density of a normal error.
  static func density(_ off: Double, _ variance: Double) -> Double {
    exponential(max(-40, -off * off / (2 * variance))) / (2 * .pi * variance).squareRoot()
  }

  /// The variance, m², of the place of a device at rest around a fix of this error, metres, `seconds` after the last one:
  /// of both together, at most that of the fix alone. `before` is that around the last one.
  static func variance(_ error: Double, after seconds: Double, before: Double) -> Double {
    guard error > 0 else { return 0 }
    let alike = share(after: seconds)
    let told = (1 - alike) / (1 + alike) / (error * error)
    return min(error * error, 1 / (1 / before + told))
  }
}
