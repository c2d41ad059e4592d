// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `LOG`: the events of an app, oldest first.
package struct LogDocument: ControlDocument {
  package static let documentClass = DocumentClass.log

  package struct Entry: JSONObject, Equatable {
    /// UTC of the host, to the microsecond; no two entries of a service, whatever their apps, have the same: in this
    /// order things happened.
    package var at: UTCInstant
    /// `delivered`, `transition`, `launched`, `ended`, `held`, `gap`, …
    package var kind: String
    package var text: String

    package init(at: UTCInstant, kind: String, text: String) {
      self.at = at
      self.kind = kind
      self.text = text
    }

    package static let empty = Self(at: .epoch, kind: "", text: "")
    package static let table = JSONTable<Self> { entry in
      entry.field("at", \.at, .exactTime)
      entry.field("kind", \.kind)
      entry.field("text", \.text)
    }
  }

  package var app: String
  package var entries: [Entry]

  package init(app: String, entries: [Entry]) {
    self.app = app
    self.entries = entries
  }

  package static let empty = Self(app: "", entries: [])
  package static let table = JSONTable<Self> { log in
    log.field("app", \.app)
    log.field("entries", \.entries)
  }
}
