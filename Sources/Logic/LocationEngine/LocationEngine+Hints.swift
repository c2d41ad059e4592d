// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationModel

// Hints from cells and the motion sensor.

extension LocationEngine {
  /// The first instant at which an app may be told of an event; `nil` if one has no anchor yet, or waits for a border.
  var mayTellAt: EngineInstant? {
    if watchesRegions { return nil }
    var earliest: EngineInstant?
    for app in apps {
      guard let service = app.significant else { continue }
      guard let anchor = service.anchor else { return nil }
      earliest = .earlier(
        earliest, anchor.at.advanced(bySeconds: rules.significantInterval))
    }
    return earliest
  }

  mutating func moved(
    _ windows: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard triggers.contains(.motion) else { return }
    stirVisits(at: now)
    if policy.strategy.triggers.contains(.motion), isLooking {
      tellPolicy(.moved(windows: max(1, windows)), at: now, into: &commands)
    }
    for index in apps.indices where apps[index].awaitsMotion {
      guard wake(index, for: .motion, at: now, into: &commands) else { continue }
      commands.append(.motion(apps[index].id))
    }
  }
}
