// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `LOG`: what happened to an app, oldest first.
package struct LogDocument: ControlDocument {
  package static let documentClass = DocumentClass.log

  package struct Entry: Sendable, Equatable {
    /// UTC of the host.
    package var at: UTCInstant
    /// `delivered`, `transition`, `launched`, `ended`, `held`, `gap`, …
    package var kind: String
    package var text: String

    package init(at: UTCInstant, kind: String, text: String) {
      self.at = at
      self.kind = kind
      self.text = text
    }
  }

  package var app: String
  package var entries: [Entry]

  package init(app: String, entries: [Entry]) {
    self.app = app
    self.entries = entries
  }

  package func writeMembers(into json: inout JSONWriter) {
    json.member("app", app)
    json.objects("entries", entries) { entry, json in
      json.member("at", entry.at.rfc3339)
      json.member("kind", entry.kind)
      json.member("text", entry.text)
    }
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    app = try object.string("app")
    entries = try object.list("entries") { (entry) throws(ProtocolError) in
      Entry(
        at: try entry.instant("at"), kind: try entry.string("kind"), text: try entry.string("text"))
    }
  }
}
