// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The sleeps of a receiver.
package struct SleepTally: Sendable, Equatable {
  package private(set) var count = 0
  /// Seconds of all of them.
  package private(set) var seconds = 0.0

  mutating func add(from start: EngineInstant, to end: EngineInstant) {
    count += 1
    seconds += max(0, EngineInstant.seconds(from: start, to: end))
  }
}
