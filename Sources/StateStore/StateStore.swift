// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// The daemon's memory on disk: apps, the engine's state, deliveries that are not acknowledged, gaps,
/// each app's log and the energy so far.
package final class StateStore: Sendable {
  /// One registered app.
  package struct AppRow: Sendable, Equatable {
    package var id: AppID
    package var name: String
    /// As `Settings` writes it.
    package var manifestJSON: String
    package var authorization: Authorization
    /// The number of its last delivery, and of the last acknowledged one.
    package var lastSequence: UInt64
    package var acknowledged: UInt64

    package init(
      id: AppID, name: String, manifestJSON: String, authorization: Authorization,
      lastSequence: UInt64 = 0, acknowledged: UInt64 = 0
    ) {
      self.id = id
      self.name = name
      self.manifestJSON = manifestJSON
      self.authorization = authorization
      self.lastSequence = lastSequence
      self.acknowledged = acknowledged
    }
  }

  /// A delivery that was not acknowledged.
  package struct Pending: Sendable, Equatable {
    package var app: AppID
    package var delivery: Delivery
    /// When the engine decided it, UTC of the host.
    package var received: UTCInstant
    /// How often a handler has failed on it.
    package var failures: Int

    package init(app: AppID, delivery: Delivery, received: UTCInstant, failures: Int = 0) {
      self.app = app
      self.delivery = delivery
      self.received = received
      self.failures = failures
    }
  }

  /// One line of what happened to an app (`nil`: to the daemon).
  package struct LogRow: Sendable, Equatable {
    package var app: AppID?
    package var at: UTCInstant
    /// `delivered`, `transition`, `launched`, `ended`, `held`, `gap`, …
    package var kind: String
    package var text: String

    package init(app: AppID?, at: UTCInstant, kind: String, text: String) {
      self.app = app
      self.at = at
      self.kind = kind
      self.text = text
    }
  }

  /// Where the engine's axis stood, to be continued by the next daemon.
  package struct Moment: Sendable, Equatable {
    package var engine: EngineInstant
    package var utc: UTCInstant
    /// The kernel's boot identity: on the same boot the clock itself goes on.
    package var boot: String
    /// The boot-time clock, microseconds.
    package var bootClock: Int64

    package init(engine: EngineInstant, utc: UTCInstant, boot: String, bootClock: Int64) {
      self.engine = engine
      self.utc = utc
      self.boot = boot
      self.bootClock = bootClock
    }
  }

  /// Everything that an earlier daemon left.
  package struct Stored: Sendable, Equatable {
    package var apps: [AppRow] = []
    package var engine: LocationEngine.Snapshot?
    package var pending: [Pending] = []
    package var moment: Moment?
    /// Joules above the baseline by component, over all daemons.
    package var energy: [String: Double] = [:]

    package init() {}
  }

  /// One step of the daemon, written at once or not at all.
  package struct Change: Sendable, Equatable {
    package var addedApps: [AppRow] = []
    package var removedApps: [AppID] = []
    package var authorizations: [(AppID, Authorization)] = []
    package var deliveries: [Pending] = []
    /// Everything up to this number is acknowledged.
    package var acknowledged: [(AppID, UInt64)] = []
    /// A handler failed on this delivery, so often.
    package var failures: [(AppID, UInt64, Int)] = []
    /// Deliveries dropped since the app's outbox was full.
    package var dropped: [(AppID, UInt64)] = []
    package var log: [LogRow] = []
    package var engine: LocationEngine.Snapshot?
    package var moment: Moment?
    package var energy: [String: Double]?

    package init() {}

    package static func == (a: Change, b: Change) -> Bool {
      a.addedApps == b.addedApps && a.removedApps == b.removedApps
        && a.authorizations.elementsEqual(b.authorizations, by: ==)
        && a.deliveries == b.deliveries && a.acknowledged.elementsEqual(b.acknowledged, by: ==)
        && a.failures.elementsEqual(b.failures, by: ==)
        && a.dropped.elementsEqual(b.dropped, by: ==) && a.log == b.log && a.engine == b.engine
        && a.moment == b.moment && a.energy == b.energy
    }
  }

  /// Opens or makes the database; a corrupt one is moved aside (`.corrupt-N`) and said in `warning`.
  package init(path: String) throws { fatalError("not yet") }

  /// What was wrong with the database that was found; `nil` where nothing was.
  package var warning: String? { nil }

  package func load() throws -> Stored { Stored() }

  /// Throws where the disk is full or read-only; nothing of `change` is written then.
  package func commit(_ change: Change) throws {}

  /// The newest rows of an app's log (`nil`: the daemon's), newest last.
  package func log(of app: AppID?, count: Int) throws -> [LogRow] { [] }
}
