// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

// What is expected of Android apps is judged as that of others (`ExpectationJudge`), by their own account. A geofence with
// `dwell` tells of no entry: its stay counts as one, and is late by its own time.

extension ExpectationJudge {
  /// Takes the next lines of an Android account.
  package mutating func takeAccount(_ lines: [AndroidLine]) {
    guard let script = scenario.android else { return }
    for line in lines {
      if !hasBegun {
        hasBegun = true
        for app in script.apps where app.permission == .denied {
          lives[app.name]?.follow(.act(.permit(app.name, .denied)), at: line.time)
        }
      }
      switch line.what {
      case .act(.reboot): reboots.append(line.time)
      case .act(.permit(let app, _)): lives[app]?.follow(line.what, at: line.time)
      case .state, .woken, .notWoken, .startRefused, .told, .crossed, .activity, .workLost, .need,
        .dozed, .act, .notPlayed, .gap:
        if let app = line.app { lives[app]?.follow(line.what, at: line.time) }
      }
    }
  }
}

extension AndroidScript {
  /// The geofences that an app registers in any of its handlers.
  func geofences(of name: String?) -> [Place] {
    let app = apps.first { $0.name == name }
    var found: [Place] = []
    for trigger in AndroidTrigger.allCases {
      for case .monitor(let place, _) in app?.handlers[trigger] ?? []
      where !found.contains(where: { $0.name == place.name }) {
        found.append(place)
      }
    }
    return found
  }
}

extension Scenario {
  /// Itself by each of the rules by which it is tested: eras, or releases of Android.
  package var variants: [Scenario] {
    func changed(_ change: (inout Scenario) -> Void) -> Scenario {
      var copy = self
      change(&copy)
      return copy
    }
    if let android {
      return (android.testedReleases.isEmpty ? [android.release] : android.testedReleases)
        .map { release in changed { $0.android?.release = release } }
    }
    if testedEras.isEmpty { return [self] }
    return testedEras.map { era in changed { $0.era = era } }
  }
}
