// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

extension Processes {
  /// What is wanted of processes and launches.
  enum Order: Sendable {
    case startAll
    case startServices(AppID)
    case startPlaces(AppID)
    case launchInBackground(AppID)
    case bringBack(AppID)
    case relaunchForWhatWaits(AppID)
    case relaunchForCalls(AppID)
    case setLaunch(AppID, LaunchCause)
    case launched(AppID, LaunchOptions)
    /// Its process has been told into which state it was launched.
    case toldLaunch(AppID)
    case pause(AppID, until: EngineInstant, LaunchCause)
    case releaseProcess(AppID)
    /// Another manifest may have mended its program.
    case mendedProcess(AppID)
    case restart(AppID, asksElse: Bool)
    case ordered(ClientMessage.AppControl, on: AppID, ClientID, String?)
    case control(AppID, ClientMessage.AppControl)
    case connected(AppID, pid: Int32)
    case disconnected(AppID)
    case socketsLost
    /// What became of a failed run: it is tried again then, or its delivery is given up.
    case handlerFailed(AppID, String, again: EngineInstant?)
  }

  mutating func perform(
    order: Order, _ outboxes: Outboxes, _ engine: LocationEngine, _ meter: inout ServiceMeter,
    _ step: inout Step
  ) {
    switch order {
    case .startAll: startAll(&step)
    case .startServices(let id): startServices(of: id, &step)
    case .startPlaces(let id): startPlaces(of: id, engine, &step)
    case .launchInBackground(let id):
      launchInBackground(id, hasDeliveries: !outboxes.isEmpty(id), engine, &step)
    case .bringBack(let id): bringBack(id, engine, &step)
    case .relaunchForWhatWaits(let id):
      relaunch(id, for: outboxes[id]?.outbox.entries ?? [], engine, &step)
    case .relaunchForCalls(let id): relaunchForCalls(id, engine, &step)
    case .setLaunch(let id, let cause): launched(id, for: cause)
    case .launched(let id, let options): launched(id, options, &meter, &step)
    case .toldLaunch(let id): set(knowsItsLaunch: true, of: id)
    case .pause(let id, let again, let launch): pause(id, until: again, for: launch)
    case .releaseProcess(let id): release(id, &step)
    case .mendedProcess(let id): set(trouble: nil, of: id)
    case .restart(let id, let asksElse): restart(id, asksElse: asksElse, engine, &step)
    case .ordered(let control, let id, let client, let request):
      receive(control: control, on: id, from: client, request, engine, &step)
    case .control(let id, let control): perform(control: control, on: id, &step)
    case .connected(let id, let pid): connected(id, pid: pid, engine, &step)
    case .disconnected(let id): disconnected(id, &step)
    case .socketsLost: socketsLost(engine, &step)
    case .handlerFailed(let id, let reason, let again): failed(id, reason, again: again)
    }
  }
}
