// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Settings

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
    now = ServiceTime(at: last.at, utc: last.fix.time ?? now.utc)
    meter.record(deliveries: count, at: now.at)
    return count
  }

  /// Whether a fix would only reach the sole app, if it is admitted, and nothing waits for that app.
  mutating func mayPassOver() -> Bool {
    guard intents.isEmpty, let (id, service) = engine.soleListener else { return false }
    return apps.with(id) { $0.maySpare(deliveriesOf: service) } == true
  }
}

extension AppRecord {
  /// Whether deliveries of a service need not be handed to a program that only acknowledges them: nothing else waits for
  /// it, and the log, where they belong in it, has one already.
  fileprivate func maySpare(deliveriesOf service: Service) -> Bool {
    isResident && client != nil && !watches && heldEnds.isEmpty && !isHeldBack
      && manifest.declaration.authorization.allowsLocation && logged[service] == true
      && outbox.isIdle
  }
}
