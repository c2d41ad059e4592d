// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `EVENTS`: the deliveries of an app that were given up, oldest first.
package struct EventsDocument: ControlDocument {
  package static let documentClass = DocumentClass.events

  package struct Event: Sendable, Equatable {
    package var sequence: UInt64
    package var service: Service
    /// When it was decided, and when it was given up, UTC of the host.
    package var received: UTCInstant
    package var givenUp: UTCInstant
    /// How often it was tried, and why the last attempt failed.
    package var attempts: Int
    package var reason: String
    package var fix: Fix

    package init(
      sequence: UInt64, service: Service, received: UTCInstant, givenUp: UTCInstant, attempts: Int,
      reason: String, fix: Fix
    ) {
      self.sequence = sequence
      self.service = service
      self.received = received
      self.givenUp = givenUp
      self.attempts = attempts
      self.reason = reason
      self.fix = fix
    }
  }

  package var app: String
  /// Deliveries that still wait.
  package var pending: Int
  package var events: [Event]

  package init(app: String, pending: Int, events: [Event]) {
    self.app = app
    self.pending = pending
    self.events = events
  }

  package func writeMembers(into json: inout JSONWriter) {
    json.member("app", app)
    json.member("pending", pending)
    json.objects("given_up", events) { event, json in
      json.count("sequence", event.sequence)
      json.member("service", event.service.rawValue)
      json.member("received", event.received.rfc3339)
      json.member("given_up", event.givenUp.rfc3339)
      json.member("attempts", event.attempts)
      json.member("reason", event.reason)
      json.key("fix")
      FixObject.write(event.fix, into: &json)
    }
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    app = try object.string("app")
    pending = try object.smallCount("pending")
    events = try object.list("given_up") { (event) throws(ProtocolError) -> Event in
      Event(
        sequence: try event.count("sequence"), service: try event.word("service", Service.allCases),
        received: try event.instant("received"), givenUp: try event.instant("given_up"),
        attempts: try event.smallCount("attempts"), reason: try event.string("reason"),
        fix: try FixObject.read(try event.object("fix")))
    }
  }
}
