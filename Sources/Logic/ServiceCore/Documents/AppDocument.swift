// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText
package import LocationModel
package import ServiceContract

/// One line about an app, as `STATUS` and `APPS` list it.
package struct AppRow: JSONObject, Equatable {
  package var name: String
  package var kind: AppManifest.Kind
  package var state: AppState
  /// The services that are on for it, in the order of `Service`.
  package var services: [Service]
  /// The number of regions that it monitors, and whether it monitors visits.
  package var regions: Int = 0
  package var visits: Bool = false
  package var authorization: Authorization
  /// The location accuracy granted to it.
  package var accuracy: LocationAccuracy = .full
  /// Unacknowledged deliveries.
  package var pending: Int
  /// The time of the last delivery's decision, UTC of the host.
  package var lastDelivery: UTCInstant?
  /// The reason why it is held after too many crashes; `nil` if it is not.
  package var held: String?
  /// Given-up deliveries.
  package var givenUp: Int = 0
  /// The reason why its program cannot be run, its handler fails or its sink takes nothing; `nil` if none is known.
  package var trouble: String?

  package static let empty = Self(
    name: "", kind: .connected, state: .notRunning, services: [], authorization: .notDetermined,
    pending: 0, lastDelivery: nil, held: nil)
  package static let table = JSONTable<Self> { row in
    row.field("name", \.name)
    row.field("kind", \.kind)
    row.field("state", \.state)
    row.field("services", \.services)
    row.option("regions", \.regions, Int.json) { $0.regions > 0 }
    row.option("visits", \.visits, Bool.json) { $0.visits }
    row.field("authorization", \.authorization)
    row.option("accuracy", \.accuracy, LocationAccuracy.json) { $0.accuracy != .full }
    row.field("pending", \.pending)
    row.field("last_delivery", \.lastDelivery)
    row.field("held", \.held)
    row.field("given_up", \.givenUp)
    row.field("trouble", \.trouble)
  }
}

/// `APPS`: all registered apps, by name.
package struct AppsDocument: ControlDocument {
  package static let documentClass = DocumentClass.apps

  package var apps: [AppRow]

  package static let empty = Self(apps: [])
  package static let table = JSONTable<Self> { $0.field("apps", \.apps) }
}

/// `APP`: everything about one app.
package struct AppDocument: ControlDocument {
  package static let documentClass = DocumentClass.app

  /// The last delivery.
  package struct LastDelivery: JSONObject, Equatable {
    package var sequence: UInt64
    package var service: Service
    /// The time of its decision, UTC of the host.
    package var received: UTCInstant
    package var fix: Fix

    package static let empty = Self(
      sequence: 0, service: .standard, received: .epoch, fix: Fix.empty)
    package static let table = JSONTable<Self> { last in
      last.field("sequence", \.sequence)
      last.field("service", \.service)
      last.field("received", \.received)
      last.field("fix", \.fix)
    }
  }

  package var row: AppRow
  /// The program and its arguments, and the working directory.
  package var command: [String]
  /// The sink for its deliveries, and its settings; `nil` if it has none.
  package var sink: String?
  package var directory: String
  /// The process; `nil` if there is none.
  package var pid: Int32?
  /// Whether the process is frozen now, according to the freezer.
  package var isFrozen: Bool
  package var isConnected: Bool
  /// The names of the background modes that it declares.
  package var modes: [String]
  /// The authorization that it requested and has not got.
  package var requestedAuthorization: Authorization?
  /// The numbers of the last delivery and of the last acknowledged one; 0 before the first.
  package var lastSequence: UInt64
  package var acknowledged: UInt64
  /// Crashes that count now towards being held.
  package var crashes: Int
  package var lastDelivery: LastDelivery?
  /// The reason why nothing is delivered now, in plain words; `nil` if the next fix would be.
  package var silence: String?

  /// Whether `location` is among the declared background modes.
  private var declaresLocationMode: Bool {
    get { modes.contains(Self.location) }
    set { if newValue, !modes.contains(Self.location) { modes.append(Self.location) } }
  }

  private static let location = BackgroundModes.location.words[0]

  package static let empty = Self(
    row: AppRow.empty, command: [], directory: "", pid: nil, isFrozen: false, isConnected: false,
    modes: [], requestedAuthorization: nil, lastSequence: 0, acknowledged: 0,
    crashes: 0, lastDelivery: nil, silence: nil)
  package static let table = JSONTable<Self> { app in
    app.include(\.row, AppRow.table)
    app.field("command", \.command)
    app.option("sink", \.sink, String.json)
    app.field("directory", \.directory)
    app.field("pid", \.pid)
    app.field("frozen", \.isFrozen)
    app.field("connected", \.isConnected)
    app.option("modes", \.modes, [String].json, where: { !$0.modes.isEmpty })
    app.field("declares_location_mode", \.declaresLocationMode)
    app.field("requested_authorization", \.requestedAuthorization)
    app.field("last_sequence", \.lastSequence)
    app.field("acknowledged", \.acknowledged)
    app.field("crashes", \.crashes)
    app.field("last", \.lastDelivery)
    app.field("silence", \.silence)
  }
}
