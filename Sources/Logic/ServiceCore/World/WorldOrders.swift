// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

extension World {
  /// What is wanted of the world.
  enum Order: Sendable {
    case device(DeviceEvent)
    /// The engine has judged this position of gpsd.
    case judged(Fix)
    case cellChanged(CellHint)
    case followLateness
    case gpsdMoved
    case sayUnreachable(ClientID)
    case forget(Forgetting)
    /// What new zones hide is forgotten.
    case forgetHidden(by: [PrivacyZone])
  }

  mutating func perform(
    order: Order, _ engine: LocationEngine, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    switch order {
    case .device(let event): receive(deviceEvent: event, engine, &step)
    case .judged(let fix): judged(fix, engine, &step)
    case .cellChanged(let cell): changed(to: cell, engine, &meter, &step)
    case .followLateness: followLateness(engine, &step)
    case .gpsdMoved: gpsdMoved(&step)
    case .sayUnreachable(let client): sayUnreachable(client, engine, &step)
    case .forget(let wish): forget(where: wish.concerns)
    case .forgetHidden(let zones): forget { fix, _ in zones.hiding(fix, last: nil) != nil }
    }
  }
}
