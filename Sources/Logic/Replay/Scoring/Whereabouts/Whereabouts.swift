// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// An app knows its device's place from the last delivered position. At each instant that has an age and an error; and
// the app knows of each event of the truth (`TruthEvents`) from the first delivery after it that is right, that is,
// within `right` of the true place. Before the first delivery the place of the launch counts as known: the user was
// holding the device. An app that is told in words of an arrival or departure (a visit, a region) knows it from then
// on, whatever the position in that delivery.
//
// - *Told*: the delay is from the event to that delivery, so an earlier delivery does not count.
// - *Missed*: no such delivery within `patience`; or for an arrival, before the device departed; or the segment ended
//   at least `margin` after the event without one.
// - *Open*: the segment ended before `margin` was over. It is an event, and neither told nor missed.
// - *Behind a gap* neither age nor error counts at first (`Resumption`).
//
// A place beyond a frame's reach needs a geodesic, which is dear. From one second to the next the distance changes by no
// more than the way made: as long as the histogram could not tell the difference, the last geodesic stays (`Far`).
//
// An app that is told of the entry into a place before the device counts as arrived there has been told of the arrival, if
// the position that it knew was right and it has heard of no exit since.
//
// Events are the truth's alone, so each mode has the same number of them. An arrival shows only after a while:
// deliveries since it might be one are remembered (`Watch`).

/// The quality of an app's knowledge of its device's place.
package struct Whereabouts: Sendable, Equatable {
  /// Metres within which a delivered position is right [ours: the distance of a significant change].
  package static let right = 500.0
  /// The error, metres, and the age, seconds, beyond which an app does not know its recent place [ours].
  package static let lost = (metres: 1_000.0, seconds: 900.0)

  /// Seconds since the position that the app knows was measured, by time.
  package private(set) var age = TimeHistogram()
  /// Metres from that position to the true one, by time.
  package private(set) var offBy = TimeHistogram()
  /// Seconds, and metres travelled in them, in which it was off by the blind distance or more.
  package var blindSeconds: Double { astray.blindSeconds }
  package var blindMetres: Double { astray.blindMetres }
  /// Seconds without knowledge of the recent place (`lost`).
  package var lostSeconds: Double { astray.lostSeconds }
  package private(set) var arrivals = EventTally()
  package private(set) var departures = EventTally()
  package private(set) var crossings = EventTally()
  /// Crossings of the borders of the trip's places.
  package var borders: EventTally { border.tally }
  /// Seconds from the start to the latest delivery; `nil` without one.
  package private(set) var lastDelivery: Double?

  private let rules: ScoringRules
  private var border: BorderKnowledge
  /// Whether it was told that it came to a place, and not that it left since.
  private var isToldToBeThere = false
  private var astray: Astray
  private var start: EngineInstant?
  private var here: Here?
  private var known: Known?
  private var resumption = Resumption()
  private var arrival: Watch?
  private var departure: Watch?
  /// Departures and crossings not told yet, in order.
  private var left: [EngineInstant] = []
  private var open: [EngineInstant] = []

  private struct Here: Sendable, Equatable {
    var place: LocalFrame
    var at: EngineInstant
  }

  private struct Known: Sendable, Equatable {
    var place: Coordinate
    var measured: EngineInstant
  }

  /// The age of a position, seconds, half way of a step that ends now.
  static func age(
    of measured: EngineInstant, at now: EngineInstant, after elapsed: Double
  ) -> Double {
    max(0, EngineInstant.seconds(from: measured, to: now) - elapsed / 2)
  }

  /// How far the true place is from the known one, and the time and way of those distances that matter.
  private struct Astray: Sendable, Equatable {
    let blindDistance: Double
    /// The last geodesic to the known place; `nil` if the latest place was within the frame's reach.
    var far: Far?
    var blindSeconds = 0.0
    var blindMetres = 0.0
    var lostSeconds = 0.0

    /// Metres from the true place to the known one; beyond the frame's reach those of a moment ago, if nothing can tell:
    /// neither a limit nor the histogram, whose greatest value is `greatest`.
    @inline(__always)
    mutating func distance(
      from place: LocalFrame, to known: Coordinate, after travelled: Double, greatest: Double?
    ) -> Double {
      if far != nil, let off = farDistance(after: travelled, greatest) { return off }
      let off = place.distance(to: known)
      far = off > LocalFrame.reach ? Far(off: off) : nil
      return off
    }

    private mutating func farDistance(after travelled: Double, _ greatest: Double?) -> Double? {
      far?.addWay(travelled)
      guard let far, far.off - far.way > max(blindDistance, Whereabouts.lost.metres),
        TimeHistogram.holdAsOne(far.off - far.way, far.off + far.way, below: greatest)
      else { return nil }
      return far.off
    }

    /// Counts a step on which the known place was that far off, and that old.
    @inline(__always)
    mutating func count(
      _ off: Double, age: @autoclosure () -> Double, elapsed: Double, travelled: Double
    ) {
      if off >= blindDistance {
        blindSeconds += elapsed
        blindMetres += travelled
      }
      if off > Whereabouts.lost.metres, age() > Whereabouts.lost.seconds { lostSeconds += elapsed }
    }

    static func += (a: inout Self, b: Self) {
      a.blindSeconds += b.blindSeconds
      a.blindMetres += b.blindMetres
      a.lostSeconds += b.lostSeconds
    }
  }

  /// A distance, and the most metres made since then.
  private struct Far: Sendable, Equatable {
    let off: Double
    var way = 0.0

    /// Adds a way whose length is right to a hundredth, and a millimetre for the rounding of coordinates.
    mutating func addWay(_ travelled: Double) { way += 1.01 * travelled + 0.001 }
  }

  private struct Watch: Sendable, Equatable {
    let at: EngineInstant
    var isReal = false
    var told: EngineInstant?

    mutating func tell(at now: EngineInstant) { told = told ?? now }
  }

  /// `places` are those whose borders are judged.
  package init(
    blindDistance: Double, places: [MonitoredRegion] = [], rules: ScoringRules = ScoringRules()
  ) {
    astray = Astray(blindDistance: blindDistance)
    border = BorderKnowledge(places, rules: rules)
    self.rules = rules
  }

  /// Takes a delivery of a position measured `age` seconds ago; `accuracy`, metres, is `nil` if it states none.
  @inline(__always)
  package mutating func learned(
    _ position: Coordinate, accuracy: Double? = nil, age: Double, at now: EngineInstant
  ) {
    border.learned(position, accuracy: accuracy, at: now)
    known = Known(place: position, measured: age > 0 ? now.advanced(bySeconds: -age) : now)
    astray.far = nil
    resumption.learned()
    if let start { lastDelivery = EngineInstant.seconds(from: start, to: now) }
    guard awaitsTelling, isRight else { return }
    crossings.told(open, at: now)
    open.removeAll(keepingCapacity: true)
    departures.told(left, at: now)
    left.removeAll(keepingCapacity: true)
    arrival?.tell(at: now)
    departure?.tell(at: now)
    settleArrival()
  }

  /// Notes that the app was told in words of an arrival at a place, or a departure from one.
  package mutating func heard(_ news: PlaceNews, at now: EngineInstant) {
    switch news {
    case .came, .crossed(_, isEntry: true): cameToPlace(at: now)
    case .left, .crossed(_, isEntry: false): leftPlace(at: now)
    }
    if case .crossed(let name, let isEntry) = news {
      border.heard(name, isEntry: isEntry, at: now)
    }
    settleArrival()
  }

  private mutating func cameToPlace(at now: EngineInstant) {
    arrival?.tell(at: now)
    isToldToBeThere = true
  }

  private mutating func leftPlace(at now: EngineInstant) {
    isToldToBeThere = false
    departures.told(left, at: now)
    left.removeAll(keepingCapacity: true)
    departure?.tell(at: now)
  }

  /// Whether there is an event that a delivery may tell.
  private var awaitsTelling: Bool {
    arrival != nil || departure != nil || !open.isEmpty || !left.isEmpty
  }

  /// Whether the known position is right for the device's place.
  private var isRight: Bool {
    guard let here, let known else { return false }
    return here.place.distance(to: known.place) <= Self.right
  }

  /// Advances the truth to a place, `travelled` metres in `elapsed` seconds, which count as they were on the way. Within
  /// a segment the way is no shorter than the distance.
  ///
  /// The place comes as a frame, shared by all who follow the same truth.
  @inline(__always)
  package mutating func pass(
    to place: LocalFrame, at now: EngineInstant, elapsed: Double, travelled: Double
  ) {
    here = Here(place: place, at: now)
    if start == nil { start = now }
    guard let known else {
      known = Known(place: place.origin, measured: now)
      border.learned(place.origin, accuracy: nil, at: now)
      return
    }
    if resumption.isOn(at: now) { return losePatience(at: now) }
    let off = astray.distance(
      from: place, to: known.place, after: travelled, greatest: offBy.greatest)
    let old = Self.age(of: known.measured, at: now, after: elapsed)
    offBy.include(off, for: elapsed)
    age.include(old, for: elapsed)
    astray.count(off, age: old, elapsed: elapsed, travelled: travelled)
    losePatience(at: now)
  }

  /// Takes an event of the truth at the latest point.
  package mutating func note(_ event: TruthEvent) {
    guard let now = here?.at else { return }
    switch event {
    case .crossed:
      crossings.happened()
      open.append(now)
    case .mayArrive:
      if arrival?.isReal != true {
        arrival = Watch(at: now)
        if isToldToBeThere, isRight { arrival?.tell(at: now) }
      }
    case .border(let event, let region): border.note(event, of: region, at: now)
    case .arrived:
      arrivals.happened()
      arrival?.isReal = true
    case .mayDepart: departure = Watch(at: now)
    case .cameBack: departure = nil
    case .departed:
      departures.happened()
      if let told = departure?.told {
        departures.told([departure?.at ?? told], at: told)
      } else if let departure {
        left.append(departure.at)
      }
      departure = nil
      if arrival?.isReal == true {
        arrivals.miss()
        arrival = nil
      }
    }
    settleArrival()
  }

  /// Ends the segment: the position is unknown from the latest point on; its last events have been told.
  package mutating func endSegment() {
    guard let end = here?.at else { return }
    astray.far = nil
    resumption.endSegment()
    func isLate(_ at: EngineInstant) -> Bool {
      rules.misses(at, bySegmentEnd: end)
    }
    for at in open where isLate(at) { crossings.miss() }
    for at in left where isLate(at) { departures.miss() }
    if let arrival, arrival.isReal, isLate(arrival.at) { arrivals.miss() }
    border.endSegment(at: end)
    (open, left, arrival, departure) = ([], [], nil, nil)
  }

  private mutating func settleArrival() {
    guard let watch = arrival, watch.isReal, let told = watch.told else { return }
    arrivals.told([watch.at], at: told)
    arrival = nil
  }

  private mutating func losePatience(at now: EngineInstant) {
    border.losePatience(at: now)
    guard arrival != nil || !left.isEmpty || !open.isEmpty else { return }
    func isOver(_ at: EngineInstant) -> Bool {
      rules.misses(at, by: now)
    }
    while let first = open.first, isOver(first) {
      open.removeFirst()
      crossings.miss()
    }
    while let first = left.first, isOver(first) {
      left.removeFirst()
      departures.miss()
    }
    if let watch = arrival, watch.isReal, isOver(watch.at) {
      arrivals.miss()
      arrival = nil
    }
  }

  /// Adds the score of the same mode over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.age += b.age
    a.offBy += b.offBy
    a.astray += b.astray
    a.arrivals += b.arrivals
    a.departures += b.departures
    a.crossings += b.crossings
    a.border += b.border
    a.lastDelivery = [a.lastDelivery, b.lastDelivery].compactMap(\.self).max()
  }
}

extension Whereabouts: Codable {
  /// The sums; its state along the truth is neither written nor read.
  private enum CodingKeys: String, CodingKey {
    case age, offBy, blindSeconds, blindMetres, lostSeconds, arrivals, departures, crossings
    case borders, lastDelivery
  }

  package init(from decoder: any Decoder) throws {
    self.init(blindDistance: .infinity)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    age = try values.decode(TimeHistogram.self, forKey: .age)
    offBy = try values.decode(TimeHistogram.self, forKey: .offBy)
    astray.blindSeconds = try values.decode(Double.self, forKey: .blindSeconds)
    astray.blindMetres = try values.decode(Double.self, forKey: .blindMetres)
    astray.lostSeconds = try values.decode(Double.self, forKey: .lostSeconds)
    arrivals = try values.decode(EventTally.self, forKey: .arrivals)
    departures = try values.decode(EventTally.self, forKey: .departures)
    crossings = try values.decode(EventTally.self, forKey: .crossings)
    border = BorderKnowledge(try values.decode(EventTally.self, forKey: .borders))
    lastDelivery = try values.decodeIfPresent(Double.self, forKey: .lastDelivery)
  }

  /// Whether a decoded value can be added up.
  package var isWhole: Bool {
    arrivals.isWhole && departures.isWhole && crossings.isWhole && borders.isWhole
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(age, forKey: .age)
    try values.encode(offBy, forKey: .offBy)
    try values.encode(blindSeconds, forKey: .blindSeconds)
    try values.encode(blindMetres, forKey: .blindMetres)
    try values.encode(lostSeconds, forKey: .lostSeconds)
    try values.encode(arrivals, forKey: .arrivals)
    try values.encode(departures, forKey: .departures)
    try values.encode(crossings, forKey: .crossings)
    try values.encode(borders, forKey: .borders)
    try values.encodeIfPresent(lastDelivery, forKey: .lastDelivery)
  }
}
