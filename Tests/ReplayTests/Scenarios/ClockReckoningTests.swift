// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import Testing

/// Instants of the clock are seconds behind 2026-11-24T00:00:00Z, those of the machine seconds since its start.
@Suite("A clock of another rate")
struct ClockReckoningTests {
  private static let midnight = UTCInstant(microseconds: 1_795_478_400_000_000)

  private var clock = ClockReckoning()

  private mutating func read(_ shown: Double, at machine: Double) {
    clock.takeReading(Self.midnight.advanced(bySeconds: shown), at: machine)
  }

  private func shown(at machine: Double) -> Double? {
    clock.shown(at: machine).map { UTCInstant.seconds(from: Self.midnight, to: $0) }
  }

  @Test("Two readings tell how fast it is; it is asked again after as long as it was watched")
  mutating func rate() {
    #expect(shown(at: 100) == nil)
    read(0, at: 100)
    #expect(shown(at: 100.1) == nil && !clock.isKnown)
    // 2.8 s in 0.2 s are 14 a second.
    read(2.8, at: 100.2)
    #expect(clock.isKnown && abs(clock.rate - 14) < 1e-9)
    // 2.8 + 14 × 0.1.
    #expect(abs((shown(at: 100.3) ?? 0) - 4.2) < 1e-5)
    #expect(shown(at: 100.41) == nil)
  }

  @Test(
    "A clock that is set ahead or back after a minute goes on at the rate it had",
    arguments: [3_600.0, -3_600])
  mutating func set(by step: Double) {
    for second in 0...60 { read(Double(second), at: 100 + Double(second)) }
    #expect(clock.rate == 1)
    // It was foretold to show 100.
    read(100 + step, at: 200)
    #expect(clock.rate == 1)
    #expect(shown(at: 200.1) == nil, "it is asked again soon")
    read(100.3 + step, at: 200.3)
    #expect(clock.rate == 1 && clock.isKnown)
    #expect(abs((shown(at: 200.4) ?? 0) - (100.4 + step)) < 1e-5)
  }

  @Test("So does one that is faster, in a time lapse")
  mutating func setLapse() {
    read(0, at: 100)
    read(140, at: 110)
    read(280 + 3_600, at: 120)
    #expect(clock.rate == 14)
    // Asked again 0.2 s later; until then by the rate that it had: 3,880 + 14 × 0.1.
    #expect(abs((shown(at: 120.1) ?? 0) - 3_881.4) < 1e-5)
    #expect(shown(at: 120.2) == nil)
  }

  @Test("A step between the first two readings is no rate")
  mutating func setAtOnce() {
    read(0, at: 100)
    read(3_600.5, at: 100.5)
    #expect(clock.rate == 1 && !clock.isKnown)
    read(3_601.5, at: 101.5)
    #expect(clock.rate == 1 && clock.isKnown)
  }
}
