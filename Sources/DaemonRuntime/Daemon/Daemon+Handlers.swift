// SPDX-License-Identifier: Apache-2.0

import AppSupervisor
import ControlProtocol
import LocationEngine
import LocationModel
import Settings
import StateStore

// Theory
// ======
//
// A handler's deliveries are worked off one at a time, oldest first:
//
//            delivery waits                 exit 0: acknowledged, the next one
//   idle ──────────────────────► running ───────────────────────────────────────► idle
//    ▲                              │ anything else, or 600 s are over
//    │     1, 2, 4, 8 s             ▼            the fifth time
//    └────────────────────────── failed ───────────────────────────► given up, said in the log
//
// A run that the service itself could not begin (a full disk) is none: it is tried again, and not counted.
// A run is a task in the sense of the rules (background-execution, section 3): it may go on for 600 s
// after the wake that began it, and is then ended.

extension Daemon {
  /// Attempts at one delivery [ours].
  static let handlerAttempts = 5
  /// Seconds that a run may last: the budget of a background task in the first era.
  static let handlerLimit = 600.0

  /// Runs the command for the oldest delivery, if it does not run already.
  func runHandler(_ id: AppID) {
    guard let app = apps[id], !app.hasProcess, app.retryAt == nil, !isStopping,
      !leaving.contains(app.name),
      let entry = app.outbox.entries.first
    else { return }
    apps[id]?.process = .starting
    apps[id]?.outbox.markSent()
    var environment = app.manifest.environment
    environment["MILEPOST_SOCKET"] = setup.socketPath
    environment["MILEPOST_APP"] = app.name
    environment["MILEPOST_SEQUENCE"] = String(entry.delivery.sequence)
    let message = ServerMessage.location(entry.delivery, received: entry.received)
    supervisor.start(
      .init(
        app: app.name, command: app.manifest.command, environment: environment,
        directory: app.manifest.directory, input: message.encode(), timeLimit: Self.handlerLimit))
  }

  /// `failure` says why the run was none; `nil` where it ended with status 0.
  func handlerEnded(_ id: AppID, failure: String?) {
    apps[id]?.process = .none
    guard let entry = apps[id]?.outbox.entries.first else { return }
    if apps[id]?.isEnding == true {
      // The daemon stops: the next one runs it again.
      apps[id]?.isEnding = false
      apps[id]?.outbox.rewind()
      return
    }
    let number = entry.delivery.sequence
    guard let failure else {
      acknowledge(id, upTo: number)
      if entry.delivery.service == .significant || entry.failures > 0 {
        note(id, "acknowledged", LogWords.acknowledged(number, failures: entry.failures))
      }
      return goOn(id)
    }
    if let failures = apps[id]?.outbox.fail(), failures < Self.handlerAttempts {
      change.failures.append((id, number, failures))
      let pause = Double(1 << (failures - 1))
      apps[id]?.retryAt = now.advanced(bySeconds: pause)
      noteDeadline(of: id)
      note(
        id, "failed",
        "event \(number), attempt \(failures): \(failure); again in \(Int(pause)) s")
      return
    }
    apps[id]?.outbox.markSent()
    acknowledge(id, upTo: number)
    note(
      id, "given_up",
      "event \(number) failed \(Self.handlerAttempts) times and is given up; last: \(failure)")
    goOn(id)
  }

  /// The run could not begin, through no fault of the handler: the event waits, and nothing counts.
  func handlerPrevented(_ id: AppID, until again: EngineInstant) {
    apps[id]?.process = .none
    apps[id]?.isEnding = false
    apps[id]?.outbox.rewind()
    apps[id]?.retryAt = again
  }

  private func goOn(_ id: AppID) {
    if apps[id]?.outbox.entries.isEmpty == true { tell(.app(id, .finishedWork)) }
    effects.append(.flush(id))
  }

  /// Nothing up to this number is ever delivered again.
  func acknowledge(_ id: AppID, upTo number: UInt64) {
    guard apps[id]?.outbox.acknowledge(upTo: number) == true else { return }
    change.acknowledged.append((id, number))
  }
}
