// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
import LocationModel
package import RadioPower
package import RadioWorld
package import Scoring

/// Everything that the outcome of a replay depends on beside the trace; all of it is printed.
package struct ReplayOptions: Sendable, Equatable {
  package var device: DeviceProfile
  /// What transfers go over; `nil` is Wi-Fi.
  package var network: NetworkProfile?
  package var rules = EngineRules()
  package var scenario = ScenarioTiming()
  package var seed: UInt64 = 1
  package var environment = Environment.pocket
  package var firstStart = Receiver.Start.cold
  /// Whether times to first fix are drawn, or are the means.
  package var drawsAcquisition = true
  /// Metres between the towers of the synthetic grid.
  package var cellSpacing = 800.0
  /// Metres per axis; `nil` is 0.4 of the cells' spacing.
  package var networkError: Double?
  /// When the app sends home what was delivered to it.
  package var uploads = UploadPolicy.none
  /// Bytes of one delivery when it is sent.
  package var itemBytes = 10_240
  /// Metres from the last delivered position at which the app is called blind.
  package var blindDistance = 500.0
  /// What counts as a crossing that should have been delivered.
  package var scoring = ScoringRules()

  package init(device: DeviceProfile, network: NetworkProfile?) {
    self.device = device
    self.network = network
  }
}

/// When the app of the built-in scenarios does what, seconds.
package struct ScenarioTiming: Sendable, Equatable {
  /// From the launch until the user puts the app away.
  package var backgroundAfter = 60.0
  /// What the app works of each wake's budget.
  package var workTime = 2.0

  package init() {}
}
