// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

@testable import Reports

/// Computed by hand from the definitions in `Purpose`.
@Suite("Purposes")
struct PurposeTests {
  /// The whereabouts of an app with these numbers of crossings reported in time, after 60 s, late, after 700 s, and
  /// never; its knowledge was a hundred metres off.
  private func known(inTime: Int, late: Int = 0, missed: Int = 0) -> Whereabouts {
    var known = Whereabouts(blindDistance: 500)
    let place = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let near = Coordinate(clampingLatitude: 48.0009, wrappingLongitude: 11)
    var at = 0.0
    for index in 0..<(inTime + late + missed) {
      let delay = index < inTime ? 60.0 : index < inTime + late ? 700 : 1_801
      let begin = EngineInstant.zero.advanced(bySeconds: at)
      known.pass(to: LocalFrame(origin: place), at: begin, elapsed: 1, travelled: 0)
      known.note(.crossed)
      at += delay
      let end = EngineInstant.zero.advanced(bySeconds: at)
      if index < inTime + late {
        known.learned(near, age: 0, at: end)
      } else {
        known.pass(to: LocalFrame(origin: place), at: end, elapsed: delay, travelled: 0)
      }
      at += 1
    }
    return known
  }

  @Test(
    "One in twenty may come later than the limit; a trace without stays is judged by its crossings")
  func limit() {
    #expect(Purpose.arrival.verdict(on: known(inTime: 100)) == .kept(60))
    #expect(Purpose.arrival.verdict(on: known(inTime: 97, late: 3)) == .kept(60))
    #expect(Purpose.arrival.verdict(on: known(inTime: 90, late: 10)) == .broke(700))
  }

  @Test("A missed event counts with half an hour; without one that could be judged nothing is said")
  func missed() {
    #expect(Purpose.arrival.verdict(on: known(inTime: 90, missed: 10)) == .broke(1_800))
    #expect(Purpose.arrival.verdict(on: known(inTime: 0)) == .open)
    var unjudged = Whereabouts(blindDistance: 500)
    unjudged.pass(
      to: LocalFrame(origin: Coordinate(clampingLatitude: 0, wrappingLongitude: 0)), at: .zero,
      elapsed: 0, travelled: 0)
    unjudged.note(.crossed)
    unjudged.endSegment()
    #expect(Purpose.arrival.verdict(on: unjudged) == .open)
  }

  /// The whereabouts of an app at a place whose border was crossed, and that was told of it after a time, or never.
  private func crossing(toldAfter delay: Double?) -> Whereabouts {
    let centre = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    var known = Whereabouts(
      blindDistance: 500, places: [MonitoredRegion("home", centre: centre, radius: 150)])
    known.pass(to: LocalFrame(origin: centre), at: .zero, elapsed: 0, travelled: 0)
    known.note(.border(.mayCross(isEntry: false), of: 0))
    known.note(.border(.crossed(isEntry: false), of: 0))
    if let delay {
      let told = EngineInstant.zero.advanced(bySeconds: delay)
      known.heard(.crossed("home", isEntry: false), at: told)
    }
    let end = EngineInstant.zero.advanced(bySeconds: 1_801)
    known.pass(to: LocalFrame(origin: centre), at: end, elapsed: 1_801, travelled: 0)
    return known
  }

  @Test("A border is about the places of the trip, and not about the way between them")
  func border() {
    #expect(Purpose.geofence.verdict(on: crossing(toldAfter: 60)) == .kept(60))
    #expect(Purpose.geofence.verdict(on: crossing(toldAfter: 700)) == .broke(700))
    #expect(Purpose.geofence.verdict(on: crossing(toldAfter: nil)) == .broke(1_800))
    #expect(Purpose.geofence.verdict(on: known(inTime: 0, missed: 5)) == .open)
    #expect(Purpose.geofence.isTested(bySilence: crossing(toldAfter: nil)))
  }

  /// An app at one place that knew others, each for a number of seconds.
  private func off(_ metres: [(Double, Double)]) -> Whereabouts {
    var known = Whereabouts(blindDistance: 500)
    let frame = LocalFrame(origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
    known.pass(to: frame, at: .zero, elapsed: 0, travelled: 0)
    var at = 0.0
    for (off, seconds) in metres {
      known.learned(
        frame.point(east: off, north: 0), age: 0, at: EngineInstant.zero.advanced(bySeconds: at))
      at += seconds
      known.pass(
        to: frame, at: EngineInstant.zero.advanced(bySeconds: at), elapsed: seconds, travelled: 0)
    }
    return known
  }

  @Test("The way itself allows 100 m in 95 % of the time and never 500 m")
  func track() {
    #expect(Purpose.track.verdict(on: off([(90, 100)])).isKept)
    #expect(Purpose.track.verdict(on: off([(90, 96), (490, 4)])).isKept)
    #expect(!Purpose.track.verdict(on: off([(90, 94), (490, 6)])).isKept)
    #expect(!Purpose.track.verdict(on: off([(10, 1_000), (510, 1)])).isKept)
  }

  @Test("Where continuous updates lost the way too, a tenth more than theirs is allowed")
  func unknowable() {
    let best = off([(10, 90), (1_000, 10)])
    #expect(!Purpose.track.verdict(on: best).isKept)
    #expect(Purpose.track.verdict(on: best, best: best).isKept)
    #expect(Purpose.track.verdict(on: off([(10, 90), (1_050, 10)]), best: best).isKept)
    #expect(!Purpose.track.verdict(on: off([(10, 90), (1_300, 10)]), best: best).isKept)
    // A best one that knew the way allows nothing more.
    #expect(!Purpose.track.verdict(on: off([(120, 100)]), best: off([(10, 100)])).isKept)
  }

  @Test("Lost for up to one twentieth of the time still knows where it was lately")
  func recent() {
    func known(lost: Int) -> Whereabouts {
      var known = Whereabouts(blindDistance: 500)
      let far = LocalFrame(origin: Coordinate(clampingLatitude: 0.1, wrappingLongitude: 0))
      let home = Coordinate(clampingLatitude: 0, wrappingLongitude: 0)
      // 11 km from home: lost from 900 s on, of 900 + lost seconds.
      known.pass(to: LocalFrame(origin: home), at: .zero, elapsed: 0, travelled: 0)
      known.learned(home, age: 0, at: .zero)
      for second in 1...(900 + lost) {
        let now = EngineInstant.zero.advanced(bySeconds: Double(second))
        known.pass(to: far, at: now, elapsed: 1, travelled: 0)
      }
      return known
    }
    // 47 of 947 are 4.96 %, 48 of 948 are 5.06 %.
    #expect(Purpose.recent.verdict(on: known(lost: 47)).isKept)
    #expect(!Purpose.recent.verdict(on: known(lost: 48)).isKept)
  }

  @Test("A trace tests what an app breaks that hears nothing, and no more")
  func tested() {
    let bed = off([(40, 36_000)])
    #expect(Purpose.allCases.allSatisfy { !$0.isTested(bySilence: bed) })
    #expect(Purpose.track.isTested(bySilence: off([(800, 60)])))
    #expect(Purpose.arrival.isTested(bySilence: known(inTime: 0, missed: 1)))
    #expect(!Purpose.arrival.isTested(bySilence: known(inTime: 1)))
  }

  @Test("The middle of the worlds: more than half are no greater, and unknown is greater than any")
  func middle() {
    #expect([3, 1, 2].middle == 2)
    #expect([4, 1, 3, 2].middle == 3)
    #expect([1, nil, 2].middle == 2)
    #expect([1, nil].middle == nil)
    #expect([Double?]().middle == nil)
  }
}
