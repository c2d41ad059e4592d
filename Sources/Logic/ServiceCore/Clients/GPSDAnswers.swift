// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What gpsd's clients ask, and what apps are told when gpsd has no fixes.

extension Clients {
  /// The release that a client is told. cgps warns of each release of gpsd that is not its own, so a client of a port
  /// is told that of this machine's gpsd, or before that is known the newest one of the protocol spoken here.
  func version(for client: ClientID, _ line: GPSDLine, _ step: Step) -> ServerMessage {
    let own = step.settings.release
    guard case .listener = role(of: client) else { return .version(release: own) }
    return .version(release: line.release ?? "3.22", rev: "milepost-\(own)")
  }

  /// The devices that a client may know of: its port's, or gpsd's.
  func devices(for client: ClientID, _ line: GPSDLine) -> [ServerMessage.Device] {
    if case .listener(let id) = role(of: client), let port = ports[id] {
      return [.init(path: port.device, driver: "Milepost", activated: port.activated)]
    }
    return line.devices.map { .init(path: $0.path, driver: $0.driver) }
  }

  /// The newest position that passed the client's filter, never another.
  func poll(_ client: ClientID, _ sky: Sky?, at utc: UTCInstant) -> ServerMessage {
    guard case .listener(let id) = role(of: client), let port = ports[id] else {
      return .poll(nil, device: "milepost", at: utc)
    }
    return .poll(port.lastFix, device: port.device, at: utc, sky: sky)
  }

  /// Tells every app that runs and asked for updates.
  func tellUpdating(
    _ message: ServerMessage, _ engine: LocationEngine, _ step: inout Step
  ) {
    for id in step.apps.ids {
      guard engine.state(of: id)?.runsCode == true,
        let service = engine.explanation(for: id, at: step.now.at)?.service,
        service != .significant
      else { continue }
      step.intend(.tell(id, message))
    }
  }
}
