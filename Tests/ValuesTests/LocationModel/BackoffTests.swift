// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("Waits double up to the longest")
struct BackoffTests {
  /// First and longest wait of each ladder in the program, and its rungs by hand: each twice the one before, then the longest.
  @Test(
    "The ladders, by hand",
    arguments: [
      // Crashes of an app, failures of a handler.
      (1, 60, [1, 2, 4, 8, 16, 32, 60, 60]),
      (1, 600, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]),
      // Sinks over a network, and those of this machine.
      (30, 1_800, [30, 60, 120, 240, 480, 960, 1_800, 1_800]),
      (1, 1_800, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_800, 1_800]),
      // gpsd, the modem, GeoClue.
      (2, 60, [2, 4, 8, 16, 32, 60, 60]),
      (1, 300, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
      (10, 600, [10, 20, 40, 80, 160, 320, 600, 600]),
      // A keeper that kills, in seconds.
      (0.01, 5, [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5, 5]),
    ] as [(Double, Double, [Double])])
  func ladders(first: Double, longest: Double, rungs: [Double]) {
    var waits = Backoff(first: first, longest: longest)
    #expect(rungs.map { _ in waits.failed() } == rungs)
    #expect((1...rungs.count).map { waits.wait(after: $0) } == rungs)
    for count in 0...rungs.count {
      let sum = rungs.prefix(count).reduce(0, +)
      #expect((waits.waited(after: count) - sum).magnitude < 1e-9)
    }
    #expect(waits.failures == rungs.count)
    waits.succeeded()
    #expect(waits.failed() == first)
  }

  @Test(
    "A share of the wait is drawn: of 2 to 60 s the upper half, of 30 to 1800 s a fifth less to a fifth more"
  )
  func shares() {
    let half = Backoff(first: 2, longest: 60, shares: 0.5...1)
    #expect(half.wait(after: 1, luck: 0) == 1 && half.wait(after: 1, luck: 1) == 2)
    #expect(half.wait(after: 6, luck: 0.5) == 45)
    let around = Backoff(first: 30, longest: 1_800, shares: 0.8...1.2)
    #expect(around.wait(after: 1, luck: 0) == 24 && around.wait(after: 20, luck: 0.5) == 1_800)
  }

  @Test("No number of failures is too many, or too few")
  func bounds() {
    let waits = Backoff(first: 1, longest: 60)
    #expect(
      waits.wait(after: .max) == 60 && waits.wait(after: 0) == 1 && waits.wait(after: -1) == 1)
    // 1 + 2 + 4 + 8 + 16 + 32 = 63, and 60 s for each of the others.
    #expect(waits.waited(after: 1_000_006) == 60_000_063 && waits.waited(after: -1) == 0)
  }
}
