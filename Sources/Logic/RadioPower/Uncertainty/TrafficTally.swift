// SPDX-License-Identifier: Apache-2.0

import LocationModel

// The traffic of a link, compressed, so that its energy can be recomputed with other numbers.
//
// A transfer's cost depends on its load, on the time since the one before (which promotion?) and on the
// time to the one after (how much of the tails?):
//
//      ──┬──── before ────┬──── after ────┬──▶
//     previous          this            next, or the end
//
// So transfers are counted in cells by the quarter octaves of both, with the exact sums of each cell.
// If the gaps are regular, or longer than promotion and tails together, the cells yield the link's own
// metering. Otherwise it is off in two ways, both small:
// - a cell in which a tail ends uses the mean of its gaps (they differ by a quarter at most);
// - the transfer before is assumed to be as long as this one, and to come like this one. Data that wait
// for others are counted, but do not delay later ones; all together they do not take longer than from
// the first request to the end.
//
// Bounded: beyond 4,096 cells only octaves are distinguished, of which there are fewer than 4,096.

/// The transfers of one link.
struct TrafficTally: Sendable, Equatable {
  struct Cell: Sendable, Equatable {
    let key: Key
    var count = 0.0
    /// Seconds, all together; without meaning in the cell of the first transfer.
    var before = 0.0
    var after = 0.0
    /// Seconds of data, without set-up.
    var data = 0.0
  }

  struct Key: Sendable, Equatable, Comparable {
    /// Quarter octaves; `first` without a transfer before.
    let before: UInt8
    let after: UInt8
    /// Whether the metering ended behind it, so that it can be cut short.
    let isLast: Bool

    static let first: UInt8 = 255

    fileprivate var order: Int { Int(before) << 9 | Int(after) << 1 | (isLast ? 1 : 0) }
    fileprivate static let orders = 1 << 17

    init(before: UInt8, after: UInt8, isLast: Bool) {
      (self.before, self.after, self.isLast) = (before, after, isLast)
    }

    fileprivate init(order: Int) {
      before = UInt8(order >> 9 & 255)
      after = UInt8(order >> 1 & 255)
      isLast = order & 1 == 1
    }

    static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    var coarse: Key {
      Key(
        before: before == Self.first ? before : before & ~3, after: after & ~3, isLast: isLast)
    }
  }

  /// What one transfer carries.
  struct Load: Sendable, Equatable {
    var seconds = 0.0
    var megabitsUp = 0.0
    var megabitsDown = 0.0
    var kilobytes = 0.0

    static func += (a: inout Self, b: Self) {
      a.seconds += b.seconds
      a.megabitsUp += b.megabitsUp
      a.megabitsDown += b.megabitsDown
      a.kilobytes += b.kilobytes
    }
  }

  private struct Pending: Sendable, Equatable {
    let at: Int64
    /// Microseconds since the one before.
    let before: Int64?
    let load: Load
  }

  static let cellLimit = 4096

  /// In the order of their keys.
  private(set) var cells: [Cell] = []
  private(set) var count = 0.0
  private(set) var load = Load()
  /// Seconds from the first request to the end.
  private(set) var span = 0.0
  private var pending: Pending?

  /// Requests a transfer at `now` (meter time, microseconds).
  mutating func add(at now: Int64, _ load: Load) {
    let before = pending.map { now - $0.at }
    close(at: now, isLast: false)
    count += 1
    self.load += load
    pending = Pending(at: now, before: before, load: load)
  }

  /// Ends the metering at `now`; more may be added only to a copy that did not end.
  func ended(at now: Int64) -> TrafficTally {
    var tally = self
    tally.close(at: now, isLast: true)
    tally.pending = nil
    return tally
  }

  /// Sums tell cells apart by octaves only, so that they stay few.
  mutating func walkSums(_ walk: inout SumWalk) {
    walk.quantity(&count, .energy)
    walk.quantity(&span, .energy)
    walk.quantity(&load.seconds, .energy)
    walk.quantity(&load.megabitsUp, .energy)
    walk.quantity(&load.megabitsDown, .energy)
    walk.quantity(&load.kilobytes, .energy)
    var sums: [Int: [Double]] = [:]
    for cell in cells {
      let values = [cell.count, cell.before, cell.after, cell.data]
      sums[cell.key.coarse.order] =
        sums[cell.key.coarse.order].map { zip($0, values).map(+) }
        ?? values
    }
    var rows = sums.map { SumWalk.Row(key: $0.key, values: $0.value) }.sorted { $0.key < $1.key }
    walk.rows(&rows, counts: 1, width: 4, limit: Key.orders, .energy)
    cells = rows.filter { $0.values[0] > 0 }.map {
      Cell(
        key: Key(order: $0.key), count: $0.values[0], before: $0.values[1], after: $0.values[2],
        data: $0.values[3])
    }
  }

  private mutating func close(at now: Int64, isLast: Bool) {
    guard let pending else { return }
    let after = now - pending.at
    span += Double(after) * 1e-6
    add(
      cell: Cell(
        key: Key(
          before: pending.before.map(SpanTally.key) ?? Key.first, after: SpanTally.key(of: after),
          isLast: isLast),
        count: 1, before: Double(pending.before ?? 0) * 1e-6, after: Double(after) * 1e-6,
        data: pending.load.seconds))
  }

  private mutating func add(cell: Cell) {
    if let place = place(of: cell.key) {
      merge(cell, at: place)
    } else if cells.count < Self.cellLimit {
      insert(cell, key: cell.key)
    } else if let place = place(of: cell.key.coarse) {
      merge(cell, at: place)
    } else {
      insert(cell, key: cell.key.coarse)
    }
  }

  private mutating func merge(_ cell: Cell, at place: Int) {
    cells[place].count += cell.count
    cells[place].before += cell.before
    cells[place].after += cell.after
    cells[place].data += cell.data
  }

  private mutating func insert(_ cell: Cell, key: Key) {
    cells.insert(
      Cell(
        key: key, count: cell.count, before: cell.before, after: cell.after, data: cell.data),
      at: lowerBound(key))
  }

  private func place(of key: Key) -> Int? {
    let place = lowerBound(key)
    return place < cells.count && cells[place].key == key ? place : nil
  }

  private func lowerBound(_ key: Key) -> Int {
    var range = 0..<cells.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range =
        cells[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
