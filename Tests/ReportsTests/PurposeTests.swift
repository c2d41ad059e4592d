// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay
import Testing

@testable import Reports

/// Computed by hand from the definitions in `Purpose`.
@Suite("Purposes")
struct PurposeTests {
  private static let home = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
  private static let frame = LocalFrame(origin: home)

  private static func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  /// The whereabouts of an app that was told of these departures in time, after 60 s, late, after 700 s, or never.
  private func known(inTime: Int, late: Int = 0, missed: Int = 0) -> Whereabouts {
    var known = Whereabouts(blindDistance: 500)
    var now = 0.0
    for index in 0..<(inTime + late + missed) {
      let delay = index < inTime ? 60.0 : index < inTime + late ? 700 : 1_801
      known.pass(to: Self.frame, at: Self.at(now), elapsed: 1, travelled: 0)
      known.note(.mayDepart)
      known.note(.departed)
      now += delay
      if index < inTime + late {
        known.heard(.left, at: Self.at(now))
      } else {
        known.pass(to: Self.frame, at: Self.at(now), elapsed: delay, travelled: 0)
      }
      now += 400
    }
    return known
  }

  private func keeps(_ purpose: Purpose, _ known: Whereabouts) -> Bool {
    Tolerance.usual(purpose).holds(purpose.figure(known))
  }

  @Test(
    "One in twenty may come later than the tolerance; missed ones were known after half an hour")
  func tolerance() {
    #expect(Purpose.arrival.figure(known(inTime: 100)) == 60)
    #expect(Purpose.arrival.figure(known(inTime: 97, late: 3)) == 60)
    #expect(Purpose.arrival.figure(known(inTime: 90, late: 10)) == 700)
    #expect(Purpose.arrival.figure(known(inTime: 90, missed: 10)) == 1_800)
    #expect(keeps(.arrival, known(inTime: 97, late: 3)))
    #expect(!keeps(.arrival, known(inTime: 90, late: 10)))
  }

  @Test("A missed event is never half known: between it and a told one nothing is interpolated")
  func nothingBetween() {
    // The 95th percentile of four lies between the third and the fourth.
    #expect(Purpose.arrival.figure(known(inTime: 3, missed: 1)) == 1_800)
    #expect(Purpose.arrival.figure(known(inTime: 0)) == nil)
  }

  @Test("Of arrivals and departures the later kind counts")
  func kinds() {
    var both = known(inTime: 4)
    both.pass(to: Self.frame, at: Self.at(10_000), elapsed: 1, travelled: 0)
    both.note(.mayArrive)
    both.note(.arrived)
    both.heard(.came, at: Self.at(10_300))
    #expect(Purpose.arrival.figure(both) == 300)
    #expect(Purpose.arrival.tallies(both).map(\.judged) == [1, 4])
    #expect(Purpose.arrival.events(both).judged == 5)
  }

  /// The whereabouts of an app at a place whose border was crossed, and that was told of it after a time, or never.
  private func crossing(toldAfter delay: Double?) -> Whereabouts {
    var known = Whereabouts(
      blindDistance: 500, places: [MonitoredRegion("home", centre: Self.home, radius: 150)])
    known.pass(to: Self.frame, at: .zero, elapsed: 0, travelled: 0)
    known.note(.border(.mayCross(isEntry: false), of: 0))
    known.note(.border(.crossed(isEntry: false), of: 0))
    if let delay { known.heard(.crossed("home", isEntry: false), at: Self.at(delay)) }
    known.pass(to: Self.frame, at: Self.at(1_801), elapsed: 1_801, travelled: 0)
    return known
  }

  @Test("A fence is about the places of the trip, and five minutes are what a system promises")
  func fence() {
    #expect(keeps(.fence, crossing(toldAfter: 299)))
    #expect(!keeps(.fence, crossing(toldAfter: 301)))
    #expect(Purpose.fence.figure(crossing(toldAfter: nil)) == 1_800)
    #expect(Purpose.fence.figure(known(inTime: 0, missed: 5)) == nil)
  }

  /// An app at one place that knew others, each for a number of seconds and metres of way.
  private func off(_ metres: [(Double, Double)]) -> Whereabouts {
    var known = Whereabouts(blindDistance: 500)
    known.pass(to: Self.frame, at: .zero, elapsed: 0, travelled: 0)
    var now = 0.0
    for (off, seconds) in metres {
      known.learned(Self.frame.point(east: off, north: 0), at: Self.at(now))
      now += seconds
      known.pass(to: Self.frame, at: Self.at(now), elapsed: seconds, travelled: seconds)
    }
    return known
  }

  @Test("The way itself allows 100 m in 95 % of its metres")
  func track() {
    #expect(keeps(.track, off([(90, 100)])))
    #expect(keeps(.track, off([(90, 96), (490, 4)])))
    #expect(!keeps(.track, off([(90, 94), (490, 6)])))
    #expect(Purpose.track.figure(Whereabouts(blindDistance: 500)) == nil)
  }

  @Test("The area is right where the known place is within a kilometre, in 95 % of the time")
  func area() {
    #expect(keeps(.area, off([(990, 95), (1_010, 5)])))
    #expect(!keeps(.area, off([(990, 94), (1_010, 6)])))
    #expect(Purpose.area.figure(off([(990, 75), (1_010, 25)])) == 0.25)
  }

  @Test(
    "Fewer than three judged events, or less than ten minutes, are too little for a sure answer")
  func thin() {
    #expect(Purpose.arrival.isThin(bySilence: known(inTime: 0, missed: 2)))
    #expect(!Purpose.arrival.isThin(bySilence: known(inTime: 0, missed: 3)))
    #expect(Purpose.track.isThin(bySilence: off([(800, 599)])))
    #expect(!Purpose.track.isThin(bySilence: off([(800, 600)])))
  }

  @Test(
    "A budget is read in every unit, over an hour and a battery of 54,000 J",
    arguments: [
      // One per cent is 540 J.
      ("1%", 540.0), ("0.5 %/h", 270), ("1 %/day", 22.5),
      ("2mWh", 7.2), ("20 mWh/day", 3), ("1.5 mW", 5.4),
    ])
  func budgets(text: String, joules: Double) throws {
    #expect(abs(try Budget(text).joules(over: 3_600, battery: 54_000) - joules) < 1e-9)
  }

  @Test(
    "Delays are read in every unit",
    arguments: [
      ("60 s", 60.0), ("2min", 120), ("0.5 h", 1_800),
    ])
  func delays(text: String, expected: Double) throws {
    #expect(try Amount.delay(text) == expected)
  }

  @Test(
    "What cannot be read says why",
    arguments: [
      "", "s", "0 s", "-1 s", "nan s", "1e99 s", "60", "60 m", "at most", "at most s", "late",
      "60 s a day", "at most 60 s", "5 min late",
    ])
  func unreadable(text: String) {
    #expect(throws: Complaint.self) { try Amount.delay(text) }
  }

  @Test("A tolerance is written with its unit, and says what is wrong with it")
  func written() throws {
    #expect(try Tolerance("10min", for: .arrival).most == 600)
    #expect(try Tolerance("1.5 km", for: .track).most == 1_500)
    #expect(abs(try Tolerance("90%", for: .area).most - 0.1) < 1e-12)
    #expect(Tolerance.usual(.area).words == "95 % of the time")
    #expect(Tolerance.usual(.fence).words == "within 5 min")
    for (text, purpose, words) in [
      ("10", Purpose.arrival, "'10' has no unit; write one of s, min, h behind the number"),
      ("10min", .track, "'min' is no unit of a distance; known: m, km"),
      ("120%", .area, "'120%' is more than all of the time, 100%"),
    ] {
      #expect {
        try Tolerance(text, for: purpose)
      } throws: {
        "\($0)" == words
      }
    }
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
