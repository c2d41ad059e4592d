// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// A replay's short way for a receiver that tracks for one app, which only acknowledges its locations: the engine passes
// over a row of them (`LocationEngine+SoleListener`), and the service counts them.

extension LocationService {
  /// Passes over the first of a simulated receiver's fixes that only reach the sole app, which would only acknowledge
  /// them, except for the last of these; returns their number. The last one must follow at once, and leaves all that is
  /// kept of them: until then the app has taken more than the service knows of. They come before `nextDeadline`.
  mutating func passOver(_ fixes: ArraySlice<TrackedFixes.Element>) -> Int {
    let count = mayPassOver() ? engine.passOver(fixes) : 0
    guard count > 0 else { return 0 }
    let last = fixes[fixes.startIndex + count - 1]
    step.now = ServiceTime(at: last.at, utc: last.fix.time ?? now.utc)
    meter.record(deliveries: count, at: now.at)
    return count
  }

  /// Whether a fix would only reach the sole app, if it is admitted, and nothing waits for that app.
  func mayPassOver() -> Bool {
    guard step.intents.isEmpty, let (id, service) = engine.soleListener else { return false }
    return step.apps.recipient(id) == .connected && clients.client(of: id) != nil
      && !clients.watches(id) && !processes.isHeldBack(id)
      && outboxes.maySpare(id, deliveriesOf: service)
  }
}
