// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension Fix {
  /// What the path says of a place besides time, position and speed, which the truth works out anew. Nothing is added: a
  /// recorded altitude has its error already, and a receiver in a replay reports it unchanged.
  var asOfPath: Fix {
    var fix = self
    (fix.horizontalAccuracy, fix.hdop, fix.satellites, fix.source) = (nil, nil, nil, .gnss)
    return fix
  }

  /// The same at a part of the way to the next place, 0 to 1: heights change evenly if both ends know them; values that
  /// cannot change evenly are those of the place before, until the next is reached.
  func partWay(_ fraction: Double, to next: Fix) -> Fix {
    if fraction >= 1 { return next }
    func between(_ a: Double?, _ b: Double?) -> Double? {
      guard let a, let b else { return a }
      return a + (b - a) * fraction
    }
    var fix = self
    fix.altitude = between(altitude, next.altitude)
    fix.ellipsoidalHeight = between(ellipsoidalHeight, next.ellipsoidalHeight)
    return fix
  }
}
