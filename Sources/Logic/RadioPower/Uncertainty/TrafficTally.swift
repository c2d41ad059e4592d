// SPDX-License-Identifier: Apache-2.0

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
struct TrafficTally: Sendable, Equatable, Codable {
  struct Cell: Sendable, Equatable, Codable {
    let key: Key
    var count = 0.0
    /// Seconds, all together; without meaning in the cell of the first transfer.
    var before = 0.0
    var after = 0.0
    /// Seconds of data, without set-up.
    var data = 0.0
  }

  struct Key: Sendable, Equatable, Comparable, Codable {
    /// Quarter octaves; `first` without a transfer before.
    let before: UInt8
    let after: UInt8
    /// Whether the metering ended behind it, so that it can be cut short.
    let isLast: Bool

    static let first: UInt8 = 255

    private var order: Int { Int(before) << 9 | Int(after) << 1 | (isLast ? 1 : 0) }

    static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    var coarse: Key {
      Key(
        before: before == Self.first ? before : before & ~3, after: after & ~3, isLast: isLast)
    }
  }

  /// What one transfer carries.
  struct Load: Sendable, Equatable, Codable {
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

  /// Pending transfers belong to a metering that goes on, and are neither written nor read.
  private enum CodingKeys: String, CodingKey { case cells, count, load, span }

  /// Whether the decoded value is valid.
  var isWhole: Bool {
    cells.count <= 2 * Self.cellLimit && cells.allSatisfy { $0.count >= 1 }
      && zip(cells, cells.dropFirst()).allSatisfy { $0.key < $1.key }
  }

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

  /// Adds the transfers of another trace. Both have ended.
  static func += (a: inout Self, b: Self) {
    a.count += b.count
    a.load += b.load
    a.span += b.span
    for cell in b.cells { a.add(cell: cell) }
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
