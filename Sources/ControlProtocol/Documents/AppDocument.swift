// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// How an app runs; the raw values stand in JSON.
package enum AppKind: String, Sendable, CaseIterable {
  /// A command that is run once for each event.
  case handler
  /// A process that holds a connection.
  case connected
}

/// One line about an app, as `STATUS` and `APPS` list it.
package struct AppRow: Sendable, Equatable {
  package var name: String
  package var kind: AppKind
  package var state: AppState
  /// The services that are on for it, in the order of `Service`.
  package var services: [Service]
  package var authorization: Authorization
  /// Deliveries that are not acknowledged.
  package var pending: Int
  /// When the last delivery was decided, UTC of the host.
  package var lastDelivery: UTCInstant?
  /// Why it is held after too many crashes; `nil` where it is not.
  package var held: String?
  /// Deliveries that were given up.
  package var givenUp: Int
  /// Why its program cannot be run, or its handler fails; `nil` where neither is known.
  package var trouble: String?

  package init(
    name: String, kind: AppKind, state: AppState, services: [Service],
    authorization: Authorization, pending: Int, lastDelivery: UTCInstant?, held: String?,
    givenUp: Int = 0, trouble: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.state = state
    self.services = services
    self.authorization = authorization
    self.pending = pending
    self.lastDelivery = lastDelivery
    self.held = held
    self.givenUp = givenUp
    self.trouble = trouble
  }

  init(_ object: ObjectReader) throws(ProtocolError) {
    name = try object.string("name")
    kind = try object.word("kind", AppKind.allCases)
    state = try object.word("state", AppState.states)
    services = try object.services("services")
    authorization = try object.word("authorization", Authorization.levels)
    pending = try object.smallCount("pending")
    lastDelivery = try object.optionalInstant("last_delivery")
    held = try object.optionalString("held")
    givenUp = try object.smallCount("given_up")
    trouble = try object.optionalString("trouble")
  }

  func write(into json: inout JSONWriter) {
    json.member("name", name)
    json.member("kind", kind.rawValue)
    json.member("state", state.rawValue)
    json.strings("services", services.map(\.rawValue))
    json.member("authorization", authorization.rawValue)
    json.member("pending", pending)
    json.member("last_delivery", lastDelivery?.rfc3339)
    json.member("held", held)
    json.member("given_up", givenUp)
    json.member("trouble", trouble)
  }
}

extension ObjectReader {
  func services(_ key: String) throws(ProtocolError) -> [Service] {
    var services: [Service] = []
    for word in try strings(key) {
      guard let service = Service(rawValue: word) else {
        throw ProtocolError(
          "\(name): \(key) holds \"\(Quoted.text(word))\", not one of "
            + Service.allCases.map(\.rawValue).joined(separator: ", "))
      }
      services.append(service)
    }
    return services
  }
}

/// `APPS`: all registered apps, by name.
package struct AppsDocument: ControlDocument {
  package static let documentClass = DocumentClass.apps

  package var apps: [AppRow]

  package init(apps: [AppRow]) { self.apps = apps }

  package func writeMembers(into json: inout JSONWriter) {
    json.objects("apps", apps) { $0.write(into: &$1) }
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    apps = try object.list("apps", AppRow.init)
  }
}

/// `APP`: everything about one app.
package struct AppDocument: ControlDocument {
  package static let documentClass = DocumentClass.app

  /// The last delivery.
  package struct LastDelivery: Sendable, Equatable {
    package var sequence: UInt64
    package var service: Service
    /// When it was decided, UTC of the host.
    package var received: UTCInstant
    package var fix: Fix

    package init(sequence: UInt64, service: Service, received: UTCInstant, fix: Fix) {
      self.sequence = sequence
      self.service = service
      self.received = received
      self.fix = fix
    }
  }

  package var row: AppRow
  /// The program and its arguments, and where it runs.
  package var command: [String]
  package var directory: String
  /// The process; `nil` where there is none.
  package var pid: Int32?
  /// Whether the process is frozen now, as the freezer says.
  package var isFrozen: Bool
  package var isConnected: Bool
  /// Whether `location` is among the declared background modes.
  package var declaresLocationMode: Bool
  /// What it asked its user for and has not got.
  package var requestedAuthorization: Authorization?
  /// The numbers of the last delivery and of the last acknowledged one; 0 before the first.
  package var lastSequence: UInt64
  package var acknowledged: UInt64
  /// Crashes that count now towards its being held.
  package var crashes: Int
  package var lastDelivery: LastDelivery?
  /// Why nothing is delivered now, in plain words; `nil` where the next fix would be.
  package var silence: String?

  package init(
    row: AppRow, command: [String], directory: String, pid: Int32?, isFrozen: Bool,
    isConnected: Bool, declaresLocationMode: Bool, requestedAuthorization: Authorization?,
    lastSequence: UInt64, acknowledged: UInt64, crashes: Int, lastDelivery: LastDelivery?,
    silence: String?
  ) {
    self.row = row
    self.command = command
    self.directory = directory
    self.pid = pid
    self.isFrozen = isFrozen
    self.isConnected = isConnected
    self.declaresLocationMode = declaresLocationMode
    self.requestedAuthorization = requestedAuthorization
    self.lastSequence = lastSequence
    self.acknowledged = acknowledged
    self.crashes = crashes
    self.lastDelivery = lastDelivery
    self.silence = silence
  }

  package func writeMembers(into json: inout JSONWriter) {
    row.write(into: &json)
    json.strings("command", command)
    json.member("directory", directory)
    json.member("pid", pid.map(Int.init))
    json.member("frozen", isFrozen)
    json.member("connected", isConnected)
    json.member("declares_location_mode", declaresLocationMode)
    json.member("requested_authorization", requestedAuthorization?.rawValue)
    json.count("last_sequence", lastSequence)
    json.count("acknowledged", acknowledged)
    json.member("crashes", crashes)
    json.key("last")
    if let lastDelivery {
      json.object { json in
        json.count("sequence", lastDelivery.sequence)
        json.member("service", lastDelivery.service.rawValue)
        json.member("received", lastDelivery.received.rfc3339)
        json.key("fix")
        FixObject.write(lastDelivery.fix, into: &json)
      }
    } else {
      json.null()
    }
    json.member("silence", silence)
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    row = try AppRow(object)
    command = try object.strings("command")
    directory = try object.string("directory")
    pid = object.optional("pid") == nil ? nil : try object.processID("pid")
    isFrozen = try object.bool("frozen")
    isConnected = try object.bool("connected")
    declaresLocationMode = try object.bool("declares_location_mode")
    requestedAuthorization = try object.optionalWord(
      "requested_authorization", Authorization.levels)
    lastSequence = try object.count("last_sequence")
    acknowledged = try object.count("acknowledged")
    crashes = try object.smallCount("crashes")
    if let last = try object.optionalObject("last") {
      lastDelivery = LastDelivery(
        sequence: try last.count("sequence"), service: try last.word("service", Service.allCases),
        received: try last.instant("received"), fix: try FixObject.read(try last.object("fix")))
    }
    silence = try object.optionalString("silence")
  }
}
