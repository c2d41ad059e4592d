// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// All options of the daemon's configuration file, with their defaults.
package struct DaemonConfiguration: Sendable, Equatable {
  /// gpsd's host and port.
  package var gpsdHost = "localhost"
  package var gpsdPort = 2947
  /// Only this device of gpsd's; `nil` follows all.
  package var gpsdDevice: String?
  /// gpsd's control socket, on this machine; `nil` leaves its devices to gpsd.
  package var gpsdControl: String?
  /// Seconds for which gpsd holds a device after its last watcher (measured: about 60).
  package var receiverHold = 60.0
  /// The name of the significant-change policy.
  package var policy = "milepost"
  package var era = Era.usual
  /// Metres and seconds of a significant change.
  package var significantDistance = 500.0
  package var significantInterval = 300.0
  /// The greatest lateness of a significant change, seconds; `nil` to derive it from the price.
  package var maxLate: Double?
  /// The price of a second of lateness, millijoules; `nil` to derive it from the thresholds.
  package var latenessPrice: Double?
  /// Whether the machine runs on external power.
  package var externalPower = ExternalPower.automatic
  /// Whether a modem is asked for changes of cell.
  package var modem = Modem.automatic
  /// Names in the profile library.
  package var deviceProfile = "pi-zero-ublox7"
  package var networkProfile: String?
  /// Whether suspended apps are ended when the kernel reports a shortage of memory.
  package var memoryPressure = true
  /// Per cent of the battery below which Low Power Mode begins; 0 never.
  package var lowPowerBelow = 20.0
  /// The authorization of an app whose manifest states none.
  package var newApps = Authorization.notDetermined
  /// The method of freezing apps.
  package var freezer = Freezer.automatic
  /// Crashes within 10 min after which an app is held.
  package var crashLimit = 5
  /// The greatest number of deliveries waiting for one app; the oldest go first.
  package var outboxLimit = 10_000
  /// Seconds for which a failed handler event is retried.
  package var retriesFor = 7 * 86_400.0
  /// Seconds from an app's suspension until it is purged.
  package var purgesAfter = 600.0
  /// The limit of a wake by location, seconds.
  package var wakeBudget = 10.0
  /// The limit of a handler that must return, seconds.
  package var handlerBudget = 30.0
  /// Loopback TCP ports for ordinary gpsd clients, each with the service that filters its reports.
  package var gpsdListeners: [GPSDListener] = []

  /// The sinks in the configuration.
  package var sinks: [AppManifest] = []

  /// Whether there is no file, so that the usual values stand for a configuration.
  package var isAbsent = false
  /// Whether to answer programs that ask GeoClue, in its place.
  package var geoClue = GeoClue.off

  package enum GeoClue: String, Sendable, CaseIterable {
    case off
    case answer
  }
  /// The address of the live page; `nil` serves none.
  package var web: WebAddress?
  /// A name for this machine in browsers besides addresses and localhost.
  package var webName: String?
  /// Address of map tiles with `{z}`, `{x}` and `{y}`; `nil` requests no map.
  package var webTiles: String?
  /// The directory with Leaflet; `nil` is Debian's.
  package var webLeaflet: String?
  /// The ground below the live page's track; `nil` draws nothing.
  package var webMap: String?
  /// The zones in which the device's position is hidden.
  package var zones: [PrivacyZone] = []
  /// Days for which logs, and waiting or given-up events, are kept; 0 is for ever.
  package var keepDays = 0.0

  package enum Freezer: String, Sendable, CaseIterable {
    /// cgroup v2, else v1, else signals: the first that is writable.
    case automatic
    case cgroup2
    case cgroup1
    case signals
  }

  package enum ExternalPower: String, Sendable, CaseIterable {
    /// As the machine reports; one that reports nothing counts as running on a battery.
    case automatic
    case yes
    case no
  }

  package enum Modem: String, Sendable, CaseIterable {
    /// If ModemManager has one that reports its cells.
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
}
