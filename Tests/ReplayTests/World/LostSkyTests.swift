// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("Where nobody could know the place")
struct LostSkyTests {
  /// Whether the place is hidden after each second of a device that makes `metres` in it, with sky or without.
  private func hidden(_ steps: [(metres: Double, hasSky: Bool)]) -> [Bool] {
    var sky = LostSky()
    var east = 0.0
    return steps.enumerated().map { second, step in
      east += step.metres
      let place = LocalFrame(
        origin: Coordinate(clampingLatitude: 0, wrappingLongitude: east / 111_319.49))
      sky.pass(
        TruthSample(
          at: EngineInstant.zero.advanced(bySeconds: Double(second)),
          time: UTCInstant(microseconds: 0), place: place, speed: step.metres,
          elapsed: second == 0 ? 0 : 1, travelled: step.metres, hasSky: step.hasSky, isTick: true,
          path: Fix(time: nil, coordinate: place.origin)),
        hasSky: step.hasSky)
      return sky.isHidden
    }
  }

  @Test("A device without sky is hidden from 100 m on, and until it sees the sky")
  func tunnel() {
    let steps =
      [(0.0, true), (20, true)] + Array(repeating: (20.0, false), count: 8) + [(20, true)]
    // The first second without sky is the place from which it counts: the sixth is 100 m on.
    #expect(
      hidden(steps.map { (metres: $0.0, hasSky: $0.1) })
        == Array(repeating: false, count: 7) + [true, true, true, false])
  }

  @Test("One that lies still without sky, as in a house, is where it was")
  func house() {
    let steps =
      [(metres: 0.0, hasSky: true)] + Array(repeating: (metres: 0.0, hasSky: false), count: 60)
    #expect(!hidden(steps).contains(true))
  }
}
