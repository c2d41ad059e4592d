// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower
import ServiceCore

/// Everything besides the trace that affects the outcome of a replay; all of it is printed.
package struct ReplayOptions: Sendable, Equatable {
  package var device: DeviceProfile
  /// The network for transfers; `nil` is Wi-Fi.
  package var network: NetworkProfile?
  package var rules = EngineRules()
  package var scenario = ScenarioTiming()
  package var seed: UInt64 = 1
  package var environment = Environment.pocket
  /// Whether seeded places along the way have separate environments, instead of `environment`.
  package var mixesEnvironments = false
  /// The kind of the receiver's very first start: a phone has assistance data from the network.
  package var firstStart: ReceiverStart
  /// Seconds for which the receiver goes on after it was switched off: 0 if it is switched directly, about
  /// 60 behind gpsd.
  package var receiverHold = 0.0
  /// Whether TTFF is drawn, or is the mean.
  package var drawsAcquisition = true
  /// Metres between the towers of the synthetic grid.
  package var cellSpacing = 800.0
  /// Towers of a real list, which replace the synthetic grid.
  package var towers: TowerMap?
  /// The path of that list; `nil` if the cells are synthetic.
  package var towerFile: String?
  /// The places with known access points: by the movement for a device that can scan for them, unless set otherwise.
  package var wifiIslands: WiFiCoverage
  /// The behaviour of this world's motion sensor: as the device's profile states it, unless a test of robustness
  /// changes it. A policy gets the profile's.
  package var motion: MotionSensing
  /// The share of the receiver's fixes that go missing on their way, 0 to 0.8.
  package var fixLoss = 0.0
  /// The factor on the receiver's errors, and on the accuracies that it claims.
  package var noise = 1.0
  /// Metres per axis; `nil` is 0.4 of the cells' spacing.
  package var networkError: Double?
  /// When the app uploads its deliveries.
  package var uploads = UploadPolicy.none
  /// The size of one uploaded delivery, bytes. A position as OwnTracks' JSON has some 200.
  package var itemBytes = 200
  /// Overhead of the connection for each transfer, bytes, both ways together: a TCP connection 96, an exchange over it
  /// 128, connecting by MQTT 86, publishing with its acknowledgement 17 (Digi, "MQTT data usage"); resuming a TLS
  /// session 330, a record of it 40 (netsekure.org, "TLS overhead", 2010). That makes 697.
  package var overheadBytes = 700
  /// The places of the trip, whose borders every mode is judged by; an app that monitors places and names none monitors
  /// these.
  package var places: [MonitoredRegion] = []
  /// Metres of the circle around a place of the trip, if `places` names none.
  package var placeRadius = TripPlaces.usualRadius
  /// Metres from the last delivered position at which the app is called blind.
  package var blindDistance = 500.0
  /// The definition of a crossing that should have been delivered.
  package var scoring = ScoringRules()

  package init(device: DeviceProfile, network: NetworkProfile?) {
    self.device = device
    self.network = network
    firstStart = device.starts.first
    motion = device.motionSensing ?? .deaf
    wifiIslands = device.hasWiFi ? .byMovement : .none
  }
}

extension ReplayOptions {
  /// What tells apps of regions and visits: a phone's daemon, which draws with this world's seed, or the service itself.
  package var platform: Platform {
    device.platform == .phone ? .phone(device.system, seed: seed) : .machine
  }

  /// The name of the list of towers; `nil` if the cells are synthetic.
  package var towerList: String? {
    towerFile.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
  }

  /// The positions of the towers.
  package var towerLayout: TowerLayout {
    towers.map { .map($0) } ?? .grid(TowerGrid(seed: seed, spacing: cellSpacing))
  }

  /// The error of a network position, metres, one standard deviation per axis: as set, else 0.4 of the cells' spacing.
  package var networkErrorPerAxis: Double { networkError ?? 0.4 * cellSpacing }

  /// The network's answers.
  package var networkPositions: NetworkPositions {
    NetworkPositions(
      seed: seed, errorPerAxis: networkErrorPerAxis,
      islands: wifiIslands == .none ? nil : WiFiIslands(seed: seed, wifiIslands))
  }
}

/// The times of the acts of the built-in scenarios' app, seconds.
package struct ScenarioTiming: Sendable, Equatable {
  /// From the launch until the user puts the app away.
  package var backgroundAfter = 60.0
  /// The used part of each wake's budget.
  package var workTime = 2.0

  package init() {}
}
