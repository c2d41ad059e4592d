// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel

/// A part of the history: the events from `from` to before `to`, the newest `count` of them.
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
