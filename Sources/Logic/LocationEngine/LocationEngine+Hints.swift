// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Hints from the motion sensor and other senses.

extension LocationEngine {
  /// The windows that one hint can count, a day of the usual ones of 10 s: a recording from elsewhere may state any
  /// number, and the belief takes them one by one.
  private static let mostWindows = 8_640

  mutating func moved(
    _ windows: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard triggers.contains(.motion) else { return }
    stirVisits(at: now)
    feltByDaemon(at: now)
    if policy.strategy.triggers.contains(.motion), isLooking {
      let felt = min(max(1, windows), Self.mostWindows)
      tellPolicy(.moved(windows: felt), at: now, into: &commands)
    }
    let wasAsked = isAskedByApps(at: now)
    for index in apps.indices {
      if apps[index].awaitsMotion { tellMotion(index, at: now, into: &commands) }
      if apps[index].looksByMotion(in: rules.era) { apps[index].standard?.looks?.felt(at: now) }
    }
    askNetwork(unless: wasAsked, at: now, into: &commands)
  }

  /// A hint for the policy alone: what an engine that runs says about a place is no motion yet.
  mutating func heard(
    _ hint: TripHint, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if isLooking { tellPolicy(.tripHint(hint), at: now, into: &commands) }
  }

  /// On a device without a motion sensor, a position away from where an app's updates paused is motion, if the app sees
  /// it. Returns whether any app was told.
  mutating func sawMotion(
    _ fix: Fix, hiddenBy zone: PrivacyZone? = nil, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    guard !rules.feelsMotion else { return false }
    var isTold = false
    for index in apps.indices where apps[index].awaitsMotion {
      guard zone.map({ apps[index].sees($0.name) }) ?? true,
        apps[index].standard?.sees(fix, by: rules) == true
      else { continue }
      tellMotion(index, at: now, into: &commands)
      isTold = true
    }
    return isTold
  }

  private mutating func tellMotion(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard wake(index, for: .motion, at: now, into: &commands) else { return }
    commands.append(.motion(apps[index].id))
  }
}
