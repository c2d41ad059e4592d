// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract

/// One client: its settings, and its locations.
struct GeoClueClientObject: Sendable, Equatable {
  /// A location of a client; the object stays for a while after the next one, since the program may read it only then.
  struct Location: Sendable, Equatable {
    let number: Int
    let fix: Fix
    /// The time of the next one, seconds; `nil` for the newest.
    var replacedAt: Double?
  }

  /// Seconds for which GeoClue keeps a location after the one that replaces it.
  static let keeps = 5.0
  /// The limit of kept locations.
  static let locationLimit = 64

  let id: GeoClueClient
  /// The connection that it belongs to.
  let owner: String
  var desktopID = ""
  var distance: UInt32 = 0
  var time: UInt32 = 0
  /// The level as set, whether it exists or not.
  var level = AccuracyLevel.city.rawValue
  var phase = Phase.stopped
  private(set) var locations: [Location] = []
  private var told = 0

  enum Phase: Sendable, Equatable {
    case stopped
    case active
    /// Started, but the user has switched location off: it resumes when that is switched on again.
    case heldBack
  }

  init(_ id: GeoClueClient, owner: String) {
    self.id = id
    self.owner = owner
  }

  static func path(_ number: UInt32) -> String { "\(GeoClueName.root)/Client/\(number)" }
  var path: String { Self.path(id.number) }

  /// The newest location's object, `/` before the first.
  var locationPath: String { locations.last.map { path(of: $0) } ?? "/" }

  private func path(of location: Location) -> String { "\(path)/Location/\(location.number)" }

  /// Its request, with the level limited to the user's `maximum`.
  func request(atMost maximum: UInt32) -> GeoClueRequest {
    // Names are shown on terminals and in journals.
    let name = Quoted.plain(String(desktopID.unicodeScalars.prefix(64)))
    return GeoClueRequest(
      program: name, level: AccuracyLevel(number: min(level, maximum)), distance: distance,
      time: time)
  }

  /// Takes a new location at `now`; returns the path of the previous one.
  mutating func take(fix: Fix, at now: Double) -> String {
    let old = locationPath
    if let last = locations.indices.last { locations[last].replacedAt = now }
    locations.removeAll { location in
      location.replacedAt.map { now - $0 > Self.keeps } ?? false
    }
    if locations.count >= Self.locationLimit { locations.removeFirst() }
    locations.append(Location(number: told, fix: fix))
    told += 1
    return old
  }

  // MARK: Properties

  var properties: [(String, BusValue)] {
    [
      ("Location", .path(locationPath)), ("DistanceThreshold", .uint32(distance)),
      ("TimeThreshold", .uint32(time)), ("DesktopId", .string(desktopID)),
      ("RequestedAccuracyLevel", .uint32(level)), ("Active", .flag(phase == .active)),
    ]
  }

  /// Sets a property; returns whether it has changed.
  mutating func set(_ name: String, to value: BusValue) throws(BusRefusal) -> Bool {
    let before = self
    switch (name, value) {
    case ("DistanceThreshold", .uint32(let metres)): distance = metres
    case ("TimeThreshold", .uint32(let seconds)): time = seconds
    case ("DesktopId", .string(let text)): desktopID = text
    case ("RequestedAccuracyLevel", .uint32(let number)): level = number
    case ("Location", _), ("Active", _): throw .readOnly(name)
    default:
      guard let old = properties.first(where: { $0.0 == name }) else { throw .noProperty(name) }
      throw .wrongType(name, value.signature, for: old.1.signature)
    }
    return self != before
  }

  /// The properties of the location with that number; `nil` if it is gone.
  func properties(ofLocation number: Int) -> [(String, BusValue)]? {
    guard let fix = locations.first(where: { $0.number == number })?.fix else { return nil }
    let microseconds = UInt64(max(0, fix.time?.microseconds ?? 0))
    return [
      ("Latitude", .double(fix.coordinate.latitude)),
      ("Longitude", .double(fix.coordinate.longitude)),
      // Unknown values as in the interface: the least number for an altitude, -1 for all else.
      ("Accuracy", .double(fix.horizontalAccuracy ?? -1)),
      ("Altitude", .double(fix.altitude ?? -Double.greatestFiniteMagnitude)),
      ("Speed", .double(fix.speed ?? -1)), ("Heading", .double(fix.course ?? -1)),
      ("Description", .string(fix.source == .gnss ? "GNSS" : "network")),
      (
        "Timestamp",
        .structure([.uint64(microseconds / 1_000_000), .uint64(microseconds % 1_000_000)])
      ),
    ]
  }
}
