// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

extension Outboxes {
  /// What is wanted of deliveries.
  enum Order: Sendable {
    case acknowledge(UInt64, of: AppID)
    case rewind(AppID)
    case rewindTo(UInt64, of: AppID)
    /// A new connection: nothing has been sent on it.
    case opened(AppID)
    /// An app is launched.
    case launchBegan(AppID)
    /// A handler's run for this number has ended well, or has failed.
    case handled(UInt64, of: AppID)
    case failed(UInt64, of: AppID, String)
    case resend(UInt64?, of: AppID, ClientID, String?)
    case discard(UInt64?, of: AppID, ClientID, String?)
    /// Nothing was told for long: an app in a visit is told that.
    case heartbeat(AppID)
    case followLimits
    /// What waits for it may tell no exact place any more.
    case reduce(AppID)
    case forget(Forgetting, ClientID, String?)
    case forgetRegion(String, of: AppID)
    /// What new zones hide is forgotten.
    case forgetHidden(by: [PrivacyZone])
  }

  mutating func perform(
    order: Order, _ processes: Processes, _ sinks: Sinks, _ engine: inout LocationEngine,
    _ step: inout Step
  ) {
    switch order {
    case .acknowledge(let number, let id): acknowledged(number, of: id, &step)
    case .rewind(let id): rewind(id)
    case .rewindTo(let number, let id): rewind(id, to: number)
    case .opened(let id): connected(id)
    case .launchBegan(let id): launchBegan(of: id)
    case .handled(let number, let id): handled(number, of: id, &step)
    case .failed(let number, let id, let reason): failed(number, of: id, reason, &step)
    case .resend(let number, let id, let client, let request):
      let count = resend(number, of: id, &engine, &step)
      step.answer(client, chose: count, number, of: id, request)
    case .discard(let number, let id, let client, let request):
      let count = discard(number, of: id, &step)
      step.answer(client, chose: count, number, of: id, request)
    case .heartbeat(let id): repeatPosition(for: id, &engine, &step)
    case .followLimits: followLimits(step)
    case .reduce(let id):
      let work = DeliveriesAtWork(id, processes, sinks, step)
      reduce(id, isIdle: work.isIdle, &engine, &step)
    case .forget(let wish, let client, let request):
      forgetDeliveries(wish, for: client, request, processes, sinks, &step)
    case .forgetRegion(let name, let id): forget(region: name, of: id)
    case .forgetHidden(let zones): forgetHidden(by: zones, processes, sinks, &step)
    }
  }
}

extension Outboxes {
  /// When the newest of those up to a number was decided; `nil` if unknown, as after a restart.
  func decided(upTo number: UInt64, of id: AppID) -> EngineInstant? {
    self[id]?.outbox.entries.last { $0.delivery.sequence <= number }?.since
  }
}

extension Step {
  /// Answers an order about given-up deliveries, of which `count` were chosen.
  fileprivate mutating func answer(
    _ client: ClientID, chose count: Int, _ number: UInt64?, of id: AppID, _ request: String?
  ) {
    guard let number, count == 0 else { return answerChange(client, .ok, request) }
    let name = apps.name(of: id) ?? ""
    refuse(
      client, .notPossible,
      "'\(name)' has no event \(number) that was given up; `milepost apps events \(name)` "
        + "lists those that it has", request)
  }
}
