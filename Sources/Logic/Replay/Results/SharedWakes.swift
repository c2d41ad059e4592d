// SPDX-License-Identifier: Apache-2.0

package import RadioPower

/// Fetches and keep-alives of a run, and the savings from shared wakes.
package struct SharedWakes: Sendable, Equatable {
  package let calls: Int
  /// Wakes of a sleeping processor.
  package let wakes: Int
  /// Joules of the further wakes that separate calls would have cost.
  package let saved: EnergyRange

  /// `nil` if nothing was called.
  package init?(_ counters: Counters, on device: DeviceProfile) {
    guard counters.periodicCalls > 0 else { return nil }
    (calls, wakes) = (counters.periodicCalls, counters.periodicWakes)
    saved = device.wakeEnergy.times(max(0, calls - wakes))
  }
}
