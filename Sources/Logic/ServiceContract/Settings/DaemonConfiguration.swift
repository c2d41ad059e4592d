// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel

/// All options of the daemon's configuration file, with their defaults; `ConfigurationOption.all` says what each means,
/// with its range and its unit. A default of the engine's is the engine's; the others have their home here.
package struct DaemonConfiguration: Sendable, Equatable {
  package var gpsdHost = "localhost"
  package var gpsdPort = 2947
  package var gpsdDevice: String?
  package var gpsdControl: String?
  package var receiverHold = 60.0
  package var receiverSleep = ReceiverSleep.timed
  package var policy = "milepost"
  package var era = Era.usual
  package var significantDistance = EngineRules.usual.significantDistance
  package var significantInterval = EngineRules.usual.significantInterval
  package var maxLate: Double?
  package var latenessPrice: Double?
  package var externalPower = ExternalPower.automatic
  package var modem = HintSource.automatic
  package var motion = HintSource.automatic
  package var motionSample = 0.0
  package var deviceProfile = "pi-zero-ublox7"
  package var networkProfile: String?
  package var wakesMachine = false
  package var memoryPressure = true
  package var lowPowerBelow = 20.0
  package var newApps = Authorization.notDetermined
  package var freezer = Freezer.automatic
  package var crashLimit = 5
  package var outboxLimit = 10_000
  package var retriesFor = 7 * 86_400.0
  package var purgesAfter = LifecycleTiming.usual.purgesAfter
  package var wakeBudget = LifecycleTiming.usual.wakeBudget
  package var handlerBudget = LifecycleTiming.usual.handlerBudget
  package var gpsdListeners: [GPSDListener] = []
  package var sinks: [AppManifest] = []
  package var geoClue = GeoClue.off
  package var web: WebAddress?
  package var webName: String?
  package var webTiles: String?
  package var webLeaflet: String?
  package var webMap: String?
  package var zones: [PrivacyZone] = []
  package var keepDays = 0.0

  /// Whether there is no file, so that the usual values stand for a configuration.
  package var isAbsent = false

  package enum GeoClue: String, Sendable, CaseIterable {
    case off
    case answer
  }

  package enum Freezer: String, Sendable, CaseIterable {
    case automatic
    case cgroup2
    case cgroup1
    case signals
  }

  package enum ExternalPower: String, Sendable, CaseIterable {
    case automatic
    case yes
    case no
    /// As reported, and a vehicle's: it comes and goes with the ignition.
    case vehicle
  }

  /// Whether hints of a move are taken from a device of the machine: where there is one, or never.
  package enum HintSource: String, Sendable, CaseIterable {
    case automatic
    case off
  }

  package struct GPSDListener: Sendable, Equatable {
    package var port: Int
    package var service: Service
    /// Metres; for standard and continuous.
    package var distanceFilter: Double?
  }

  package init() {}

  /// Every option at its default.
  package static let usual = Self()
}
