// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract

/// What a service begins with: equal ones and equal inputs give equal effects.
package struct ServiceBeginning: Sendable, Equatable, Codable {
  package var settings: ServiceSettings
  package var host: ServiceHost
  package var clock: EngineClock
  /// The state left by an earlier service.
  package var stored: StoredState
  /// Whether it could be read.
  package var isStoreRead = true
  /// The reason why nothing can be written; `nil` if all is well.
  package var storeTrouble: String?
  /// Faults of the database found, one text each.
  package var storeWarnings: [String]
  /// The ports that listen for gpsd clients.
  package var listeners: [Listener]

  /// One port for gpsd clients, and the service that filters its reports.
  package struct Listener: Sendable, Equatable, Codable {
    package var port: Int
    package var service: Service
    /// Metres; `nil` is none.
    package var distanceFilter: Double?

    package init(port: Int, service: Service, distanceFilter: Double?) {
      self.port = port
      self.service = service
      self.distanceFilter = distanceFilter
    }
  }

  package init(
    settings: ServiceSettings, host: ServiceHost, clock: EngineClock,
    stored: StoredState = StoredState(), storeTrouble: String? = nil, storeWarnings: [String] = [],
    listeners: [Listener] = []
  ) {
    self.settings = settings
    self.host = host
    self.clock = clock
    self.stored = stored
    self.storeTrouble = storeTrouble
    self.storeWarnings = storeWarnings
    self.listeners = listeners
  }
}

/// The machine and the program of the service, for documents and for the processes that it starts.
package struct ServiceHost: Sendable, Equatable, Codable {
  package var pid: Int32
  /// The kernel's identity of this boot.
  package var boot: String
  /// The socket for apps.
  package var socketPath: String
  /// The database.
  package var storePath: String
  /// Whether there is a store at all.
  package var hasStore: Bool
  /// `cgroup2`, `cgroup1` or `signals`.
  package var freezer: String
  /// The live page; `nil` if none is served.
  package var web: StatusDocument.Web?

  package init(
    pid: Int32, boot: String, socketPath: String, storePath: String, hasStore: Bool, freezer: String
  ) {
    self.pid = pid
    self.boot = boot
    self.socketPath = socketPath
    self.storePath = storePath
    self.hasStore = hasStore
    self.freezer = freezer
  }
}
