// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

extension Sinks {
  /// What is wanted of the sinks.
  enum Order: Sendable {
    case followConfiguration
    case followSink(AppManifest)
    case releaseSink(AppID)
    /// Another manifest may have mended it.
    case mendedSink(AppID)
    case recall(AppID)
    case putAway(AppID)
    case tellSinkRegions(AppID)
    case changeRegion(AppID, RegionChange)
    case regionsChanged(AppID, before: [MonitoredRegion])
    case network(NetworkReading)
  }

  mutating func perform(
    order: Order, _ outboxes: Outboxes, _ engine: LocationEngine, _ step: inout Step
  ) {
    switch order {
    case .followConfiguration: followConfiguration(outboxes, &step)
    case .followSink(let manifest): followSink(of: manifest, &step)
    case .releaseSink(let id): release(id)
    case .mendedSink(let id): mended(id, step)
    case .recall(let id): recall(id, &step)
    case .putAway(let id): putAway(id, engine, &step)
    case .tellSinkRegions(let id): tellRegions(of: id, engine, &step)
    case .changeRegion(let id, let change): changeRegion(of: id, change, engine, &step)
    case .regionsChanged(let id, let before):
      regionsChanged(of: id, from: before, engine, &step)
    case .network(let reading): receive(network: reading, &step)
    }
  }

  /// Answers who had a sink tried.
  func answer(
    _ client: ClientID, _ trial: SinkTrial, of id: AppID, _ request: String?, _ step: inout Step
  ) {
    guard let name = step.apps.name(of: id) else {
      return step.refuse(
        client, .unknownApp, "the sink was removed while it was tried", request)
    }
    let document =
      switch trial {
      case .reached(let text): SinkTrialDocument(name: name, isReached: true, text: text)
      case .failed(let text): SinkTrialDocument(name: name, isReached: false, text: text)
      }
    step.answer(client, .document(json: document.json), request)
  }

  /// Puts a sink whose other side asked for the present position back into the background, once that was
  /// found, or cannot be.
  func putAway(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard engine.state(of: id) == .active, !engine.awaitsLocation(id) else { return }
    step.tellEngine(.app(id, .life(.enteredBackground)))
  }
}
