// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText

/// `FORGOTTEN`: the deleted data, or the data that would be deleted.
package struct ForgottenDocument: ControlDocument {
  package static let documentClass = DocumentClass.forgotten

  package struct App: JSONObject, Equatable {
    package var app: String
    /// Events that waited, and given-up events.
    package var pending: Int
    package var givenUp: Int
    /// Events that a handler or a sink is processing now: deleted, and not tried again.
    package var inHand: Int

    package static let empty = Self(app: "", pending: 0, givenUp: 0, inHand: 0)
    package static let table = JSONTable<Self> { row in
      row.field("app", \.app)
      row.field("pending", \.pending)
      row.field("given_up", \.givenUp)
      row.field("in_hand", \.inHand)
    }
  }

  /// Whether nothing was deleted, and this lists what would be.
  package var isTrial: Bool
  /// The apps with deleted events, or with events in hand, by name.
  package var apps: [App]
  /// Whether the lines of logs before the given time go too; those hold no positions.
  package var logs: Bool

  package static let empty = Self(isTrial: false, apps: [], logs: false)
  package static let table = JSONTable<Self> { document in
    document.field("trial", \.isTrial)
    document.field("apps", \.apps)
    document.field("logs", \.logs)
  }
}
