// SPDX-License-Identifier: Apache-2.0

import LocationModel

// The use of a link, compressed, so that its times can be recomputed with other durations.
//
// Transfers that follow each other without a pause are a burst; a gap lies behind each:
//
//      promotion ─ data ─ data ──── gap: tails, idle ────▶ promotion? ─ data …
//
// Which tails a gap holds, and which promotion ends it, follows from its length. Gaps are counted by quarter octaves,
// apart by the promotion of the burst in front of them. Other durations may promote a burst otherwise. How often each
// promotion turns into another is counted over all gaps, with the promotions of the pass before; the first pass takes
// them as metered. If promotions alternate (one makes the next gap too short for another), so do passes, and two are
// averaged. A longer set-up shortens the gap behind it. Only the difference that other durations make is computed thus:
// what was metered is exact.

/// The use of one link.
struct LinkUsage: Sendable, Equatable {
  /// A gap, with the promotion of the burst in front of it: as long as if there had been none.
  struct Gap: Sendable, Equatable {
    /// Microseconds.
    let span: Int64
    /// The row of the promotion; 0 for none.
    let promotion: Int
    let transfers: Double
  }

  /// By row of the shape's states.
  var seconds = [Double](repeating: 0, count: LinkShape.mostStates)
  /// Carried by a rate, up and down.
  var megabits = SIMD2<Double>.zero
  var kilobytes = 0.0
  /// Transfers.
  var count = 0.0
  /// Bursts with no other in front of them.
  var starts = 0.0
  private(set) var gaps = SpanTally()

  /// Adds a gap; the last one ends with the metering.
  mutating func add(gap: Gap, isLast: Bool) {
    gaps.add(
      span: gap.span, kind: gap.promotion << 1 | (isLast ? 1 : 0), events: gap.transfers)
  }

  mutating func walkSums(_ walk: inout SumWalk) {
    for row in seconds.indices { walk.quantity(&seconds[row], .energy) }
    walk.quantity(&megabits.x, .energy)
    walk.quantity(&megabits.y, .energy)
    walk.quantity(&kilobytes, .energy)
    walk.quantity(&count, .energy)
    walk.quantity(&starts, .energy)
    gaps.walkSums(&walk, kinds: LinkShape.mostStates << 1)
  }
}

/// The durations of a link's states, as slots of sets of numbers.
struct LinkDurations: Sendable, Equatable {
  private struct Tail: Sendable, Equatable {
    let row: Int
    /// 0 for none.
    let promotion: Int
  }

  /// By row; of the data that of the set-up.
  private let slots: [Int]
  private let promotion: Int
  private let active: Int
  private let tails: [Tail]

  init(
    _ shape: LinkShape, component: String, _ numbers: ProfileNumbers, _ list: inout ParameterList
  ) {
    let row = shape.rows
    promotion = row(shape.promotion)
    active = row(shape.active)
    tails = shape.tails.map { Tail(row: row($0.state), promotion: row($0.promotion)) }
    slots = shape.states.map {
      list.slot(numbers, component, $0, $0 == shape.active ? "setup" : "duration")
    }
  }

  /// The use with the durations of one set of numbers, that was metered with those of another. Idle stays as it was.
  func adapted(_ link: LinkUsage, from metered: NumberSet, to numbers: NumberSet) -> LinkUsage {
    guard link.count > 0 else { return link }
    var link = link
    let (old, new) = (slots.map { metered[$0] }, slots.map { numbers[$0] })
    let same = slots.indices.flatMap { row in slots.indices.map { $0 == row ? 1.0 : 0 } }
    let before = times(link, old, old, same)
    let first = times(link, new, old, same)
    var after = first.seconds
    if first.promotions != same {
      let second = times(link, new, old, first.promotions)
      let third = times(link, new, old, second.promotions)
      after = zip(second.seconds, third.seconds).map { ($0 + $1) / 2 }
    }
    for row in slots.indices.dropFirst() {
      link.seconds[row] = max(0, link.seconds[row] + after[row] - before.seconds[row])
    }
    return link
  }

  /// Seconds by row, of the data only those of their set-up; and the share of each metered promotion that is each one
  /// now, row by row, where such shares stand in `promotions` for the bursts in front.
  private func times(
    _ link: LinkUsage, _ durations: [Double], _ metered: [Double], _ promotions: [Double]
  ) -> (seconds: [Double], promotions: [Double]) {
    let rows = durations.count
    var seconds = durations.map { _ in 0.0 }
    seconds[active] = link.count * durations[active]
    seconds[promotion] += link.starts * durations[promotion]
    var turned = promotions.map { _ in 0.0 }
    let longer = durations[active] - metered[active]
    for bin in link.gaps.bins {
      let (front, isLast) = (bin.kind >> 1, bin.kind & 1 == 1)
      let gap = (bin.sum - longer * bin.events) / bin.count
      let ended = ending(bin.sum / bin.count - metered[front], metered)
      for burst in 0..<rows where promotions[front * rows + burst] > 0 {
        let count = bin.count * promotions[front * rows + burst]
        var left = gap - durations[burst]
        if !isLast {
          let ends = ending(left, durations)
          seconds[ends] += durations[ends] * count
          turned[ended * rows + ends] += count
        }
        for tail in tails where left > 0 {
          seconds[tail.row] += min(left, durations[tail.row]) * count
          left -= durations[tail.row]
        }
      }
    }
    for row in 0..<rows {
      let places = row * rows..<(row + 1) * rows
      let sum = turned[places].reduce(0, +)
      for place in places { turned[place] = sum > 0 ? turned[place] / sum : promotions[place] }
    }
    return (seconds, turned)
  }

  /// The row of the promotion that ends a gap of so many seconds; 0 for none.
  private func ending(_ gap: Double, _ durations: [Double]) -> Int {
    guard gap >= 0 else { return 0 }
    var left = gap
    for tail in tails {
      if left < durations[tail.row] { return tail.promotion }
      left -= durations[tail.row]
    }
    return promotion
  }
}
