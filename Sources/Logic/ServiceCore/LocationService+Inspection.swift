// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract
import Settings

// The state that a simulator checks after every step. Nothing is decided here.

/// One app of a service, as far as its rules can be checked from outside.
package struct AppInspection: Sendable, Equatable {
  /// Its process, or its run.
  package enum Stage: Sendable, Equatable {
    /// No process, and nothing prevents one.
    case idle
    /// No process; one may come then.
    case waiting(until: EngineInstant)
    /// It crashed too often.
    case held
    case starting
    /// Announced, but not asked for.
    case announced
    case running
    case ending
    /// Another party's.
    case foreign
  }

  package let id: AppID
  package let name: String
  package let isHandler: Bool
  package let isSink: Bool
  package let canStart: Bool
  package let stage: Stage
  package let isFrozen: Bool
  package let authorization: Authorization
  /// Whether it receives no exact place.
  package let isReduced: Bool
  /// Whether it is a handler or a sink whose manifest asks for continuous updates, with their mode.
  package let asksContinuously: Bool
  package let client: ClientID?
  /// The number of waiting deliveries, the first and the last of them.
  package let pending: Int
  package let first: UInt64?
  package let last: UInt64?
  package let acknowledged: UInt64
  /// Whether one could be sent now, as far as its window goes.
  package let hasUnsent: Bool
  package let dead: Int
}

/// The size of a service's memory.
package struct ServiceSizes: Sendable, Equatable {
  package var clients: Int
  package var leaving: Int
  package var deadlines: Int
  /// Rows that could not be written yet.
  package var carriedDeliveries: Int
  package var carriedDead: Int
  package var carriedLog: Int
}

extension LocationService {
  /// All registered apps, in the order of their numbers.
  package func inspect(_ body: (AppInspection) -> Void) {
    for app in apps.all { body(AppInspection(app)) }
  }

  /// Whether a process of that name, of an app that was removed, is still being ended.
  package func isLeaving(_ name: String) -> Bool { leaving.contains(name) }

  package func appID(of name: String) -> AppID? { apps.id(of: name) }

  package var sizes: ServiceSizes {
    let carried = carriedChange
    return ServiceSizes(
      clients: clients.count, leaving: leaving.count, deadlines: deadlines.count,
      carriedDeliveries: carried.deliveries.count, carriedDead: carried.dead.count,
      carriedLog: carried.log.count)
  }
}

extension AppInspection {
  init(_ app: AppRecord) {
    id = app.id
    name = app.name
    isHandler = app.isHandler
    isSink = app.isSink
    canStart = app.canStart
    stage = Stage(app.code)
    isFrozen = app.isFrozen
    authorization = app.manifest.declaration.authorization
    isReduced = app.isReduced
    asksContinuously =
      !app.isResident && app.manifest.service == .continuous
      && app.manifest.declaration.declaresLocationMode
    client = app.client
    pending = app.outbox.entries.count
    first = app.outbox.entries.first?.delivery.sequence
    last = app.outbox.entries.last?.delivery.sequence
    acknowledged = app.outbox.acknowledged
    hasUnsent = app.outbox.next != nil
    dead = app.dead.count
  }
}

extension AppInspection.Stage {
  init(_ code: AppRecord.Code) {
    self =
      switch code {
      case .connected(.none), .handler(.idle), .sink(.idle): .idle
      case .connected(.pausing(let until, _)), .handler(.waiting(let until)),
        .sink(.waiting(let until, _)), .sink(.gathering(let until)):
        .waiting(until: until)
      case .connected(.held): .held
      case .connected(.starting), .handler(.starting): .starting
      case .handler(.announced): .announced
      case .connected(.running), .connected(.frozen), .connected(.leaving), .handler(.running),
        .sink(.passing):
        .running
      case .connected(.ending), .handler(.ending): .ending
      case .connected(.foreign): .foreign
      }
  }
}

extension LocationService {
  /// The name of an app: a port for gpsd clients has its device's, one that asks GeoClue its own; `nil` if it
  /// does not exist.
  package func name(of id: AppID) -> String? {
    apps[id]?.name ?? listeners[id]?.device ?? geoClue.apps[id]?.request.program
  }
}
