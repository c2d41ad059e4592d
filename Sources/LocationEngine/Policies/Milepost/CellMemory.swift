// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// A modem swings between the cells that overlap where the device lies. So a change of cell is news only
// where the cell is not one that was already camped on at the same place: each cell that was heard is
// kept with the place of the fix that followed. At rest between two cells each of them costs one look at
// most, and nothing after that; a cell that was never heard here is believed at once.
//
//   change to X ──X was camped on within `near` of the last fix──► no news
//        ├── X was heard since the last fix──► no news
//        └── else ──► news; X is kept with the place of the next fix
//
// Where a modem gives no names every change is news. The memory holds `limit` cells; the one that was not
// confirmed for longest makes room. It is not known which cell is camped on after a time without
// listening, until the next change.

/// The cells that were heard, and where the device was then.
struct CellMemory: Sendable, Equatable, Codable {
  /// Cells that are kept: more than overlap anywhere.
  static let limit = 16
  /// Metres within which two fixes are the same place for a cell [ours: shadows reach some 50 m].
  static let near = 150.0

  private struct Entry: Sendable, Equatable, Codable {
    var cell: CellHint
    var frame: LocalFrame
  }

  /// The least recently confirmed first.
  private var entries: [Entry] = []
  /// Named cells since the last fix, at most `limit`.
  private var fresh: [CellHint] = []

  /// The modem camps on `cell`, and the last fix was at `place`; answers whether that is news.
  mutating func isNews(_ cell: CellHint?, at place: LocalFrame?) -> Bool {
    guard let cell else { return true }
    if fresh.contains(cell) { return false }
    if fresh.count == Self.limit { fresh.removeFirst() }
    fresh.append(cell)
    guard let place else { return true }
    return !entries.contains {
      $0.cell == cell && $0.frame.distance(to: place.origin) <= Self.near
    }
  }

  /// A fix at `place` says where the cells were heard since the one at `last`.
  mutating func learn(at place: LocalFrame, last: LocalFrame?) {
    // On the way only the latest is still camped on; those before it may lie far behind.
    let hasStayed = last.map { $0.distance(to: place.origin) <= Self.near } ?? false
    for cell in hasStayed ? fresh[...] : fresh.suffix(1) {
      entries.removeAll {
        $0.cell == cell && $0.frame.distance(to: place.origin) <= Self.near
      }
      if entries.count == Self.limit { entries.removeFirst() }
      entries.append(Entry(cell: cell, frame: place))
    }
    fresh.removeAll(keepingCapacity: true)
  }
}
