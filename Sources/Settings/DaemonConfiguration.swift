// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Everything that the daemon's configuration file can say, with what holds where it says nothing.
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
  /// Seconds that a significant change may be late; `nil` for as late as its price makes it.
  package var maxLate: Double?
  /// Millijoules that a second of lateness is worth; `nil` for a price by the thresholds.
  package var latenessPrice: Double?
  /// Whether the machine's energy comes from outside.
  package var externalPower = ExternalPower.automatic
  /// Whether changes of cell are asked of a modem.
  package var modem = Modem.automatic
  /// Names in the profile library.
  package var deviceProfile = "pi-zero-ublox7"
  package var networkProfile: String?
  /// Whether suspended apps go when the kernel says that memory is short.
  package var memoryPressure = true
  /// Per cent of the battery below which Low Power Mode begins; 0 never.
  package var lowPowerBelow = 20.0
  /// The authorization of an app whose manifest states none.
  package var newApps = Authorization.notDetermined
  /// How apps are frozen.
  package var freezer = Freezer.automatic
  /// Crashes within 10 min after which an app is held.
  package var crashLimit = 5
  /// Deliveries that wait for one app at most; the oldest go first.
  package var outboxLimit = 10_000
  /// Seconds for which an event on which a handler fails is tried again.
  package var retriesFor = 7 * 86_400.0
  /// Seconds from an app's suspension until it is purged.
  package var purgesAfter = 600.0
  /// Seconds that a wake by location allows at most.
  package var wakeBudget = 10.0
  /// Seconds that a handler that must return has at most.
  package var handlerBudget = 30.0
  /// Loopback TCP ports for ordinary gpsd clients, each with the service that filters what they see.
  package var gpsdListeners: [GPSDListener] = []

  /// Apps of the kind sink that the configuration names.
  package var sinks: [AppManifest] = []
  /// Whether programs that ask GeoClue are answered in its place.
  package var geoClue = GeoClue.off

  package enum GeoClue: String, Sendable, CaseIterable {
    case off
    case answer
  }
  /// Where the live page is served; `nil` serves none.
  package var web: WebAddress?
  /// A name that browsers may call this machine by besides addresses and localhost.
  package var webName: String?
  /// Address of map tiles with `{z}`, `{x}` and `{y}`; `nil` asks nobody for a map.
  package var webTiles: String?
  /// The directory with Leaflet; `nil` looks where Debian puts it.
  package var webLeaflet: String?
  /// The ground below the live page's track; `nil` draws nothing.
  package var webMap: String?
  /// Where the device does not want to be known to be.
  package var zones: [PrivacyZone] = []
  /// Days for which logs, and events that wait or were given up, are kept; 0 without an end.
  package var keepDays = 0.0

  package enum Freezer: String, Sendable, CaseIterable {
    /// cgroup v2, else v1, else signals: the first that is writable.
    case automatic
    case cgroup2
    case cgroup1
    case signals
  }

  package enum ExternalPower: String, Sendable, CaseIterable {
    /// As the machine tells; a machine that tells nothing counts as one that runs on a battery.
    case automatic
    case yes
    case no
  }

  package enum Modem: String, Sendable, CaseIterable {
    /// Where ModemManager has one that tells its cells.
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
