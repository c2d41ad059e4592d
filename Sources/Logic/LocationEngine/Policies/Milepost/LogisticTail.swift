// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The tail of a logistic distribution, which is close to that of a normal one.
enum LogisticTail {
  /// The part of a chance that lies beyond a border, which the mean has passed by `ahead` metres.
  @inline(never)
  static func part(of chance: Double, ahead: Double, _ variance: Double) -> Double {
    // Far off on either side, as in most steps of most states: no root is needed.
    if ahead * ahead > (ahead < 0 ? 50 : 500) * variance { return ahead < 0 ? 0 : chance }
    let z = ahead / variance.squareRoot()
    if z < -7 { return 0 }
    // Above, the tail is 1 to the last bit.
    return z > 22 ? chance : chance / (1 + exponential(-1.702 * z))
  }
}
