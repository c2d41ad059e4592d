// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// After which time an app knows that a border of the places of a trip was crossed (`TrueBorder`): the same crossings for
// every mode. An app that monitors the region is told in words. Any other one looks at its positions: it knows of the
// crossing by the first one that lies beyond the border with the whole circle of its accuracy. One from before the
// crossing counts too, if it is the latest that the app knows and was taken after the crossing before: then it knew at
// once, or with uploads as soon as the position arrived. Words count from the crossing of which they tell.
//
// Only positions while a crossing is awaited are looked at: those are few.

/// What an app knows of the crossings of borders.
struct BorderKnowledge: Sendable, Equatable {
  private let regions: [MonitoredRegion]
  /// Entries and exits of each region in turn.
  private var events: [AwaitedEvents]
  /// The outcomes over other traces and in other worlds.
  private var others = EventTally()
  /// The indices of the events of which the app has not been told.
  private var untold: [Int] = []
  /// The latest crossing of each region, and the one before each event.
  private var crossed: [EngineInstant?]
  private var before: [EngineInstant?]
  private var known: Known?

  private struct Known: Sendable, Equatable {
    let place: Coordinate
    /// Metres; 0 if none was stated.
    let accuracy: Double
    let taken: EngineInstant
  }

  init(_ regions: [MonitoredRegion], rules: ScoringRules) {
    self.regions = regions
    events = Array(repeating: AwaitedEvents(rules: rules, .alike), count: 2 * regions.count)
    crossed = Array(repeating: nil, count: regions.count)
    before = Array(repeating: nil, count: 2 * regions.count)
  }

  init(_ tally: EventTally) {
    self.init([], rules: ScoringRules())
    others = tally
  }

  /// The outcomes of all crossings.
  var tally: EventTally { events.reduce(into: others) { $0 += $1.tally } }

  private static func index(_ region: Int, isEntry: Bool) -> Int { 2 * region + (isEntry ? 0 : 1) }

  /// Whether the latest position shows the device on the far side of an event's border.
  private func shows(_ index: Int) -> Bool {
    guard let known, before[index].map({ $0 <= known.taken }) ?? true else { return false }
    let beyond = regions[index / 2].beyond(known.place)
    return (index % 2 == 0 ? -beyond : beyond) > known.accuracy
  }

  /// The app learns a position of `taken`.
  @inline(__always)
  mutating func learned(
    _ place: Coordinate, accuracy: Double?, at now: EngineInstant, of taken: EngineInstant
  ) {
    if regions.isEmpty { return }
    known = Known(place: place, accuracy: accuracy ?? 0, taken: taken)
    if !untold.isEmpty { look(at: now) }
  }

  private mutating func look(at now: EngineInstant) {
    for index in untold where shows(index) { tellEvent(index, at: now, of: now) }
  }

  /// The app is told in words of `taken` that it crossed the border of the region of that name.
  mutating func heard(
    _ name: String, isEntry: Bool, at now: EngineInstant, of taken: EngineInstant
  ) {
    guard let region = regions.firstIndex(where: { $0.identifier == name }) else { return }
    tellEvent(Self.index(region, isEntry: isEntry), at: now, of: taken)
  }

  private mutating func tellEvent(_ index: Int, at now: EngineInstant, of taken: EngineInstant) {
    if events[index].told(at: now, of: taken) { untold.removeAll { $0 == index } }
  }

  /// Takes an event of the truth.
  mutating func note(_ event: BorderEvent, of region: Int, at now: EngineInstant) {
    losePatience(at: now)
    switch event {
    case .mayCross(let isEntry):
      let index = Self.index(region, isEntry: isEntry)
      events[index].mayHappen(at: now)
      before[index] = crossed[region]
      untold.removeAll { $0 == index }
      untold.append(index)
      if shows(index) { tellEvent(index, at: now, of: now) }
    case .cameBack(let isEntry):
      let index = Self.index(region, isEntry: isEntry)
      _ = events[index].didNotHappen()
      untold.removeAll { $0 == index }
    case .crossed(let isEntry):
      let opposite = Self.index(region, isEntry: !isEntry)
      events[opposite].miss()
      untold.removeAll { $0 == opposite }
      events[Self.index(region, isEntry: isEntry)].happened()
      crossed[region] = now
    }
  }

  /// Gives up events that nobody told for too long.
  @inline(__always)
  mutating func losePatience(at now: EngineInstant) {
    if !untold.isEmpty { giveUp(at: now) }
  }

  private mutating func giveUp(at now: EngineInstant) {
    for index in untold {
      events[index].losePatience(at: now)
      if !events[index].isAwaited { untold.removeAll { $0 == index } }
    }
  }

  /// Ends the segment: the position is unknown from now on.
  mutating func endSegment(at now: EngineInstant) {
    for index in events.indices { events[index].endSegment(at: now) }
    untold = []
  }

  static func += (a: inout Self, b: Self) { a.others += b.tally }
}
