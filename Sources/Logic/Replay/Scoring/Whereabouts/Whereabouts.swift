// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// An app knows its device's place from the last delivered position. At each instant that has an error; and the app knows
// of each event of the truth (`TruthEvents`) from the first delivery after it that is right, that is, within `right` of
// the true place. Before the first delivery the place of the launch counts as known: the user was holding the device. An
// app that is told in words of an arrival or departure (a visit, a region) knows it from then on, whatever the position
// in that delivery. `AwaitedEvents` has the outcomes.
//
// - *Taken*: with uploads the server learns what was taken before. It knows of a departure only by what was taken after
//   it, however near the place was.
// - *Known before*: an arrival is known at once by a position from before it that was right ever since the app was told
//   of it, and was taken after the latest departure. Who looks more often so is never worse for it. One that arrives only
//   behind the arrival tells it then, if it is right.
// - An app that is told of the entry into a place before the device counts as arrived there has been told of the arrival,
//   if the position that it knew was right and it has heard of no exit since.
// - *Hidden*: where nobody could know the place (`LostSky`) no error counts, and the clock of events stands still.
// - *Behind a gap, or hidden seconds,* no error counts at first (`Resumption`).
//
// A place beyond a frame's reach needs a geodesic, which is dear. From one second to the next the distance changes by no
// more than the way made: as long as the histogram could not tell the difference, the last geodesic stays (`Far`).
//
// Events are the truth's alone, so each mode has the same number of them.

/// The quality of an app's knowledge of its device's place.
package struct Whereabouts: Sendable, Equatable {
  /// Metres within which a delivered position is right [ours: the distance of a significant change].
  package static let right = 500.0
  /// Metres within which the known area is right [ours].
  package static let area = 1_000.0

  /// Metres from the known position to the true one, by the metres of way on which it was that far off; what was hidden is
  /// left out.
  package private(set) var offBy = WeightedHistogram()
  /// Seconds that were not hidden.
  package private(set) var seconds = 0.0
  /// Seconds, and metres travelled in them, in which it was off by the blind distance or more, hidden ones included.
  package var blindSeconds: Double { astray.blindSeconds }
  package var blindMetres: Double { astray.blindMetres }
  /// Of these seconds, those in which it was off by more than `area`.
  package var wrongAreaSeconds: Double { astray.wrongAreaSeconds }
  package var arrivals: EventTally { arriving.tally }
  package var departures: EventTally { departing.tally }
  /// Crossings of the borders of the trip's places.
  package var borders: EventTally { border.tally }

  private var border: BorderKnowledge
  private var arriving: AwaitedEvents
  private var departing: AwaitedEvents
  /// The instant of the words that it came to a place, on the clock of events; `nil` if it was told that it left since.
  private var toldToBeThere: EngineInstant?
  /// The instant of the latest possible departure, and of the latest real one, on the clock of events.
  private var maybeLeft = EngineInstant.zero
  private var left: EngineInstant?
  private var astray: Astray
  private var hiddenSeconds = 0.0
  private var here: Here?
  private var known: Known?
  /// Behind a gap, and behind hidden seconds.
  private var resumption = Resumption()
  private var reappearance = Resumption()

  private struct Here: Sendable, Equatable {
    var place: LocalFrame
    var at: EngineInstant
  }

  private struct Known: Sendable, Equatable {
    let place: Coordinate
    /// On the clock of events; `nil` for the place of the launch.
    let taken: EngineInstant?
    /// Whether it was right ever since.
    var isRightStill: Bool
  }

  /// How far the true place is from the known one, and the time and way of those distances that matter.
  private struct Astray: Sendable, Equatable {
    let blindDistance: Double
    /// The last geodesic to the known place; `nil` if the latest place was within the frame's reach.
    var far: Far?
    var blindSeconds = 0.0
    var blindMetres = 0.0
    var wrongAreaSeconds = 0.0

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
      guard let far, far.off - far.way > max(blindDistance, Whereabouts.area),
        WeightedHistogram.holdAsOne(far.off - far.way, far.off + far.way, below: greatest)
      else { return nil }
      return far.off
    }

    static func += (a: inout Self, b: Self) {
      a.blindSeconds += b.blindSeconds
      a.blindMetres += b.blindMetres
      a.wrongAreaSeconds += b.wrongAreaSeconds
    }
  }

  /// A distance, and the most metres made since then.
  private struct Far: Sendable, Equatable {
    let off: Double
    var way = 0.0

    /// Adds a way whose length is right to a hundredth, and a millimetre for the rounding of coordinates.
    mutating func addWay(_ travelled: Double) { way += 1.01 * travelled + 0.001 }
  }

  /// `places` are those whose borders are judged.
  package init(
    blindDistance: Double, places: [MonitoredRegion] = [], rules: ScoringRules = ScoringRules()
  ) {
    astray = Astray(blindDistance: blindDistance)
    border = BorderKnowledge(places, rules: rules)
    arriving = AwaitedEvents(rules: rules, .alike)
    departing = AwaitedEvents(rules: rules, .alike)
  }

  /// An instant on the clock of events, which stands still while the place is hidden.
  func clock(_ now: EngineInstant) -> EngineInstant {
    hiddenSeconds > 0 ? now.advanced(bySeconds: -hiddenSeconds) : now
  }

  // MARK: The app

  /// Takes a delivery of a position; `accuracy`, metres, is `nil` if it states none. It is of `taken`, on the clock of
  /// events; `nil` is now.
  @inline(__always)
  package mutating func learned(
    _ position: Coordinate, accuracy: Double? = nil, at now: EngineInstant,
    of taken: EngineInstant? = nil
  ) {
    let time = clock(now)
    let taken = taken ?? time
    border.learned(position, accuracy: accuracy, at: time, of: taken)
    known = Known(place: position, taken: taken, isRightStill: true)
    astray.far = nil
    resumption.learned()
    reappearance.learned()
    guard arriving.isAwaited || departing.isAwaited, isRight else { return }
    _ = arriving.told(at: time, of: knowsToBeHere ? time : taken)
    _ = departing.told(at: time, of: taken)
  }

  /// Notes that the app was told in words of an arrival at a place, or a departure from one. They are of `taken`, on the
  /// clock of events; `nil` is now.
  package mutating func heard(
    _ news: PlaceNews, at now: EngineInstant, of taken: EngineInstant? = nil
  ) {
    let time = clock(now)
    let taken = taken ?? time
    switch news {
    case .came, .crossed(_, isEntry: true):
      toldToBeThere = taken
      _ = arriving.told(at: time, of: knowsToBeHere ? time : taken)
    case .left, .crossed(_, isEntry: false):
      _ = departing.told(at: time, of: taken)
      toldToBeThere = nil
    }
    if case .crossed(let name, let isEntry) = news {
      border.heard(name, isEntry: isEntry, at: time, of: taken)
    }
  }

  /// The latest point's instant on the clock of events, which stands still where nobody could know the place.
  var eventClock: EngineInstant? { here.map { clock($0.at) } }

  /// The first judged arrivals and departures, by that clock.
  var stayOutcomes: (arrivals: [AwaitedEvents.Outcome], departures: [AwaitedEvents.Outcome]) {
    (arriving.outcomes, departing.outcomes)
  }

  /// Whether the known position is right for the device's place.
  private var isRight: Bool {
    guard let here, let known else { return false }
    return here.place.distance(to: known.place) <= Self.right
  }

  /// Whether the app knows that it is here: by a position or words of after the latest departure. Next door to a place what
  /// it knew there says nothing.
  private var knowsToBeHere: Bool {
    guard isRight else { return false }
    let departed = departing.mayHappen ? maybeLeft : left
    func isOfHere(_ taken: EngineInstant) -> Bool { departed.map { taken > $0 } ?? true }
    if let toldToBeThere, isOfHere(toldToBeThere) { return true }
    guard let known, let taken = known.taken, known.isRightStill else { return false }
    return isOfHere(taken)
  }

  // MARK: The truth

  /// Advances the truth to a place, `travelled` metres in `elapsed` seconds, which count as they were on the way. Within
  /// a segment the way is no shorter than the distance. `isHidden` if nobody could know the place.
  ///
  /// The place comes as a frame, shared by all who follow the same truth.
  @inline(__always)
  package mutating func pass(
    to place: LocalFrame, at now: EngineInstant, elapsed: Double, travelled: Double,
    isHidden: Bool = false
  ) {
    here = Here(place: place, at: now)
    guard let known else {
      self.known = Known(place: place.origin, taken: nil, isRightStill: false)
      border.learned(place.origin, accuracy: nil, at: now, of: now)
      return
    }
    if resumption.isOn(at: now) { return losePatience(at: now) }
    let off = astray.distance(
      from: place, to: known.place, after: travelled, greatest: offBy.greatest)
    if off > Self.right, known.isRightStill { self.known?.isRightStill = false }
    if off >= astray.blindDistance {
      astray.blindSeconds += elapsed
      astray.blindMetres += travelled
    }
    if isHidden {
      hiddenSeconds += elapsed
      reappearance.endSegment()
    } else if !reappearance.isOn(at: now) {
      seconds += elapsed
      offBy.include(off, for: travelled)
      if off > Self.area { astray.wrongAreaSeconds += elapsed }
    }
    losePatience(at: now)
  }

  /// Takes an event of the truth at the latest point.
  package mutating func note(_ event: TruthEvent) {
    guard let here else { return }
    let now = clock(here.at)
    switch event {
    case .border(let event, let region): border.note(event, of: region, at: now)
    case .mayArrive:
      arriving.mayHappen(at: now)
      if knowsToBeHere { _ = arriving.told(at: now) }
    case .arrived: arriving.happened()
    case .mayDepart:
      departing.mayHappen(at: now)
      maybeLeft = now
    case .cameBack:
      _ = arriving.didNotHappen()
      _ = departing.didNotHappen()
    case .departed:
      arriving.miss()
      departing.happened()
      left = maybeLeft
    }
  }

  /// Ends the segment: the position is unknown from the latest point on; its last events have been told.
  package mutating func endSegment() {
    guard let end = here.map({ clock($0.at) }) else { return }
    astray.far = nil
    resumption.endSegment()
    known?.isRightStill = false
    arriving.endSegment(at: end)
    departing.endSegment(at: end)
    border.endSegment(at: end)
  }

  @inline(__always)
  private mutating func losePatience(at now: EngineInstant) {
    border.losePatience(at: clock(now))
    if arriving.isAwaited { arriving.losePatience(at: clock(now)) }
    if departing.isAwaited { departing.losePatience(at: clock(now)) }
  }

  /// Adds the score of the same mode over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.offBy += b.offBy
    a.seconds += b.seconds
    a.astray += b.astray
    a.arriving += b.arriving
    a.departing += b.departing
    a.border += b.border
  }
}

extension Whereabouts {
  /// Its sums; the state along the truth is not among them.
  package mutating func walkSums(_ walk: inout SumWalk) {
    offBy.walkSums(&walk)
    walk.quantity(&seconds)
    walk.quantity(&astray.blindSeconds)
    walk.quantity(&astray.blindMetres)
    walk.quantity(&astray.wrongAreaSeconds)
    var (came, left, crossed) = (arrivals, departures, borders)
    came.walkSums(&walk)
    left.walkSums(&walk)
    crossed.walkSums(&walk)
    arriving = AwaitedEvents(came, .alike)
    departing = AwaitedEvents(left, .alike)
    border = BorderKnowledge(crossed)
  }
}
