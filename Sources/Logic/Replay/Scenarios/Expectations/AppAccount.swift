// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// What an account tells of one app.
struct AppAccount: Sendable {
  /// When the system made it run: woken, or started.
  private(set) var wakes: [UTCInstant] = []
  private(set) var launches: [UTCInstant] = []
  private(set) var told: [(region: String, isLeaving: Bool, time: UTCInstant)] = []
  private(set) var denials: [UTCInstant] = []
  private(set) var heardWhileDenied: UTCInstant?
  /// When a sink's other side took something.
  private(set) var sendings: [UTCInstant] = []
  private var isDenied = false
  /// Of Android.
  private var hasProcess = false
  /// Since when its code may run, or may not.
  private var changes: [(time: UTCInstant, runs: Bool)] = []

  mutating func sent(at time: UTCInstant) { sendings.append(time) }

  mutating func authorize(_ level: Authorization, at time: UTCInstant) {
    permit(level.allowsLocation, at: time)
  }

  private mutating func permit(_ allowsLocation: Bool, at time: UTCInstant) {
    isDenied = !allowsLocation
    if isDenied { denials.append(time) }
  }

  mutating func follow(_ command: EngineCommand, at time: UTCInstant) {
    switch command {
    case .transition(_, let transition):
      changes.append((time, transition.to != .suspended && transition.to != .notRunning))
      if case .woken = transition.reason, transition.from == .suspended { wakes.append(time) }
    case .launch:
      wakes.append(time)
      launches.append(time)
    case .deliver: hear(at: time)
    case .place(_, .event(let delivery)):
      hear(at: time)
      switch delivery.event {
      case .entered(let region): told.append((region, false, time))
      case .exited(let region): told.append((region, true, time))
      case .arrived, .departed, nil: break
      }
    case .verdict, .heading, .motion, .paused, .deferralEnded, .requestFailed, .asksUser, .receiver,
      .requestNetworkPosition, .listen, .tasksExpire, .work, .notWoken, .unreachable, .notify,
      .memoryTaken, .audioStopped, .place, .ignored:
      break
    }
  }

  /// The same of an app of Android. One whose code runs already is not made to run by an event.
  mutating func follow(_ what: AndroidHappening, at time: UTCInstant) {
    switch what {
    case .state(_, let to):
      changes.append((time, to.runsCode))
      hasProcess = to != .notRunning && to != .stopped
    case .woken:
      guard changes.last?.runs != true else { break }
      wakes.append(time)
      if !hasProcess { launches.append(time) }
    case .told: hear(at: time)
    case .crossed(let transition, let place):
      hear(at: time)
      told.append((place, transition == .exit, time))
    case .act(.permit(_, let permission)): permit(permission != .denied, at: time)
    case .notWoken, .startRefused, .activity, .workLost, .need, .dozed, .act, .notPlayed, .gap:
      break
    }
  }

  private mutating func hear(at time: UTCInstant) {
    if isDenied { heardWhileDenied = heardWhileDenied ?? time }
  }

  /// Whether it has been started before.
  func isBorn(before time: UTCInstant) -> Bool { changes.first.map { $0.time < time } ?? false }

  /// Whether its code may run at this instant.
  func runs(at time: UTCInstant) -> Bool { changes.last { $0.time <= time }?.runs ?? false }
}
