// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract

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
    for app in step.apps.all {
      let process = processes[app.id]
      let outbox = outboxes[app.id]?.outbox
      body(
        AppInspection(
          id: app.id, name: app.name, isHandler: app.isHandler, isSink: app.isSink,
          canStart: app.canStart,
          stage: process.map { .init($0.run) } ?? sinks[app.id].map { .init($0.run) } ?? .idle,
          isFrozen: process?.process.isFrozen == true, authorization: app.authorization,
          isReduced: app.isReduced,
          asksContinuously: !app.isResident && app.manifest.service == .continuous
            && app.manifest.declaration.declaresLocationMode,
          client: clients.client(of: app.id), pending: outbox?.entries.count ?? 0,
          first: outbox?.entries.first?.delivery.sequence,
          last: outbox?.entries.last?.delivery.sequence, acknowledged: outbox?.acknowledged ?? 0,
          hasUnsent: outbox?.hasNext == true, dead: outboxes[app.id]?.dead.count ?? 0))
    }
  }

  /// Whether a process of that name, of an app that was removed, is still being ended.
  package func isLeaving(_ name: String) -> Bool { processes.isLeaving(name) }

  package func appID(of name: String) -> AppID? { step.apps.id(of: name) }

  /// The name of an app: a port for gpsd clients has its device's, one that asks GeoClue its own; `nil` if it
  /// does not exist.
  package func name(of id: AppID) -> String? {
    step.apps.name(of: id) ?? clients.ports[id]?.device ?? geoClue[id]?.request.program
  }

  package var sizes: ServiceSizes {
    let carried = step.ledger.carried
    return ServiceSizes(
      clients: clients.count, leaving: processes.leavingCount,
      deadlines: processes.deadlines.count + sinks.deadlines.count,
      carriedDeliveries: carried.deliveries.count, carriedDead: carried.dead.count,
      carriedLog: carried.log.count)
  }
}

extension AppInspection.Stage {
  init(_ run: ProcessState.Run) {
    self =
      switch run {
      case .connected(.none), .handler(.idle): .idle
      case .connected(.pausing(let until, _)), .handler(.waiting(let until)): .waiting(until: until)
      case .connected(.held): .held
      case .connected(.starting), .handler(.starting): .starting
      case .handler(.announced): .announced
      case .connected(.running), .connected(.frozen), .connected(.leaving), .handler(.running):
        .running
      case .connected(.ending), .handler(.ending): .ending
      case .connected(.foreign): .foreign
      }
  }

  init(_ run: SinkRun) {
    self =
      switch run {
      case .idle: .idle
      case .gathering(let until), .waiting(let until, _): .waiting(until: until)
      case .passing: .running
      }
  }
}
