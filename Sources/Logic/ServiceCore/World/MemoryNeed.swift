// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

/// How much memory apps must give up.
enum MemoryNeed {
  /// Megabytes; `nil` if no app has any to give.
  static func megabytes(_ memory: MemoryReading, _ engine: LocationEngine) -> Double? {
    let hasSuspended = engine.hasMemoryToFree(in: .suspended)
    let missing = memory.total * freeShare - memory.available
    if missing > 0 {
      return hasSuspended || engine.hasMemoryToFree(in: .background) ? missing : nil
    }
    return hasSuspended ? leastNeeded : nil
  }

  /// The share of a machine's memory that should be free for use.
  private static let freeShare = 0.05
  /// The least need for which one app goes, megabytes, since each counts for more.
  private static let leastNeeded = 1.0
}
