// SPDX-License-Identifier: Apache-2.0

import LocationModel

// A wake without a move. Apple's guide to energy says that significant changes wake an app every 15 minutes even
// without a change; measurements by others, and later words of Apple's engineers, say that they do not. So no era has
// it, and any can be given it (`Era.idleWake`).

extension LocationEngine {
  /// The instant at which an app that has long been told nothing is woken without a move; `nil` if the era
  /// has no such wake.
  func idleDeadline(of index: Int) -> EngineInstant? {
    guard let interval = rules.era.idleWake, let since = apps[index].significant?.since,
      mayBeTold(index) == .delivered
    else { return nil }
    return since.advanced(bySeconds: interval)
  }

  /// Wakes the apps whose time has come and tells them the last known position; apps that already run are left alone.
  mutating func wakeIdle(at now: EngineInstant, into commands: inout [EngineCommand]) {
    guard rules.era.idleWake != nil else { return }
    for index in apps.indices {
      guard let due = idleDeadline(of: index), due <= now else { continue }
      apps[index].significant?.since = now
      guard !apps[index].state.runsCode, wake(index, for: .location, at: now, into: &commands),
        let lastKnown
      else { continue }
      deliver(lastKnown, to: index, .significant, isCached: true, into: &commands)
    }
  }
}
