// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Detects that a device has been still for a time: every fix since then lies within a radius of the first.
struct StillDetector: Sendable, Equatable, Codable {
  private var reference: LocalFrame?
  private var since = EngineInstant.zero

  /// Takes a fix; returns whether the device has been still for `seconds`.
  mutating func isStill(
    after fix: Fix, at now: EngineInstant, radius: Double, for seconds: Double
  ) -> Bool {
    let allowed = max(radius, 2 * (fix.horizontalAccuracy ?? 0))
    guard let reference, reference.distance(to: fix.coordinate) <= allowed else {
      reference = LocalFrame(origin: fix.coordinate)
      since = now
      return false
    }
    return EngineInstant.seconds(from: since, to: now) >= seconds
  }
}
