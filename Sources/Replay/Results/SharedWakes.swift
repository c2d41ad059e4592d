// SPDX-License-Identifier: Apache-2.0

package import RadioPower

/// Fetches and keep-alives of a run, and what it saved that they shared wakes.
package struct SharedWakes: Sendable, Equatable {
  package let calls: Int
  /// Wakes of a processor that slept.
  package let wakes: Int
  /// Joules that each call would have cost beside these, with a wake of its own.
  package let saved: EnergyRange

  /// `nil` where nothing was called.
  package init?(_ counters: Counters, on device: DeviceProfile) {
    guard counters.periodicCalls > 0 else { return nil }
    (calls, wakes) = (counters.periodicCalls, counters.periodicWakes)
    saved = device.wakeEnergy.times(max(0, calls - wakes))
  }
}
