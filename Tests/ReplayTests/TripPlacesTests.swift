// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

@testable import Replay

/// Legs of (seconds, metres per second east) from `Drawn.origin`; a place is some metres east of it.
@Suite("The places of a trip")
struct TripPlacesTests {
  private func places(_ events: [TraceEvent]) -> [MonitoredRegion] {
    var places = TripPlaces(Drawn.summary(events), isRecorded: true)
    places.feed(events)
    return places.finishTrace()
  }

  private func metresEast(_ region: MonitoredRegion) -> Double {
    LocalFrame(origin: Drawn.origin).east(of: region.centre)
  }

  @Test("One region of 150 m around each place at which the device stays for five minutes")
  func stays() {
    // Home for 10 min, a halt of 2 min on the way, work at 9,000 m for an hour, and home again.
    let found = places(
      Drawn.trace([(600, 0), (300, 15), (120, 0), (300, 15), (3_600, 0), (600, -15), (600, 0)]))
    #expect(found.map(\.identifier) == ["place 1", "place 2"])
    #expect(found.allSatisfy { $0.radius == 150 && $0.notifiesOnEntry && $0.notifiesOnExit })
    #expect(abs(metresEast(found[0])) < 1 && abs(metresEast(found[1]) - 9_000) < 1)
  }

  @Test("A trace without a stay has the place where it begins and that where it ends")
  func ends() {
    let ride = places(Drawn.trace([(900, 15)]))
    #expect(ride.count == 2)
    #expect(abs(metresEast(ride[0])) < 1 && abs(metresEast(ride[1]) - 13_500) < 1)
    // There and back it is one place.
    #expect(places(Drawn.trace([(300, 15), (300, -15)])).count == 1)
  }

  @Test(
    "Of more places than an app may monitor those with the longest stays remain, in their order")
  func most() {
    // 22 stays, 3 km apart; the second and the fifth are the shortest.
    let legs = (0..<22).flatMap { number -> [(seconds: Double, speed: Double)] in
      [(number == 1 || number == 4 ? 400 : 900, 0), (200, 15)]
    }
    let found = places(Drawn.trace(legs))
    #expect(found.count == MonitoredRegion.limit)
    let expected = (0..<22).filter { $0 != 1 && $0 != 4 }.map { Double($0) * 3_000 }
    for (region, metres) in zip(found, expected) { #expect(abs(metresEast(region) - metres) < 1) }
  }

  @Test("A recorder that is off during a stay does not make two places of it")
  func gap() {
    var events = Drawn.trace([(600, 0), (300, 15), (400, 0)])
    // Two hours later it goes on from the same place.
    events += (0...300).map { Drawn.fix(at: 8_500 + Double($0), east: 4_500 - 15 * Double($0)) }
    #expect(places(events).count == 2)
  }
}
