// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Detects that a device has been still for a time: every fix since then lies within a radius of the first.
struct StillDetector: Sendable, Equatable, Codable {
  private var reference: LocalFrame?
  private var since = EngineInstant.zero

  /// Takes a fix; returns whether the device has been still for long enough to pause updates. `frame` is the one
  /// around the fix, if the caller has it.
  mutating func isStill(
    after fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant, by rules: EngineRules
  ) -> Bool {
    let allowed = max(rules.stillRadius, 2 * (fix.horizontalAccuracy ?? 0))
    guard let reference, reference.distance(to: fix.coordinate) <= allowed else {
      reference = frame ?? LocalFrame(origin: fix.coordinate)
      since = now
      return false
    }
    return EngineInstant.seconds(from: since, to: now) >= rules.pausesAfter
  }
}
