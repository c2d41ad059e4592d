// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import ServiceCore

@Suite("When the engine's state is written")
struct CheckpointTests {
  /// Whether one that nothing needs is due that many seconds after one that took `cost` seconds.
  private static func isDue(after seconds: Double, cost: Double) -> Bool {
    var checkpoint = Checkpoint(at: .zero)
    checkpoint.begin(at: .zero)
    checkpoint.took(cost, hadSnapshot: true, at: .zero)
    return checkpoint.isDue(at: EngineInstant.zero.advanced(bySeconds: seconds))
  }

  @Test(
    "Without a need it takes a ten-thousandth of the time at most, but comes after 5 minutes",
    // A millisecond: 10 s by that rule, and 30 s at least; 10 ms: 100 s; a second: 10,000 s, and 300 s at most.
    arguments: [(0.001, 30.0), (0.01, 100), (1, 300)])
  func rests(cost: Double, interval: Double) {
    #expect(!Self.isDue(after: interval - 0.1, cost: cost))
    #expect(Self.isDue(after: interval + 0.1, cost: cost))
  }

  @Test("One that a change needs waits twenty times as long as the last one took, and no longer")
  func needed() {
    var checkpoint = Checkpoint(at: .zero)
    checkpoint.took(0.1, hadSnapshot: true, at: .zero)
    checkpoint.need(false)
    #expect(!checkpoint.isDue(at: EngineInstant.zero.advanced(bySeconds: 1.9)))
    #expect(checkpoint.isDue(at: EngineInstant.zero.advanced(bySeconds: 2.1)))
  }
}
