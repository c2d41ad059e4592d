// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Settings

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
  case prevented(AppRecord.Launch)
}

/// A handler's run. Between two runs a handler has no process.
enum HandlerRun: Sendable, Equatable {
  case idle
  /// It failed, or could not be started; it is retried then.
  case waiting(until: EngineInstant)
  /// The start of a run for the delivery of this number is stored, or being stored; perhaps by an earlier service,
  /// which may have begun it.
  case announced(UInt64)
  /// Asked for.
  case starting(UInt64)
  case running(UInt64, pid: Int32)
  /// Ordered to end with the service: the next service repeats it.
  case ending(UInt64)
}

/// The service's record of one app, besides the engine's.
struct AppRecord: Sendable, Equatable {
  /// The process or run that executes its code.
  enum Code: Sendable, Equatable {
    case connected(AppProcess)
    case handler(HandlerRun)
    case sink(SinkRun)
  }

  /// The cause of its last launch.
  enum Launch: Sendable, Equatable {
    case user
    /// The service itself: at its start, when the app was added, after a crash.
    case service
    case event(WakeReason)

    var reason: WakeReason? {
      if case .event(let reason) = self { reason } else { nil }
    }
  }

  /// A one-time message other than a location, and the deadline of its answer; `nil` without a limit.
  struct Call: Sendable, Equatable {
    /// The greatest number of calls kept for an app that does not read; the oldest go. It is the limit of its
    /// notifications.
    static let limit = LocalNotification.limit

    let what: What
    let until: EngineInstant?

    enum What: Sendable, Equatable {
      case wake(WakeReason)
      case tasksExpire([UInt32])
      case notification(LocalNotification)
    }
  }

  /// Whether its process pauses, perhaps until its next launch.
  var isPausing: Bool {
    if case .connected(.pausing) = code { true } else { false }
  }

  let id: AppID
  var manifest: AppManifest
  var code: Code
  var launch = Launch.user
  /// Whether the engine counts it as launched although nothing may start it; the engine is told at once.
  var isHeldBack = false
  /// Whether the present process has been told into which state it was launched.
  var knowsItsLaunch = false
  /// The calls that came without a process to hear them, or without room to send them; the newest of each reason, and
  /// of each notification, `Call.limit` at most.
  var calls: [Call] = []
  /// Its connection, the only way to reach it.
  var client: ClientID?
  /// Whether it also wants reports in gpsd's form.
  var watches = false
  var outbox: Outbox
  /// The ends of deferrals that wait behind deliveries.
  var heldEnds = HeldEnds()
  var crashes = CrashRecord()
  /// The number of times in a row that the service could not start it, or its sink took nothing.
  var preventions = 0
  /// The sums of its sink's transfers; changed by `LocationService.count`.
  var uplinkTally: UplinkTally
  /// The last time that its sink's other side asked for the present position.
  var askedAt: EngineInstant?
  /// Deliveries given up, oldest first.
  var dead: [DeadDelivery] = []
  /// Whether a delivery of each service is in the log since the last launch.
  var logged = PerService<Bool>()
  /// The last judgement of a fix for each of its services.
  private var judged = PerService<Judgement>()
  /// The same for each of its regions, by their identifiers.
  var regionVerdicts: [String: Judgement] = [:]
  /// The last delivery. After a restart it is the newest that still waits; without one it is unknown until the next,
  /// since acknowledged ones are not kept.
  var lastDelivery: Outbox.Entry?
  /// Whether it is told that it may always know, and the user has yet to confirm that.
  var isOnTrial = false
  /// The authorization that it requested and has not got.
  var requestedAuthorization: Authorization?
  /// Whether its authorization changed during its suspension, of which it must be told.
  var owesAuthorization = false
  /// The same for its location accuracy.
  var owesAccuracy = false
  /// The reason why its program cannot be run, or its sink takes nothing, from the last attempt; `nil` if unknown.
  var trouble: String?

  init(_ manifest: AppManifest, as id: AppID, outbox: Outbox, tally: UplinkTally) {
    self.id = id
    uplinkTally = tally
    self.manifest = manifest
    self.outbox = outbox
    code =
      switch manifest.kind {
      case .connected: .connected(.none)
      case .handler: .handler(.idle)
      case .sink: .sink(.idle)
      }
  }

  /// One value for each service.
  struct PerService<Value: Sendable & Equatable>: Sendable, Equatable {
    private var standard: Value?
    private var significant: Value?
    private var continuous: Value?

    subscript(service: Service) -> Value? {
      switch service {
      case .standard: standard
      case .significant: significant
      case .continuous: continuous
      }
    }

    mutating func set(_ value: Value, for service: Service) {
      switch service {
      case .standard: standard = value
      case .significant: significant = value
      case .continuous: continuous = value
      }
    }
  }

  struct Judgement: Sendable, Equatable {
    let verdict: Verdict
    let fixTime: UTCInstant?
  }

  /// Puts a delivery into the outbox; returns the numbers of those dropped for it.
  mutating func deliver(_ entry: Outbox.Entry) -> [UInt64] {
    lastDelivery = entry
    return outbox.add(entry)
  }

  /// The last judgement of a fix for a service, to explain why the app hears nothing.
  func judgement(for service: Service) -> Judgement? {
    judged[service]
  }

  mutating func judge(_ judgement: Judgement, for service: Service) {
    judged.set(judgement, for: service)
  }

  /// Whether a delivery goes into the log: each significant change does. For the other services, whose deliveries may
  /// come every second, the first one after each launch does: the log is bounded, and they would push out the rest.
  mutating func notes(_ delivery: Delivery) -> Bool {
    let isKnown = logged[delivery.service] == true
    if !isKnown { logged.set(true, for: delivery.service) }
    return !isKnown || delivery.service.isSignificant
  }

  var name: String { manifest.name }

  var isHandler: Bool {
    if case .handler = code { true } else { false }
  }

  /// Whether a process is launched and stays, unlike a handler's runs; a sink has none at all.
  var isResident: Bool {
    if case .connected = code { true } else { false }
  }

  var isSink: Bool {
    if case .sink = code { true } else { false }
  }

  /// Whether deliveries are on their way into its sink.
  var isPassing: Bool {
    if case .sink(.passing) = code { true } else { false }
  }

  /// The process of a connected app; a handler has none of this kind.
  var process: AppProcess {
    get {
      if case .connected(let process) = code { process } else { .none }
    }
    set {
      if case .connected = code { code = .connected(newValue) }
    }
  }

  /// Whether a user's `launch` can start its command; an app that only ever connected by itself has none.
  var canStart: Bool { isSink || !manifest.command.isEmpty }

  var hasProcess: Bool {
    switch code {
    case .connected(.none), .connected(.pausing), .connected(.held), .handler(.idle),
      .handler(.waiting), .handler(.announced), .sink:
      false
    case .connected, .handler: true
    }
  }

  /// Whether there is a process that we started, or have requested.
  var hasOwnProcess: Bool {
    if case .connected(.foreign) = code { return false }
    return hasProcess
  }

  /// Whether the engine may count it as running: it has a process, needs none, or may have one now.
  var mayRun: Bool {
    switch code {
    case .handler, .sink: true
    case .connected(.none): canStart
    case .connected(.pausing), .connected(.held): false
    case .connected: true
    }
  }

  var pid: Int32? {
    switch code {
    case .connected(.running(let pid)), .connected(.frozen(let pid)),
      .connected(.leaving(let pid)), .connected(.foreign(let pid)), .handler(.running(_, let pid)):
      pid
    case .connected(.ending(let pid)): pid
    case .connected, .handler, .sink: nil
    }
  }

  var isFrozen: Bool {
    if case .connected(.frozen) = code { true } else { false }
  }

  var isHeld: Bool { code == .connected(.held) }

  /// The next change by time alone.
  var nextDeadline: EngineInstant? {
    switch code {
    case .connected(.pausing(let instant, _)), .handler(.waiting(let instant)): instant
    case .sink(let run): run.nextDeadline
    case .connected, .handler: nil
    }
  }
}
