// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What the engine has for an app besides locations: the engine decides; here it is passed on.

extension Clients {
  mutating func receive(command: EngineCommand, _ engine: LocationEngine, _ step: inout Step) {
    switch command {
    case .place(let id, .state(let region, let state)):
      let notice = RegionNotice(
        identifier: region, event: .state, state: state, received: step.now.utc)
      step.intend(.tell(id, .region(notice)))
    case .place(let id, .failed(let region, let trouble)):
      let reason = trouble.words
      step.note(id, "region_failed", "the region '\(region)' is not monitored: \(reason)")
      step.intend(.tell(id, .regionFailed(region, reason: reason)))
    case .motion(let id): step.intend(.tell(id, .motion))
    case .heading(let id, let heading):
      step.intend(.tell(id, .heading(HeadingNotice(heading, received: step.now.utc))))
    case .paused(let id):
      step.note(id, "paused", command.note ?? "")
      step.intend(.tell(id, .paused))
    case .requestFailed(let id):
      let seconds = Int(engine.rules.requestTimeout)
      step.intend(.tell(id, .requestFailed("no location came within \(seconds) s")))
      if step.apps.isSink(id) { step.want(.putAway(id)) }
    case .tasksExpire(let id, let tasks, let seconds):
      note(command: command, of: id, &step)
      step.intend(.tell(id, .tasksExpire(tasks, seconds: seconds)))
    case .work(let id, let reason, let seconds):
      note(command: command, of: id, &step)
      call(id, for: reason, within: seconds.isFinite ? seconds : nil, &step)
    case .notify(let id, let notification, let fate):
      note(command: command, of: id, &step)
      notify(id, notification, fate, &step)
    case .audioStopped(let id, _):
      note(command: command, of: id, &step)
      step.intend(.tell(id, .audioStopped))
    case .notWoken(let id, _, _), .unreachable(let id, _), .memoryTaken(let id, _):
      note(command: command, of: id, &step)
    // Of others, see the router.
    case .transition, .launch, .deliver, .verdict, .place, .deferralEnded, .asksUser, .receiver,
      .requestNetworkPosition, .listen, .ignored:
      break
    }
  }

  private func note(command: EngineCommand, of id: AppID, _ step: inout Step) {
    guard let note = BackgroundNote(command) else { return }
    step.note(id, note.kind.rawValue, note.text)
  }

  private func notify(
    _ id: AppID, _ notification: LocalNotification, _ fate: NotificationFate, _ step: inout Step
  ) {
    switch fate {
    case .handedOver:
      // The end is stored before it is reported: a service after a kill would repeat it.
      step.ledger.needCheckpoint(now: true)
      step.intend(.tell(id, .notification(notification)))
    case .alerted:
      step.ledger.needCheckpoint(now: true)
      if let name = step.apps.name(of: id) {
        step.intend(.effect(.notifyUser(app: name, notification)))
      }
    case .notAllowed, .noRoom: break
    }
  }
}
