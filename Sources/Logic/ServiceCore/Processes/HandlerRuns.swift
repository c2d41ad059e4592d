// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// The runs of handlers, one for each delivery; the theory is above `HandlerRun`.

/// The end of a handler's run.
enum RunEnding: Equatable {
  case succeeded
  /// The reason of its failure.
  case failed(String)
}

extension Processes {
  /// Runs a handler's command for its oldest delivery, if it does not run already.
  mutating func runHandler(
    of id: AppID, for entry: Outbox.Entry?, _ step: inout Step,
    into effects: inout [ServiceEffect]
  ) {
    guard let entry, let run = self[id]?.handler, run.mayBegin, !step.phase.isStopping,
      let app = step.apps[id], !isLeaving(app.name)
    else { return }
    let number = entry.delivery.sequence
    guard run == .announced(number) else {
      // Its start is stored first; the next round of the batch finds it stored.
      set(.announced(number), of: id)
      step.ledger.addRows { $0.runs.append(.init(id, number)) }
      announce(id)
      return step.intend(.flush(id))
    }
    guard !isAnnouncing(id) else { return }
    set(.starting(number), of: id)
    var environment = app.environment(step.host)
    environment["MILEPOST_SEQUENCE"] = String(number)
    effects.append(
      .start(
        .init(
          app: app.name, command: app.manifest.command, environment: environment,
          directory: app.manifest.directory, input: entry.message.encode(),
          timeLimit: app.manifest.timeout)))
  }

  /// A run has ended; its delivery is settled, or tried again.
  mutating func ended(_ id: AppID, _ ending: RunEnding, _ step: inout Step) {
    guard let run = self[id]?.handler else { return }
    set(.idle, of: id)
    // The service stops: the next one repeats it.
    if case .ending = run, ending != .succeeded { return }
    // An ending already stored is not reported again: its keeper was told to forget it.
    guard let number = run.number else { return }
    step.ledger.addRows { $0.runs.append(.init(id, 0)) }
    switch ending {
    case .succeeded:
      set(trouble: nil, of: id)
      step.want(.handled(number, of: id))
    case .failed(let reason): step.want(.failed(number, of: id, reason))
    }
  }

  /// A run has failed: it is tried again then, or with `nil` its delivery is given up.
  mutating func failed(_ id: AppID, _ reason: String, again: EngineInstant?) {
    set(trouble: reason, of: id)
    if let again { set(.waiting(until: again), of: id) }
  }

  /// Postpones a run that could not begin, through no fault of the handler: the event waits, and nothing counts.
  mutating func postpone(
    _ id: AppID, _ run: HandlerRun, until again: EngineInstant, _ step: inout Step
  ) {
    if case .ending = run { return set(.idle, of: id) }
    step.want(.rewind(id))
    set(.waiting(until: again), of: id)
  }
}

extension RegisteredApp {
  /// The variables of its process.
  func environment(_ host: ServiceHost) -> [String: String] {
    var environment = manifest.environment
    environment["MILEPOST_SOCKET"] = host.socketPath
    environment["MILEPOST_APP"] = name
    return environment
  }
}
