// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Scoring
import Testing

@testable import Reports

/// Reckoned by hand from the definitions in `Purpose`.
@Suite("Purposes")
struct PurposeTests {
  /// What an app knew that was told of so many crossings in time, after 60 s, and of others after 700 s; it stood
  /// a hundred metres from what it knew.
  private func known(inTime: Int, late: Int = 0) -> Whereabouts {
    var known = Whereabouts(blindDistance: 500)
    let place = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let near = Coordinate(clampingLatitude: 48.0009, wrappingLongitude: 11)
    var at = 0.0
    for index in 0..<(inTime + late) {
      let delay = index < inTime ? 60.0 : 700
      let begin = EngineInstant.zero.advanced(bySeconds: at)
      known.pass(to: LocalFrame(origin: place), at: begin, elapsed: 1, travelled: 0)
      known.note(.crossed)
      at += delay
      known.learned(near, age: 0, at: EngineInstant.zero.advanced(bySeconds: at))
      at += 1
    }
    return known
  }

  @Test(
    "One in twenty may come later than the limit; a trace without stays is judged by its crossings")
  func limit() {
    #expect(Purpose.arrival.fit(known(inTime: 100)).willDo)
    #expect(Purpose.arrival.fit(known(inTime: 97, late: 3)).willDo)
    #expect(!Purpose.arrival.fit(known(inTime: 90, late: 10)).willDo)
    #expect(Purpose.geofence.fit(known(inTime: 100)).willDo)
    #expect(!Purpose.geofence.fit(known(inTime: 0, late: 100)).willDo)
  }

  @Test(
    "So few late ones are beyond chance only among many events, unless all came in half the time")
  func certainty() {
    // All within 60 s, half of the 120 s of a geofence and less than half of the 600 s of an arrival.
    #expect(Purpose.geofence.hasEvents(known(inTime: 1)))
    #expect(Purpose.arrival.hasEvents(known(inTime: 1)))
    #expect(!Purpose.arrival.hasEvents(known(inTime: 0)))
    // One of n late: 0.05 n − 1 − 0.5 > 1.645 √(0.0475 n) from n = 97 on: 3.35 > 3.53 fails there, and
    // 107: 3.85 > 3.71 holds.
    #expect(!Purpose.arrival.hasEvents(known(inTime: 96, late: 1)))
    #expect(Purpose.arrival.hasEvents(known(inTime: 106, late: 1)))
    // Two of four late: 2 − 0.2 − 0.5 = 1.3 > 0.717.
    #expect(Purpose.arrival.hasEvents(known(inTime: 2, late: 2)))
    // One of four: 1 − 0.2 − 0.5 = 0.3 is less.
    #expect(!Purpose.arrival.hasEvents(known(inTime: 3, late: 1)))
  }

  @Test("The way itself allows 100 m in 95 % of the time and never 500 m")
  func track() {
    func fit(_ metres: [(Double, Double)]) -> Bool {
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
      return Purpose.track.fit(known).willDo
    }
    #expect(fit([(90, 100)]))
    #expect(fit([(90, 96), (490, 4)]))
    #expect(!fit([(90, 94), (490, 6)]))
    #expect(!fit([(10, 1_000), (510, 1)]))
  }

  @Test("Lost for up to one twentieth of the time still knows where it was lately")
  func recent() {
    func fit(lost: Int) -> Bool {
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
      return Purpose.recent.fit(known).willDo
    }
    // 47 of 947 are 4.96 %, 48 of 948 are 5.06 %.
    #expect(fit(lost: 47))
    #expect(!fit(lost: 48))
  }
}
