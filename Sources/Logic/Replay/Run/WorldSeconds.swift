// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

/// Consecutive seconds of the world, with what the runs in it share.
struct WorldSeconds: Sendable {
  private(set) var samples: [WorldSample] = []
  /// The number of samples before that of a segment's end, which is no whole second.
  private(set) var ticks = 0
  /// The samples with events of the truth, by number.
  private var eventful: [(number: Int, events: [TruthEvent])] = []
  /// The numbers of samples at which a sensor may have news: movement, or another cell than a second ago.
  private(set) var newsworthy: [Int] = []
  /// The numbers of samples at which the device begins to move, or to lie still.
  private var turns: [Int] = []
  /// The cell of the latest sample.
  private var cell: CellID?
  /// The fixes of a receiver that always tracks.
  private var fixes = TrackedFixes()
  /// The number of fixes before each second.
  private var fixesBefore: [Int] = []

  mutating func append(_ sample: WorldSample, _ events: [TruthEvent]) {
    let number = samples.count
    if sample.truth.isTick { ticks = number + 1 }
    if !events.isEmpty { eventful.append((number, events)) }
    if sample.felt > 0 || sample.cell != cell { newsworthy.append(number) }
    if let latest = samples.last?.truth.moves, sample.truth.moves != latest { turns.append(number) }
    cell = sample.cell
    fixesBefore.append(fixes.elements.count)
    if !sample.losesFix, let fix = sample.fix { fixes.append(fix: fix, at: sample.truth.at) }
    samples.append(sample)
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    ticks = 0
    eventful.removeAll(keepingCapacity: true)
    newsworthy.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    cell = nil
    fixes.removeAll()
    fixesBefore.removeAll(keepingCapacity: true)
  }

  /// The first sample after `number` at which the device begins to move, or to lie still; the end if there is none.
  func nextTurn(after number: Int) -> Int { turns.first { $0 > number } ?? samples.count }

  /// The fixes of the seconds from `first` on, one each, up to `end` or a second without one.
  func fixes(from first: Int, to end: Int) -> ArraySlice<TrackedFixes.Element> {
    var count = 0
    while first + count < end, samples[first + count].hasReport { count += 1 }
    return fixes.elements[fixesBefore[first]..<fixesBefore[first] + count]
  }

  /// Whether there are any events of the truth: seldom.
  @inline(__always)
  var isEventful: Bool { !eventful.isEmpty }

  /// The events of the truth at a second.
  func events(at number: Int) -> [TruthEvent] {
    eventful.first { $0.number == number }?.events ?? []
  }

  /// The end of the whole seconds from `first` on that come before an instant; `nil` is never.
  func end(before instant: EngineInstant?, from first: Int) -> Int {
    guard let instant, ticks > first, samples[ticks - 1].truth.at >= instant else {
      return max(ticks, first)
    }
    var end = first
    while samples[end].truth.at < instant { end += 1 }
    return end
  }
}
