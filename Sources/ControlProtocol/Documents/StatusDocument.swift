// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `STATUS`: what the daemon does now.
package struct StatusDocument: ControlDocument {
  package static let documentClass = DocumentClass.status

  /// Version of Milepost.
  package var release: String
  package var pid: Int32
  /// When this daemon started, UTC of the host, and for how many seconds it has run.
  package var since: UTCInstant
  package var uptime: Double
  package var gpsd: GPSDLink
  package var devices: [Device]
  package var receiver: Receiver
  /// `nil` where there has been no fix since the start, and none was kept.
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
  /// Connections that are open, and the ports that listen for gpsd clients.
  package var clients: Int
  package var gpsdPorts: [Int]
  package var apps: [AppRow]
  /// The newest times that nobody watched, newest last.
  package var gaps: [Gap]

  package init(
    release: String, pid: Int32, since: UTCInstant, uptime: Double, gpsd: GPSDLink,
    devices: [Device], receiver: Receiver, lastFix: LastFix?, policy: String, era: String,
    deviceProfile: String, networkProfile: String, energy: Energy, store: Store, freezer: String,
    clients: Int, gpsdPorts: [Int], apps: [AppRow], gaps: [Gap]
  ) {
    self.release = release
    self.pid = pid
    self.since = since
    self.uptime = uptime
    self.gpsd = gpsd
    self.devices = devices
    self.receiver = receiver
    self.lastFix = lastFix
    self.policy = policy
    self.era = era
    self.deviceProfile = deviceProfile
    self.networkProfile = networkProfile
    self.energy = energy
    self.store = store
    self.freezer = freezer
    self.clients = clients
    self.gpsdPorts = gpsdPorts
    self.apps = apps
    self.gaps = gaps
  }

  package func writeMembers(into json: inout JSONWriter) {
    json.member("release", release)
    json.member("pid", Int(pid))
    json.member("since", since.rfc3339)
    json.exactMember("uptime_s", uptime)
    json.key("gpsd")
    json.object { gpsd.write(into: &$0) }
    json.objects("devices", devices) { $0.write(into: &$1) }
    json.key("receiver")
    json.object { receiver.write(into: &$0) }
    json.key("last_fix")
    if let lastFix { json.object { lastFix.write(into: &$0) } } else { json.null() }
    json.member("policy", policy)
    json.member("era", era)
    json.member("device_profile", deviceProfile)
    json.member("network_profile", networkProfile)
    json.key("energy")
    json.object { energy.write(into: &$0) }
    json.key("store")
    json.object { store.write(into: &$0) }
    json.member("freezer", freezer)
    json.member("clients", clients)
    json.key("gpsd_ports")
    json.array { json in for port in gpsdPorts { json.integer(port) } }
    json.objects("apps", apps) { $0.write(into: &$1) }
    json.objects("gaps", gaps) { $0.write(into: &$1) }
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    release = try object.string("release")
    pid = try object.processID("pid")
    since = try object.instant("since")
    uptime = try object.number("uptime_s", in: 0...1e15)
    gpsd = try GPSDLink(try object.object("gpsd"))
    devices = try object.list("devices", Device.init)
    receiver = try Receiver(try object.object("receiver"))
    lastFix = try object.optionalObject("last_fix").map(LastFix.init)
    policy = try object.string("policy")
    era = try object.string("era")
    deviceProfile = try object.string("device_profile")
    networkProfile = try object.string("network_profile")
    energy = try Energy(try object.object("energy"))
    store = try Store(try object.object("store"))
    freezer = try object.string("freezer")
    clients = try object.smallCount("clients")
    gpsdPorts = try object.ports("gpsd_ports")
    apps = try object.list("apps", AppRow.init)
    gaps = try object.list("gaps", Gap.init)
  }
}

extension ObjectReader {
  func list<T>(
    _ key: String, _ read: (ObjectReader) throws(ProtocolError) -> T
  ) throws(ProtocolError) -> [T] {
    var list: [T] = []
    for element in try objects(key) { list.append(try read(element)) }
    return list
  }

  func processID(_ key: String) throws(ProtocolError) -> Int32 {
    Int32(try integer(key, in: 0...Int64(Int32.max)))
  }

  func smallCount(_ key: String) throws(ProtocolError) -> Int {
    Int(try integer(key, in: 0...9_007_199_254_740_991))
  }

  func ports(_ key: String) throws(ProtocolError) -> [Int] {
    guard let array = optional(key)?.array else {
      throw ProtocolError("\(name) needs the member '\(key)', an array of ports")
    }
    var ports: [Int] = []
    for element in array {
      guard let port = element.number.flatMap({ Int(exactly: $0) }), (1...65_535).contains(port)
      else {
        throw ProtocolError("\(name): \(key) holds \(Quoted.value(element)), not a port")
      }
      ports.append(port)
    }
    return ports
  }
}
