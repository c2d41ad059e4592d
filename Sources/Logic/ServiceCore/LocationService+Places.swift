// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// Regions and visits: the requests of apps, and their events. An event is a delivery like any other (`Outbox`): it
// waits, is stored, is sent again and is acknowledged. The monitored places, and the believed side of each, are part of
// the engine's state, which is written with each change and each event.

extension LocationService {
  mutating func placeSays(_ message: ClientMessage, _ id: AppID, _ client: ClientID) {
    switch message {
    case .monitorRegion(let region):
      needsCheckpoint(now: true)
      tell(.app(id, .place(.startMonitoring(region))))
      sayWhetherAllowed(id, client)
    case .stopMonitoringRegion(let identifier):
      needsCheckpoint(now: true)
      tell(.app(id, .place(.stopMonitoring(region: identifier))))
      _ = apps.with(id) { $0.regionVerdicts[identifier] = nil }
    case .requestRegionState(let identifier):
      tell(.app(id, .place(.requestState(region: identifier))))
    case .monitorVisits(let isOn):
      needsCheckpoint(now: true)
      tell(.app(id, .place(isOn ? .startMonitoringVisits : .stopMonitoringVisits)))
      sayWhetherAllowed(id, client)
    default: break
    }
  }

  /// The places monitored for an app; `nil` if there are none.
  func monitoredPlaces(of id: AppID) -> MonitoredPlaces? {
    let places = MonitoredPlaces(
      regions: engine.regions(of: id), visits: engine.monitorsVisits(id))
    return places == .empty ? nil : places
  }

  /// Monitors the places in its manifest; those already monitored keep their state.
  mutating func startPlaces(of id: AppID, _ places: ManifestPlaces) {
    let monitored = engine.regions(of: id)
    for region in places.regions where !monitored.contains(region) {
      tell(.app(id, .place(.startMonitoring(region))))
    }
    if places.visits, !engine.monitorsVisits(id) {
      tell(.app(id, .place(.startMonitoringVisits)))
    }
  }

  /// Stops monitoring the places that its last manifest named and this one does not.
  mutating func stopPlaces(of id: AppID, _ old: ManifestPlaces, unlessIn new: ManifestPlaces) {
    for region in old.regions
    where !new.regions.contains(where: { $0.identifier == region.identifier }) {
      tell(.app(id, .place(.stopMonitoring(region: region.identifier))))
      _ = apps.with(id) { $0.regionVerdicts[region.identifier] = nil }
    }
    if old.visits, !new.visits { tell(.app(id, .place(.stopMonitoringVisits))) }
  }

  mutating func perform(_ command: PlaceCommand, for id: AppID) {
    switch command {
    case .event(let delivery): deliver(delivery, to: id)
    case .verdict(let region, let verdict, let fixTime):
      _ = apps.with(id) {
        $0.regionVerdicts[region] = .init(verdict: verdict, fixTime: fixTime)
      }
    // Without it a next service would not know the side from which an exit or an entry counts.
    case .settled: needsCheckpoint()
    case .state(let region, let state):
      let notice = RegionNotice(
        identifier: region, event: .state, state: state, received: now.utc)
      intents.append(.tell(id, .region(notice)))
    case .failed(let region, let trouble):
      let reason = trouble.words
      note(id, "region_failed", "the region '\(region)' is not monitored: \(reason)")
      intents.append(.tell(id, .regionFailed(region, reason: reason)))
    }
  }
}

extension RegionTrouble {
  /// The reason why a region is not monitored, and a remedy.
  var words: String {
    switch self {
    case .tooMany:
      "this app monitors \(MonitoredRegion.limit) regions, and may not monitor more; stop one of them"
    case .invalid:
      "its identifier has 1 to \(MonitoredRegion.identifierLimit) bytes, and its radius is from "
        + "\(Int(MonitoredRegion.radii.lowerBound)) m to \(Int(MonitoredRegion.radii.upperBound)) m"
    }
  }
}

extension Delivery {
  /// What it wakes an app for.
  var wakeReason: WakeReason {
    switch event {
    case .entered?, .exited?: .region
    case .arrived?, .departed?: .visit
    case nil: .location
    }
  }
}

extension Outbox.Entry {
  /// The message that hands it over.
  var message: ServerMessage { .handing(delivery, received: received) }
}
