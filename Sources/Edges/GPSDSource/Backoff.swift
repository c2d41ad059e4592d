// SPDX-License-Identifier: Apache-2.0

/// The wait before the next attempt, seconds.
///
/// The ceiling doubles with each failure: 2, 4, 8 … 60 s; the wait is drawn evenly from its upper
/// half. So the first wait is 1 to 2 s, none is longer than 60 s, and clients that lost the same gpsd
/// do not come back in step.
struct Backoff: Sendable, Equatable {
  static let least = 1.0
  static let most = 60.0

  private(set) var failures = 0

  mutating func next(_ generator: inout some RandomNumberGenerator) -> Double {
    let ceiling = min(Self.most, 2 * Self.least * Double(1 << min(failures, 10)))
    failures += 1
    // Each number is one draw, so that no generator, however odd, can block the loop.
    let fraction = Double(generator.next() >> 11) / Double(1 << 53)
    return ceiling / 2 * (1 + fraction)
  }

  mutating func reset() { failures = 0 }
}
