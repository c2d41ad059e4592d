// SPDX-License-Identifier: Apache-2.0

/// Limits a client's messages: an average rate per second, and 10 s of them at once.
///
/// Time is an argument: nanoseconds of any clock that does not run backwards.
struct TokenBucket: Sendable, Equatable {
  private let perSecond: Double
  private let capacity: Double
  private var tokens: Double
  private var last: UInt64

  init(perSecond: Double, at now: UInt64) {
    self.perSecond = max(perSecond, 0.001)
    capacity = max(1, 10 * perSecond)
    tokens = capacity
    last = now
  }

  /// Whether one message may be taken now.
  mutating func refill(at now: UInt64) -> Bool {
    if now > last {
      tokens = min(capacity, tokens + Double(now - last) / 1e9 * perSecond)
      last = now
    }
    return tokens >= 1
  }

  mutating func spend() { tokens -= 1 }

  /// Nanoseconds until a tenth of a second's messages may be taken, or until one if that is later.
  var delay: Int64 {
    let wanted = max(1, perSecond / 10)
    return Int64(max(0, wanted - tokens) / perSecond * 1e9) + 1
  }
}
