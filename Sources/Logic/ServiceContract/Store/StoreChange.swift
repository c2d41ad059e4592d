// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationEngine
package import LocationModel

// The store's contract with the service: rows, and the change of one step.

/// One registered app.
package struct StoredApp: Sendable, Equatable, Codable {
  package var id: AppID
  package var name: String
  /// As written by `Settings`.
  package var manifestJSON: String
  package var authorization: Authorization
  /// The numbers of its last delivery, and of the last acknowledged one.
  package var lastSequence: UInt64
  package var acknowledged: UInt64
  /// The number of the delivery whose handler run began; `nil` if there was none, or its ending is stored.
  package var run: UInt64?
  /// For a sink that has sent something.
  package var tally: UplinkTally?
  /// For a connected app that has crashed.
  package var crashes: StoredCrashes?
  /// The time of the newest delivery in its log, UTC of the host; derived when it is loaded.
  package var lastLogged: UTCInstant?

  package init(
    id: AppID, name: String, manifestJSON: String, authorization: Authorization,
    lastSequence: UInt64 = 0, acknowledged: UInt64 = 0, run: UInt64? = nil,
    tally: UplinkTally? = nil, crashes: StoredCrashes? = nil
  ) {
    self.id = id
    self.name = name
    self.manifestJSON = manifestJSON
    self.authorization = authorization
    self.lastSequence = lastSequence
    self.acknowledged = acknowledged
    self.run = run
    self.tally = tally
    self.crashes = crashes
  }
}

/// An unacknowledged delivery.
package struct PendingDelivery: Sendable, Equatable, Codable {
  package var app: AppID
  package var delivery: Delivery
  /// The time of the engine's decision, UTC of the host.
  package var received: UTCInstant
  /// The number of its handler's failures, or of the times that its sink's other side called it bad.
  package var failures: Int

  package init(app: AppID, delivery: Delivery, received: UTCInstant, failures: Int = 0) {
    self.app = app
    self.delivery = delivery
    self.received = received
    self.failures = failures
  }

  var key: DeliveryKey { DeliveryKey(app, delivery.sequence) }
}

/// A given-up delivery: its handler failed on it for too long, or no recipient was left.
package struct DeadDelivery: Sendable, Equatable, Codable {
  package var pending: PendingDelivery
  /// The time at which it was given up, UTC of the host, and the reason.
  package var at: UTCInstant
  package var reason: String

  package init(pending: PendingDelivery, at: UTCInstant, reason: String) {
    self.pending = pending
    self.at = at
    self.reason = reason
  }
}

/// One delivery of one app.
package struct DeliveryKey: Sendable, Hashable, Codable {
  package var app: AppID
  package var number: UInt64

  package init(_ app: AppID, _ number: UInt64) {
    self.app = app
    self.number = number
  }
}

/// One line in the log of an app (`nil`: of the daemon).
package struct LogRow: Sendable, Equatable, Codable {
  /// The kind of a delivery's line.
  package static let delivered = "delivered"

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

/// The position of the engine's axis, for the next daemon to continue.
package struct StoredMoment: Sendable, Equatable, Codable {
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

/// Everything left by an earlier daemon.
package struct StoredState: Sendable, Equatable, Codable {
  package var apps: [StoredApp] = []
  package var engine: LocationEngine.Snapshot?
  package var pending: [PendingDelivery] = []
  /// Given-up deliveries, oldest first.
  package var dead: [DeadDelivery] = []
  package var moment: StoredMoment?
  /// Joules above the baseline by component, over all daemons.
  package var energy: [String: Double] = [:]

  package init() {}
}

/// The authorization of an app from now on.
package struct NewAuthorization: Sendable, Equatable, Codable {
  package var app: AppID
  package var to: Authorization

  package init(_ app: AppID, _ to: Authorization) {
    self.app = app
    self.to = to
  }
}

/// The number of a handler's failures on a delivery, or of the times that a sink's other side called it bad.
package struct HandlerFailure: Sendable, Equatable, Codable {
  package var app: AppID
  package var number: UInt64
  package var count: Int

  package init(_ app: AppID, _ number: UInt64, _ count: Int) {
    self.app = app
    self.number = number
    self.count = count
  }

  var key: DeliveryKey { DeliveryKey(app, number) }
}

/// The sums of a sink's transfers from now on.
package struct SinkTally: Sendable, Equatable, Codable {
  package var app: AppID
  package var tally: UplinkTally

  package init(_ app: AppID, _ tally: UplinkTally) {
    self.app = app
    self.tally = tally
  }
}

/// The crashes of an app that may still count, and their consequence.
package struct StoredCrashes: Sendable, Equatable, Codable {
  /// On the engine's axis, oldest first.
  package var times: [EngineInstant]
  /// Whether only its user may launch it.
  package var isHeld: Bool

  package init(times: [EngineInstant], isHeld: Bool) {
    self.times = times
    self.isHeld = isHeld
  }
}

/// The crashes of an app from now on.
package struct AppCrashes: Sendable, Equatable, Codable {
  package var app: AppID
  package var crashes: StoredCrashes

  package init(_ app: AppID, _ crashes: StoredCrashes) {
    self.app = app
    self.crashes = crashes
  }
}

/// One step of the daemon, written at once or not at all.
package struct StoreChange: Sendable, Equatable, Codable {
  @Sparse<[StoredApp]> package var addedApps
  @Sparse<[AppID]> package var removedApps
  @Sparse<[NewAuthorization]> package var authorizations
  @Sparse<[PendingDelivery]> package var deliveries
  /// Everything up to this number is acknowledged.
  @Sparse<[DeliveryKey]> package var acknowledged
  @Sparse<[HandlerFailure]> package var failures
  /// Deliveries dropped since the app's outbox was full.
  @Sparse<[DeliveryKey]> package var dropped
  /// Deleted deliveries, whether waiting or given up.
  @Sparse<[DeliveryKey]> package var forgotten
  /// Logs whose older rows are deleted.
  @Sparse<[LogExpiry]> package var expiredLogs
  @Sparse<[HistoryExpiry]> package var expiredHistory
  /// Whether the files must hold no trace of any data ever deleted.
  @Sparse<Bool> package var scrubs
  /// A handler's run for this delivery begins, or with 0 has ended.
  @Sparse<[DeliveryKey]> package var runs
  /// The sums of a sink's transfers.
  @Sparse<[SinkTally]> package var tallies
  /// The crashes of an app that may still count.
  @Sparse<[AppCrashes]> package var crashes
  /// Given-up deliveries; they no longer wait.
  @Sparse<[DeadDelivery]> package var dead
  /// Deliveries that had been given up, and are sent again or discarded now.
  @Sparse<[DeliveryKey]> package var revived
  /// Those of `deliveries` and `dead` that an earlier change added: their rows are replaced.
  @Sparse<[DeliveryKey]> package var replaced
  @Sparse<[LogRow]> package var log
  /// Added when there is something else to write, and never a reason to write.
  @Sparse<[HistoryDocument.Entry]> package var history
  package var engine: LocationEngine.Snapshot?
  package var moment: StoredMoment?
  package var energy: [String: Double]?

  package init() {}
}

extension StoreChange {
  /// Whether there is nothing to write.
  package var isEmpty: Bool { self == Self.nothing }
  private static let nothing = StoreChange()

  /// Whether it deletes data on request.
  package var forgets: Bool {
    scrubs || !forgotten.isEmpty || !expiredLogs.isEmpty || !expiredHistory.isEmpty
  }

  /// The number of given-up deliveries that an app keeps; the oldest go.
  package static let deadLimit = 1_000
  /// The number of log rows that each app, and the daemon, keep.
  package static let logLimit = 1_000
  /// The greatest length of a text in the log, characters.
  package static let textLimit = 2_000
}
