// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
import LocationModel
package import RadioPower
package import RadioWorld
package import Scoring
import ServiceCore

/// Everything that the outcome of a replay depends on beside the trace; all of it is printed.
package struct ReplayOptions: Sendable, Equatable {
  package var device: DeviceProfile
  /// What transfers go over; `nil` is Wi-Fi.
  package var network: NetworkProfile?
  package var rules = EngineRules()
  package var scenario = ScenarioTiming()
  package var seed: UInt64 = 1
  package var environment = Environment.pocket
  /// Whether seeded places along the way have environments of their own, instead of `environment`.
  package var mixesEnvironments = false
  package var firstStart = SimulatedReceiver.Start.cold
  /// Seconds for which the receiver goes on after it was switched off: 0 where it is switched directly,
  /// about 60 behind gpsd.
  package var receiverHold = 0.0
  /// Whether times to first fix are drawn, or are the means.
  package var drawsAcquisition = true
  /// Metres between the towers of the synthetic grid.
  package var cellSpacing = 800.0
  /// Towers of a real list, which replace the synthetic grid.
  package var towers: TowerMap?
  /// What that list is called; `nil` where the cells are synthetic.
  package var towerList: String?
  /// Where access points are known: by the movement for a device that can scan for them, unless one asks
  /// for something else.
  package var wifiIslands: WiFiCoverage
  /// What the motion sensor of this world feels: what the device's profile states, unless a test of
  /// robustness wants it otherwise. A policy is told the profile's.
  package var motion: MotionSensing
  /// The share of the receiver's fixes that go missing on their way, 0 to 0.8.
  package var fixLoss = 0.0
  /// By how much the receiver's errors, and the accuracies that it claims, are larger than usual.
  package var noise = 1.0
  /// Metres per axis; `nil` is 0.4 of the cells' spacing.
  package var networkError: Double?
  /// When the app sends home what was delivered to it.
  package var uploads = UploadPolicy.none
  /// Bytes of one delivery when it is sent. A position as OwnTracks' JSON has some 200.
  package var itemBytes = 200
  /// Bytes that connecting adds to each transfer, both ways together: a TCP connection 96, an exchange over it
  /// 128, connecting by MQTT 86, publishing with its acknowledgement 17 (Digi, "MQTT data usage"); resuming a
  /// TLS session 330, a record of it 40 (netsekure.org, "TLS overhead", 2010). That makes 697.
  package var overheadBytes = 700
  /// Metres from the last delivered position at which the app is called blind.
  package var blindDistance = 500.0
  /// What counts as a crossing that should have been delivered.
  package var scoring = ScoringRules()

  package init(device: DeviceProfile, network: NetworkProfile?) {
    self.device = device
    self.network = network
    motion = device.motionSensing ?? .deaf
    wifiIslands = device.hasWiFi ? .byMovement : .none
  }
}

extension ReplayOptions {
  /// Where the towers stand.
  package var towerLayout: TowerLayout {
    towers.map { .map($0) } ?? .grid(TowerGrid(seed: seed, spacing: cellSpacing))
  }

  /// Metres, one standard deviation per axis, of a network position: as asked for, else 0.4 of the cells'
  /// spacing.
  package var networkErrorPerAxis: Double { networkError ?? 0.4 * cellSpacing }

  /// What the network answers.
  package var networkPositions: NetworkPositions {
    NetworkPositions(
      seed: seed, errorPerAxis: networkErrorPerAxis,
      islands: wifiIslands == .none ? nil : WiFiIslands(seed: seed, wifiIslands))
  }
}

/// When the app of the built-in scenarios does what, seconds.
package struct ScenarioTiming: Sendable, Equatable {
  /// From the launch until the user puts the app away.
  package var backgroundAfter = 60.0
  /// What the app works of each wake's budget.
  package var workTime = 2.0
}
