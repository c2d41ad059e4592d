// SPDX-License-Identifier: Apache-2.0

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
}
