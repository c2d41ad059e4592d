// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// The other side of a sink may name regions, and is told the monitored ones:
//
//   the other side ── changeRegions ──► the app's regions in the engine ── of which it may know ──► the sink
//
// - Regions named by the other side are monitored as if the app had asked for them, and kept with the engine's state;
//   so they have the limits of every app. They count for this app only.
// - Regions in the manifest are the user's: the other side can neither change nor end them. If a newer manifest names a
//   region of the same name, that one counts from then on.
// - The other side may know a region unless its circle reaches into a privacy zone hidden from this sink, and none if
//   it receives only reduced positions: the circle reveals the exact place. An event at such a region is sent as usual,
//   with the parts that the zone allows.

extension Sinks {
  func changeRegions(
    of id: AppID, _ changes: [RegionChange], _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let app = step.apps[id], app.isSink else { return }
    let own = Self.ownRegions(of: app)
    var refused: [String] = []
    for change in changes {
      switch change {
      case .monitor(let region) where own.contains(region.identifier):
        refused.append(region.identifier)
      case .stop(let name) where own.contains(name): refused.append(name)
      case .monitor, .stop, .stopAll: step.want(.changeRegion(id, change))
      }
    }
    if !refused.isEmpty {
      step.note(
        id, "region_refused",
        "the other side cannot change \(Self.quoted(refused)), which its manifest names")
    }
    step.want(.regionsChanged(id, before: engine.regions(of: id)))
  }

  /// Makes one change that the other side may make, by the regions of now.
  func changeRegion(
    of id: AppID, _ change: RegionChange, _ engine: LocationEngine, _ step: inout Step
  ) {
    switch change {
    case .monitor(let region): step.tellEngine(.app(id, .place(.startMonitoring(region))))
    case .stop(let name): step.stopRegion(name, of: id)
    case .stopAll:
      guard let own = step.apps[id].map(Self.ownRegions) else { return }
      for region in engine.regions(of: id) where !own.contains(region.identifier) {
        step.stopRegion(region.identifier, of: id)
      }
    }
  }

  /// Reports the regions that the other side wants now, if they differ.
  func regionsChanged(
    of id: AppID, from before: [MonitoredRegion], _ engine: LocationEngine, _ step: inout Step
  ) {
    let after = engine.regions(of: id)
    guard after != before, let own = step.apps[id].map(Self.ownRegions) else { return }
    let names = after.map(\.identifier).filter { !own.contains($0) }
    step.note(
      id, "regions",
      names.isEmpty
        ? "the other side wants no regions any more"
        : "the other side wants to know of \(Self.quoted(names))")
    step.ledger.needCheckpoint(now: true)
    step.want(.tellSinkRegions(id))
  }

  /// Tells an app's open sink the present regions.
  func tellRegions(of id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard step.apps.isSink(id) else { return }
    step.intend(.effect(.sink(.regions(id, regionsTold(toSinkOf: id, engine, step)))))
  }

  /// The regions of an app that the other side of its sink may know.
  func regionsTold(
    toSinkOf id: AppID, _ engine: LocationEngine, _ step: Step
  ) -> [MonitoredRegion] {
    guard let app = step.apps[id], app.allowsLocation, !app.isReduced else { return [] }
    let seen = engine.zonesSeen(by: id)
    let hidden = step.settings.rules.zones.filter { !seen.contains($0.name) }
    return engine.regions(of: id).filter { region in
      !hidden.contains { $0.square.distance(to: region.centre) <= region.radius }
    }
  }

  private static func ownRegions(of app: RegisteredApp) -> Set<String> {
    Set(app.manifest.places.regions.map(\.identifier))
  }

  private static func quoted(_ names: [String]) -> String {
    Figures.list(names.map { "'\($0)'" })
  }
}
