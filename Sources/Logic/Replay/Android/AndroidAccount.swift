// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower

/// One line of the account of an Android scenario.
package struct AndroidLine: Sendable, Equatable {
  /// UTC of the trace.
  package let time: UTCInstant
  /// The app concerned; `nil` for the phone.
  package let app: String?
  package let what: AndroidHappening

  /// Whether people are told: of locations that follow each other within a minute only of the first.
  package var isForPeople: Bool {
    switch what {
    case .told(_, _, let isNews): isNews
    case .woken(.location): false
    case .state, .woken, .notWoken, .startRefused, .crossed, .activity, .workLost, .need, .dozed,
      .act, .notPlayed, .gap:
      true
    }
  }
}

/// What happens to an app or to the phone.
package enum AndroidHappening: Sendable, Equatable {
  case state(from: AndroidAppState, to: AndroidAppState)
  case woken(AndroidWake)
  case notWoken(AndroidWake, AndroidObstacle)
  case startRefused(AndroidObstacle)
  /// So many locations, the claimed accuracy of the latest, metres, and whether a minute has passed since the ones before.
  case told(count: Int, accuracy: Double?, isNews: Bool)
  case crossed(GeofenceTransition, place: String)
  case activity(isMoving: Bool)
  /// Its code ended before its work.
  case workLost
  case need(FusedNeed)
  case dozed(DozeMode)
  case act(AndroidAct)
  /// Its moment did not come before the end of the trace.
  case notPlayed(AndroidAct)
  /// Nobody knows where the phone was since then.
  case gap(from: UTCInstant)
}

/// What a geofence tells of.
package enum GeofenceTransition: String, Sendable, CaseIterable {
  case enter
  case exit
  /// It has been inside for as long as was asked for.
  case dwell
}

/// What became of all apps over a trace.
package struct AndroidResult: Sendable {
  /// UTC of the trace's end.
  package let time: UTCInstant
  package let apps: [AndroidTotals]
  /// Above what a suspended phone draws.
  package let energy: EnergyReport
  package let receiverOnSeconds: Double
}

/// What became of one app.
package struct AndroidTotals: Sendable, Equatable {
  package let app: String
  package var told = 0
  package var wakes = 0
  /// Wakes that did not come, by their reason, in the order of their first time.
  package var notWoken: [(why: String, count: Int)] = []
  package var refusedStarts = 0

  package static func == (a: Self, b: Self) -> Bool {
    a.app == b.app && a.told == b.told && a.wakes == b.wakes
      && a.refusedStarts == b.refusedStarts && a.notWoken.map(\.why) == b.notWoken.map(\.why)
      && a.notWoken.map(\.count) == b.notWoken.map(\.count)
  }

  mutating func note(notWoken why: String) {
    if let index = notWoken.firstIndex(where: { $0.why == why }) {
      notWoken[index].count += 1
    } else {
      notWoken.append((why, 1))
    }
  }
}
