// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

/// What is wanted of the registered apps, or of the settings.
enum AppOrder: Sendable {
  case add(AppManifest, ClientID, String?)
  /// Its Info.plist names modes that change nothing here.
  case declares([String], String)
  case declareAll
  case socketIsReady(String)
  case followZones([PrivacyZone])
  case followLateness(LatenessTerms, externalPower: Bool?)
}

extension Step {
  mutating func perform(order: AppOrder, _ engine: LocationEngine) {
    switch order {
    case .add(let manifest, let client, let request): add(app: manifest, client, request)
    case .declares(let modes, let name): declares(modes, of: name)
    case .declareAll: declareAll(engine)
    case .socketIsReady(let name): socketIsReady(name)
    case .followZones(let zones): follow(zones: zones)
    case .followLateness(let terms, let externalPower):
      settings.rules.lateness = terms
      settings.externalPower = externalPower
      want(.followLateness)
    }
  }

  // MARK: Orders to several machines

  /// All that runs without anybody's doing is started: after a start of the service or the device.
  mutating func startWhatRuns() {
    want(.followConfiguration)
    want(.startAll)
    want(.startPorts)
    want(.startPrograms)
  }

  /// All obstacles to a start of an app are removed.
  mutating func release(_ id: AppID) {
    want(.releaseProcess(id))
    want(.releaseSink(id))
  }

  /// An app monitors a region no more.
  mutating func stopRegion(_ name: String, of id: AppID) {
    want(.forgetRegion(name, of: id))
    tellEngine(.app(id, .place(.stopMonitoring(region: name))))
  }
}
