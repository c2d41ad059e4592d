// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText
package import LocationModel

/// `EVENTS`: the given-up deliveries of an app, oldest first.
package struct EventsDocument: ControlDocument {
  package static let documentClass = DocumentClass.events

  package struct Event: JSONObject, Equatable {
    package var sequence: UInt64
    package var service: Service
    /// The times of its decision and of giving up, UTC of the host.
    package var received: UTCInstant
    package var givenUp: UTCInstant
    /// The number of attempts, and the reason why the last one failed.
    package var attempts: Int
    package var reason: String
    package var fix: Fix

    package static let empty = Self(
      sequence: 0, service: .standard, received: .epoch, givenUp: .epoch, attempts: 0, reason: "",
      fix: Fix.empty)
    package static let table = JSONTable<Self> { event in
      event.field("sequence", \.sequence)
      event.field("service", \.service)
      event.field("received", \.received)
      event.field("given_up", \.givenUp)
      event.field("attempts", \.attempts)
      event.field("reason", \.reason)
      event.field("fix", \.fix)
    }
  }

  package var app: String
  /// Waiting deliveries.
  package var pending: Int
  package var events: [Event]

  package static let empty = Self(app: "", pending: 0, events: [])
  package static let table = JSONTable<Self> { document in
    document.field("app", \.app)
    document.field("pending", \.pending)
    document.field("given_up", \.events)
  }
}
