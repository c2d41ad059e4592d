// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Settings
import Wording

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

extension LocationService {
  mutating func changeRegions(of id: AppID, _ changes: [RegionChange]) {
    guard let app = apps[id], app.isSink else { return }
    let own = Set(app.manifest.places.regions.map(\.identifier))
    let before = engine.regions(of: id)
    var refused: [String] = []
    for change in changes {
      switch change {
      case .monitor(let region) where own.contains(region.identifier):
        refused.append(region.identifier)
      case .stop(let name) where own.contains(name): refused.append(name)
      case .monitor(let region): tell(.app(id, .place(.startMonitoring(region))))
      case .stop(let name): stopRegion(name, of: id)
      case .stopAll:
        for region in engine.regions(of: id) where !own.contains(region.identifier) {
          stopRegion(region.identifier, of: id)
        }
      }
    }
    if !refused.isEmpty {
      note(
        id, "region_refused",
        "the other side cannot change \(Self.quoted(refused)), which its manifest names")
    }
    let after = engine.regions(of: id)
    guard after != before else { return }
    let names = after.map(\.identifier).filter { !own.contains($0) }
    note(
      id, "regions",
      names.isEmpty
        ? "the other side wants no regions any more"
        : "the other side wants to know of \(Self.quoted(names))")
    needsCheckpoint(now: true)
    tellSinkRegions(of: id)
  }

  private mutating func stopRegion(_ name: String, of id: AppID) {
    tell(.app(id, .place(.stopMonitoring(region: name))))
    _ = apps.with(id) { $0.regionVerdicts[name] = nil }
  }

  /// Tells an app's open sink the present regions.
  mutating func tellSinkRegions(of id: AppID) {
    guard apps[id]?.isSink == true else { return }
    intents.append(.effect(.sink(.regions(id, regionsTold(toSinkOf: id)))))
  }

  /// The regions of an app that the other side of its sink may know.
  func regionsTold(toSinkOf id: AppID) -> [MonitoredRegion] {
    guard let declaration = apps[id]?.manifest.declaration,
      declaration.authorization.allowsLocation, declaration.accuracy == .full
    else { return [] }
    let seen = engine.zonesSeen(by: id)
    let hidden = settings.rules.zones.filter { !seen.contains($0.name) }
    return engine.regions(of: id).filter { region in
      !hidden.contains { $0.square.distance(to: region.centre) <= region.radius }
    }
  }

  private static func quoted(_ names: [String]) -> String {
    Figures.list(names.map { "'\($0)'" })
  }
}
