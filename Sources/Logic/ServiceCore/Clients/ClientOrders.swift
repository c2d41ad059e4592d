// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

extension Clients {
  /// What is wanted of the connections.
  enum Order: Sendable {
    case greet(ClientMessage.Hello, ClientID, String?)
    case welcome(AppID, ClientID, String?, place: Int)
    case repeatWelcome(AppID, ClientID, String?)
    case dropStranger(AppID, leader: Int32?)
    /// Its life ended: its calls are over.
    case gone(AppID)
    /// It runs again after a suspension.
    case resumed(AppID)
    /// All apps that run and asked for updates are told.
    case tellUpdating(ServerMessage)
    case startPorts
    case forget(Forgetting)
    /// What new zones hide is forgotten.
    case forgetHidden(by: [PrivacyZone])
  }

  mutating func perform(
    order: Order, _ processes: Processes, _ outboxes: Outboxes, _ engine: LocationEngine,
    _ step: inout Step
  ) {
    switch order {
    case .greet(let hello, let client, let request):
      greet(hello, client, request, processes, &step)
    case .welcome(let id, let client, let request, let place):
      welcome(id, client, request, place: place, outboxes[id], processes[id], engine, &step)
    case .repeatWelcome(let id, let client, let request):
      welcome(again: id, client, request, outboxes[id], processes[id], engine, &step)
    case .dropStranger(let id, let leader): dropStranger(id, leader: leader, &step)
    case .gone(let id): gone(id)
    case .resumed(let id): resumed(id, engine, &step)
    case .tellUpdating(let message): tellUpdating(message, engine, &step)
    case .startPorts: ports.launchAll(engine, &step)
    case .forget(let wish):
      forget { [utc = step.now.utc] in wish.concerns($0, $0.time ?? utc) }
    case .forgetHidden(let zones): forget { zones.hiding($0, last: nil) != nil }
    }
  }
}
