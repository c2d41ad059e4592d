// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// The first message of an app's connection.

extension Step {
  /// What an app that connects is told of itself; `nil` if there is no such app.
  func welcome(
    _ id: AppID, _ deliveries: AppDeliveries?, _ process: ProcessState?, _ engine: LocationEngine
  ) -> ServerMessage? {
    guard let app = apps[id] else { return nil }
    let launch = process?.launch.reason
    let places = engine.places(of: id)
    return .welcome(
      .init(
        release: settings.release, app: app.name, state: engine.state(of: id) ?? .notRunning,
        authorization: app.toldAuthorization, launchReason: launch,
        monitorsSignificantChanges: engine.services(of: id).contains(.significant),
        acknowledged: deliveries?.outbox.acknowledged ?? 0,
        places: places == .empty ? nil : places,
        location: Self.lastLocation(for: app, launch, engine),
        accuracy: app.isReduced ? .reduced : nil,
        defersUpdates: engine.rules.era.defersUpdates ? true : nil,
        mayNotify: app.manifest.declaration.mayNotify || !engine.rules.era.asksForNotifications
          ? true : nil,
        isFrontOnly: engine.life(of: id)?.exitsOnSuspend == true ? true : nil,
        refreshIsOff: engine.refreshIsOff ? true : nil))
  }

  /// The last position that an app that connects may know.
  private static func lastLocation(
    for app: RegisteredApp, _ launch: WakeReason?, _ engine: LocationEngine
  ) -> Fix? {
    guard launch != .location, let fix = engine.lastKnown(for: app.id), fix.time != nil else {
      return nil
    }
    let mayKnow: Bool =
      switch engine.state(of: app.id) {
      case .active?, .inactive?: app.toldAuthorization.allowsLocation
      case .background?: app.authorization == .always
      case .suspended?, .notRunning?, nil: false
      }
    return mayKnow ? fix : nil
  }
}

extension LocationEngine {
  /// The places monitored for an app.
  func places(of id: AppID) -> MonitoredPlaces {
    let told = toldSides(of: id)
    return MonitoredPlaces(
      regions: regions(of: id), visits: monitorsVisits(id), told: told.isEmpty ? nil : told)
  }
}
