// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// How much of the history is kept, and for how long.

extension StoreChange {
  /// The number of history entries kept; the oldest go [ours]: at 60 bytes each, 3 MB.
  package static let historyLimit = 50_000
  /// Seconds for which an entry of the history is kept [ours].
  package static let historySeconds = 7 * 86_400.0
  /// The number of newest entries that witness the time [ours]: an entry is too old if each of them is more than
  /// `historySeconds` later. A clock that is wrong by years for a few minutes deletes nothing.
  package static let historyWitnesses = 100

  /// The time before which entries are too old, given `newest`, the times of the newest entries, of which the last
  /// `historyWitnesses` count; `nil` if there is none.
  package static func historyBegins(beside newest: some BidirectionalCollection<UTCInstant>)
    -> UTCInstant?
  {
    newest.suffix(historyWitnesses).min()?.advanced(bySeconds: -historySeconds)
  }

  /// The greatest number of history entries waiting for a commit; the oldest go.
  package static let waitingHistoryLimit = 2_000
}
