// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText
package import LocationModel

/// `STATUS`: the present state of the daemon.
package struct StatusDocument: ControlDocument {
  package static let documentClass = DocumentClass.status

  /// Version of Milepost.
  package var release: String
  package var pid: Int32
  /// The start of this daemon, UTC of the host, and its running time in seconds.
  package var since: UTCInstant
  package var uptime: Double
  package var gpsd: GPSDLink
  package var devices: [Device]
  package var receiver: Receiver
  /// `nil` if there has been no fix since the start, and none was kept.
  package var lastFix: LastFix?
  /// The names of the significant-change policy, the era and the profiles.
  package var policy: String
  package var era: String
  package var deviceProfile: String
  package var networkProfile: String
  package var energy: Energy
  package var store: Store
  /// `cgroup2`, `cgroup1` or `signals`.
  package var freezer: String
  /// Open connections, and the ports that listen for gpsd clients.
  package var clients: Int
  package var gpsdPorts: [Int]
  package var apps: [AppRow]
  /// The newest unwatched times, newest last.
  package var gaps: [Gap]
  /// Events that found a full queue, since the start.
  package var lostEvents: Int = 0
  /// The destinations of events without a program; empty if there are none.
  package var sinks: [SinkRow] = []
  /// `nil` if Milepost does not answer as GeoClue.
  package var geoClue: GeoClue?
  /// The live page; `nil` if none is served.
  package var web: Web?
  /// The ways of positions out of the service, other than by running apps: each sink, with its destination.
  package var outlets: [Outlet] = []
  /// Fetches and keep-alives since the state began, and the savings from shared wakes; `nil` if there were none.
  package var sharedWakes: SharedWakes?

  package static let empty = Self(
    release: "", pid: 0, since: .epoch, uptime: 0, gpsd: GPSDLink.empty, devices: [],
    receiver: Receiver.empty, lastFix: nil, policy: "", era: "", deviceProfile: "",
    networkProfile: "", energy: Energy.empty, store: Store.empty, freezer: "", clients: 0,
    gpsdPorts: [], apps: [], gaps: [])
  package static let table = JSONTable<Self> { status in
    status.field("release", \.release)
    status.field("pid", \.pid)
    status.field("since", \.since)
    status.field("uptime_s", \.uptime, .number(in: 0...1e15))
    status.field("gpsd", \.gpsd)
    status.field("devices", \.devices)
    status.field("receiver", \.receiver)
    status.field("last_fix", \.lastFix)
    status.field("policy", \.policy)
    status.field("era", \.era)
    status.field("device_profile", \.deviceProfile)
    status.field("network_profile", \.networkProfile)
    status.field("energy", \.energy)
    status.field("store", \.store)
    status.field("freezer", \.freezer)
    status.field("clients", \.clients)
    status.field("gpsd_ports", \.gpsdPorts, .array(of: .whole(in: 1...65_535)))
    status.field("apps", \.apps)
    status.field("gaps", \.gaps)
    status.option("lost_events", \.lostEvents, .whole(in: 0...JSONShape.exactWholes.upperBound)) {
      $0.lostEvents > 0
    }
    status.option("sinks", \.sinks, .array(of: SinkRow.json), where: { !$0.sinks.isEmpty })
    status.option("geoclue", \.geoClue, GeoClue.json)
    status.option("web", \.web, Web.json)
    status.option("outlets", \.outlets, .array(of: Outlet.json)) { !$0.outlets.isEmpty }
    status.option("shared_wakes", \.sharedWakes, SharedWakes.json)
  }
}
