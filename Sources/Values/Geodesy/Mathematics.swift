// SPDX-License-Identifier: Apache-2.0

// The only file of the inner rings that imports Glibc, and only for its mathematics. Everything else
// calls these wrappers, so that it is easy to check that the rings use no clocks, files and sockets.

internal import Glibc

/// Sine of an angle in radians.
package func sine(_ radians: Double) -> Double { sin(radians) }

/// Cosine of an angle in radians.
package func cosine(_ radians: Double) -> Double { cos(radians) }

/// Angle in radians, −π to π, of the vector (x, y).
package func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }

/// Angle in radians, −π/2 to π/2, whose tangent is `value`.
package func arcTangent(_ value: Double) -> Double { atan(value) }

/// Tangent of an angle in radians.
package func tangent(_ radians: Double) -> Double { tan(radians) }

/// Natural exponential.
package func exponential(_ value: Double) -> Double { exp(value) }

/// Natural logarithm; `value` must be above 0.
package func logarithm(_ value: Double) -> Double { log(value) }

extension Double {
  /// The angle in radians of an angle in degrees.
  package var radians: Double { self * .pi / 180 }

  /// The angle in degrees of an angle in radians.
  package var degrees: Double { self * 180 / .pi }
}
