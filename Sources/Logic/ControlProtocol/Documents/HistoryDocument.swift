// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import JSONText
package import LocationModel

/// `HISTORY`: the device's positions and the events of apps and receiver, oldest first, as far as the daemon keeps
/// them: at most 7 days and 50,000 entries.
package struct HistoryDocument: ControlDocument {
  package static let documentClass = DocumentClass.history
  /// The greatest number of entries in one answer.
  package static let limit: Int64 = 20_000

  /// Seconds between two positions above which the one between them was unknown [ours].
  package static let longestPause = 300.0

  /// One event.
  package struct Entry: JSONObject, Equatable, Codable {
    package enum Kind: String, Sendable, JSONWord, Codable {
      /// A position of the device: thinned, see the daemon's documentation.
      case position
      /// The receiver was switched on or off: `word` is `off`, `continuous` or `session`.
      case receiver
      /// An app changed its state: `word` is the new one.
      case state
      /// An app received a delivery: `word` is the service.
      case delivery
      /// The daemon did not watch from `since` to `at`.
      case unwatched
    }

    /// UTC of the host.
    package var at: UTCInstant
    package var kind: Kind
    /// The app concerned; `nil` if there is none.
    package var app: String?
    package var word: String?
    /// The event in words for people; `nil` if there is nothing to add.
    package var text: String?
    package var since: UTCInstant?
    /// Degrees, WGS-84.
    package var latitude: Double?
    package var longitude: Double?
    /// Metres, the 68 % radius; `nil` if the receiver gave none.
    package var accuracy: Double?
    /// Metres per second.
    package var speed: Double?

    package init(
      at: UTCInstant, kind: Kind, app: String? = nil, word: String? = nil, text: String? = nil,
      since: UTCInstant? = nil, place: Coordinate? = nil, accuracy: Double? = nil,
      speed: Double? = nil
    ) {
      self.at = at
      self.kind = kind
      self.app = app
      self.word = word
      self.text = text
      self.since = since
      latitude = place?.latitude
      longitude = place?.longitude
      self.accuracy = accuracy
      self.speed = speed
    }

    package static let empty = Self(at: .epoch, kind: .position)
    package static let table = JSONTable<Self> { entry in
      entry.field("at", \.at)
      entry.field("kind", \.kind)
      entry.option("app", \.app, String.json)
      entry.option("word", \.word, String.json)
      entry.option("text", \.text, String.json)
      entry.option("since", \.since, UTCInstant.json)
      entry.option("latitude", \.latitude, .number(in: -90...90, decimals: 7))
      entry.option("longitude", \.longitude, .number(in: -180...180, decimals: 7))
      entry.option("accuracy_m", \.accuracy, .number(in: 0...1e9, decimals: 1))
      entry.option("speed_mps", \.speed, .number(in: 0...1e9, decimals: 2))
    }
  }

  package var entries: [Entry]
  /// Whether there are older ones between the requested instants, for which the answer has no room.
  package var isCut: Bool

  package init(entries: [Entry], isCut: Bool = false) {
    self.entries = entries
    self.isCut = isCut
  }

  package static let empty = Self(entries: [])
  package static let table = JSONTable<Self> { history in
    history.field("entries", \.entries)
    history.field("cut", \.isCut)
  }
}
