// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import LocationModel
import Settings

/// What the daemon knows of one app beside what the engine knows.
struct DaemonApp: Sendable {
  /// Where its code runs.
  enum Process: Sendable, Equatable {
    case none
    /// Ours, being started.
    case starting
    /// Ours; the leader of its group.
    case running(pid: Int32)
    /// Somebody else started it; it is there for as long as its connection.
    case foreign(pid: Int32)
  }

  let id: AppID
  var manifest: AppManifest
  var process = Process.none
  /// Whether we asked the process to end: how it ends is no crash then.
  var isEnding = false
  /// Whether it was told that it has some seconds left: how it ends is no crash either.
  var isToldToEnd = false
  /// Whether the freezer says that it is frozen.
  var isFrozen = false
  /// Why the present process was started; `nil` where its user did it.
  var launchReason: WakeReason?
  /// Whether the engine holds it for launched and nothing may start it; it hears of that at once.
  var isHeldBack = false
  /// Whether the service itself launched it, at its start, when the app was added or after a crash.
  var isLaunchedByService = false
  /// The services of which a delivery is in the log since the last launch.
  var logged: Set<Service> = []
  /// Its connection; it is told things only over this.
  var client: ControlServer.ClientID?
  /// Whether it also wants reports in gpsd's form.
  var watches = false
  var outbox: Outbox
  var crashes: CrashRecord
  /// How often in a row the service could not start it.
  var preventions = 0
  /// When a handler that failed is run again.
  var retryAt: EngineInstant?
  /// The last judgement of a fix for each of its services, for the question why it hears nothing.
  var verdicts: [Service: Judgement] = [:]
  /// The last delivery. After a restart of the daemon it is the newest that still waits; where none does,
  /// it is unknown until the next one, since those that were acknowledged are not kept.
  var lastDelivery: Outbox.Entry?
  /// What it asked its user for and has not got.
  var requestedAuthorization: Authorization?

  struct Judgement: Sendable {
    let verdict: Verdict
    let fixTime: UTCInstant?
  }

  var name: String { manifest.name }
  var isHandler: Bool { manifest.kind == .handler }

  /// What a user's `launch` would start; an app that only ever connected by itself has nothing.
  var canStart: Bool { !manifest.command.isEmpty }

  /// Whether it has a process, needs none, or may have one now.
  var mayRun: Bool { isHandler || hasProcess || canStart && crashes.mayLaunch }

  var hasProcess: Bool { process != .none }

  var pid: Int32? {
    switch process {
    case .running(let pid), .foreign(let pid): pid
    case .none, .starting: nil
    }
  }

  /// Whether the process is one that the supervisor keeps.
  var isSupervised: Bool {
    switch process {
    case .starting, .running: true
    case .none, .foreign: false
    }
  }

  /// The next thing that time alone will change here.
  var nextDeadline: EngineInstant? {
    switch (crashes.relaunchAt, retryAt) {
    case (let a?, let b?): min(a, b)
    case (let a, nil): a
    case (nil, let b): b
    }
  }
}
