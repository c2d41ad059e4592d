// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// The combined TPV reports of one device for one instant.
///
/// gpsd sends several per epoch, each with the fields that one sentence brought; the union is the
/// fix, and of a field that comes twice the later value counts.
package struct GPSDEpoch: Sendable {
  package private(set) var position = GPSDPosition()
  package var line = 0
  /// The number of its reports.
  package private(set) var reports = 0

  package init(_ first: GPSDPosition) {
    position.device = first.device
    merge(first)
  }

  package var device: String { position.device }
  package var time: UTCInstant? { position.time }

  /// Whether the epoch is a position: mode 2 or 3, and a coordinate.
  package var hasPosition: Bool {
    (position.mode ?? 0) >= 2 && position.latitude != nil && position.longitude != nil
  }

  /// Whether `report` belongs to this epoch: the same device, and the same time or none yet. Without a time another
  /// position is that of another moment.
  package func takes(_ report: GPSDPosition) -> Bool {
    guard report.device == device else { return false }
    guard time == nil else { return report.time == time }
    return position.latitude == nil || report.latitude == nil
      || (position.latitude, position.longitude) == (report.latitude, report.longitude)
  }

  package mutating func merge(_ report: GPSDPosition) {
    reports += 1
    if let time = report.time { position.time = time }
    if let mode = report.mode { position.mode = mode }
    for field in GPSDPosition.Field.allCases {
      if let value = report[field] { position[field] = value }
    }
  }

  /// The draft with substitutes for missing fields: `epx` and `epy` for `eph`, the old `alt` (above
  /// mean sea level until gpsd 3.20) for `altMSL`.
  package func completed(sky: GPSDSky?) -> FixDraft {
    var draft = FixDraft()
    draft.time = time
    draft.latitude = position.latitude
    draft.longitude = position.longitude
    draft.ellipsoidalHeight = position.ellipsoidalHeight
    draft.altitude = position.altitude
    draft.geoidHeight = position.geoidHeight
    draft.speed = position.speed
    draft.course = position.course
    draft.accuracy = position.accuracy
    draft.verticalAccuracy = position.verticalAccuracy
    draft.speedAccuracy = position.speedAccuracy
    draft.courseAccuracy = position.courseAccuracy
    if draft.accuracy == nil, let east = position.eastError, let north = position.northError,
      east > 0, north > 0
    {
      draft.accuracy = (east * east + north * north).squareRoot()
    }
    if draft.altitude == nil, draft.ellipsoidalHeight == nil {
      draft.altitude = position.plainAltitude
    }
    if position.mode == 2 {
      // A 2D fix holds its height; the reported one is not measured.
      draft.altitude = nil
      draft.ellipsoidalHeight = nil
      draft.verticalAccuracy = nil
    }
    if let sky {
      draft.satellites = sky.used.map(Double.init)
      draft.hdop = sky.hdop
    }
    return draft
  }
}

/// The last SKY report of a device.
package struct GPSDSky: Sendable {
  package var device: String
  package var used: Int?
  package var hdop: Double?
  /// The number of epochs that have used it; an old sky says nothing about a new fix.
  package var age = 0

  package static let ageLimit = 10

  /// Reads a report; `nil` if it has neither satellites nor dilutions.
  package init?(_ report: JSONValue) {
    device = report["device"]?.string ?? ""
    hdop = report["hdop"]?.number
    if let satellites = report["satellites"]?.array {
      used = satellites.count { $0["used"]?.bool == true }
    }
    if let stated = report["uSat"]?.number, stated >= 0, stated < 1_000 { used = Int(stated) }
    if used == nil && hdop == nil { return nil }
  }
}
