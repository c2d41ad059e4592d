// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// An app's state (not running … suspended) is the engine's business; its process follows. That of a
// connected app is one of these:
//
//             start                    said to run                the freezer's order
//   none ─────────────► starting ─────────────────► running ◄──────────────────────────► frozen
//    ▲ ▲                   │                          │ │                                  │
//    │ │   prevented,      │         told of its end  │ │ our order: SIGTERM or SIGKILL    │
//    │ │   failed          │       ┌──────────────────┘ ├──────────────────────────────────┘
//    │ │                   ▼       ▼                    ▼
//    │ └──── over ───── pausing   leaving ──────────► ending ─── ended ──► none, or starting where
//    │                     ▲ │     │                                       it was launched meanwhile
//    │        a crash      │ │ a crash too many
//    │  (from starting, ───┘ └──────► held ─── released by its user ──► none
//    │  running, frozen)
//    └── connected by itself ──► foreign ─── its connection is gone ──► none
//
// - `starting` may last: until the app connects, its deliveries wait in its outbox.
// - A process started by others counts as launched into the foreground for as long as it is connected; it cannot be
//   frozen or ended, since it is not ours.
// - If we ordered a process to end, or told it of its end, its ending is no crash; nor is that of a suspended app by
//   SIGKILL.
// - A process of an earlier service is taken over as `running` or `frozen`.

/// The process of a connected app, or the reason why there is none.
enum AppProcess: Sendable, Equatable {
  /// None, and nothing prevents one.
  case none
  /// None; it may be launched again then, and is if the cause requires that.
  case pausing(until: EngineInstant, for: PauseCause)
  /// None: it crashed too often; only the user can let it start again.
  case held
  /// Ours; asked for.
  case starting
  /// Ours; the leader of its group.
  case running(pid: Int32)
  /// Ours; the freezer said that it is frozen.
  case frozen(pid: Int32)
  /// Ours; it was told that some seconds are left.
  case leaving(pid: Int32)
  /// Ours; ordered to end. `nil` if it had not begun.
  case ending(pid: Int32?)
  /// Not started by us; it exists for as long as its connection.
  case foreign(pid: Int32)
}

/// The reason why an app's process pauses.
enum PauseCause: Sendable, Equatable {
  case crash
  /// The service could not start it; the launch is repeated then.
  case prevented(LaunchCause)
}

/// The cause of an app's last launch.
enum LaunchCause: Sendable, Equatable {
  case user
  /// The service itself: at its start, when the app was added, after a crash.
  case service
  case event(WakeReason)

  var reason: WakeReason? {
    if case .event(let reason) = self { reason } else { nil }
  }
}

extension AppProcess {
  var pid: Int32? {
    switch self {
    case .running(let pid), .frozen(let pid), .leaving(let pid), .foreign(let pid): pid
    case .ending(let pid): pid
    case .none, .pausing, .held, .starting: nil
    }
  }

  /// Whether there is one, or one was asked for.
  var isThere: Bool {
    switch self {
    case .none, .pausing, .held: false
    case .starting, .running, .frozen, .leaving, .ending, .foreign: true
    }
  }

  var isForeign: Bool {
    if case .foreign = self { true } else { false }
  }

  var isFrozen: Bool {
    if case .frozen = self { true } else { false }
  }

  var isPausing: Bool {
    if case .pausing = self { true } else { false }
  }

  /// Whether it was ordered, or told, to end: its ending is then no crash.
  var isAskedToEnd: Bool {
    switch self {
    case .leaving, .ending: true
    case .none, .pausing, .held, .starting, .running, .frozen, .foreign: false
    }
  }
}
