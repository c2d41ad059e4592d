// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel

/// A part of the history: what happened from `from` to before `to`, the newest `count` entries of it.
package struct HistoryRange: Sendable, Equatable, Codable {
  package var from: UTCInstant
  package var to: UTCInstant
  package var count: Int

  package init(from: UTCInstant, to: UTCInstant, count: Int) {
    self.from = from
    self.to = to
    self.count = count
  }

  package func contains(_ entry: HistoryDocument.Entry) -> Bool {
    from <= entry.at && entry.at < to
  }

  /// The answer: the newest `count` of `entries`, which are in order and may be one more than it has room for.
  package func document(of entries: [HistoryDocument.Entry]) -> HistoryDocument {
    HistoryDocument(entries: entries.suffix(count), isCut: entries.count > count)
  }
}

extension StoreChange {
  /// Entries of the history that are kept; the oldest go [ours]: at 60 bytes each, 3 MB.
  package static let historyLimit = 50_000
  /// Seconds for which an entry of the history is kept [ours].
  package static let historySeconds = 7 * 86_400.0
  /// Entries that say what time it is [ours]: one is too old where each of the newest so many is more than
  /// `historySeconds` later. A clock that is wrong by years for a few minutes takes nothing along.
  package static let historyWitnesses = 100

  /// Entries older than this are too old, where `newest` are the times of the newest entries, of which the last
  /// `historyWitnesses` count; `nil` where there is none.
  package static func historyBegins(beside newest: some BidirectionalCollection<UTCInstant>)
    -> UTCInstant?
  {
    newest.suffix(historyWitnesses).min()?.advanced(bySeconds: -historySeconds)
  }

  /// Entries of the history that wait for a commit at most; the oldest go.
  package static let waitingHistoryLimit = 2_000
}
