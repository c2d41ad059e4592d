// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// What the TPV reports of one device say about one instant, together.
///
/// gpsd sends several per epoch, each with the fields that one sentence brought; the union is the
/// fix, and of a field that comes twice the later value counts.
struct GPSDEpoch: Sendable {
  var device: String
  var time: UTCInstant?
  var mode: Int?
  var draft = FixDraft()
  var line = 0
  /// How many reports it is made of.
  private(set) var reports = 0
  private var eastError: Double?
  private var northError: Double?
  private var plainAltitude: Double?

  init(device: String, time: UTCInstant?) {
    self.device = device
    self.time = time
  }

  /// Whether the epoch is a position: mode 2 or 3, and a coordinate.
  var hasPosition: Bool { (mode ?? 0) >= 2 && draft.latitude != nil && draft.longitude != nil }

  mutating func merge(_ report: JSONValue) {
    reports += 1
    for member in report.members ?? [] {
      guard let value = member.value.number else { continue }
      switch member.key {
      case "mode": mode = value >= 0 && value < 10 ? Int(value) : nil
      case "lat": draft.latitude = value
      case "lon": draft.longitude = value
      case "altHAE": draft.ellipsoidalHeight = value
      case "altMSL": draft.altitude = value
      case "alt": plainAltitude = value
      case "geoidSep": draft.geoidHeight = value
      case "speed": draft.speed = value
      case "track": draft.course = value
      case "eph": draft.accuracy = value
      case "epx": eastError = value
      case "epy": northError = value
      case "epv": draft.verticalAccuracy = value
      default: break
      }
    }
  }

  /// The draft with what stands in for missing fields: `epx` and `epy` for `eph`, the old `alt`
  /// (above mean sea level until gpsd 3.20) for `altMSL`.
  func completed(sky: GPSDSky?) -> FixDraft {
    var draft = draft
    draft.time = time
    if draft.accuracy == nil, let eastError, let northError, eastError > 0, northError > 0 {
      draft.accuracy = (eastError * eastError + northError * northError).squareRoot()
    }
    if draft.altitude == nil, draft.ellipsoidalHeight == nil { draft.altitude = plainAltitude }
    if mode == 2 {
      // A 2D fix holds its height; what is reported is not measured.
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
struct GPSDSky: Sendable {
  var device: String
  var used: Int?
  var hdop: Double?
  /// How many epochs have used it; an old sky says nothing about a new fix.
  var age = 0

  static let ageLimit = 10

  /// Reads a report; `nil` where it has neither satellites nor dilutions.
  init?(_ report: JSONValue, device: String, into ledger: inout TraceLedger) {
    self.device = device
    hdop = report["hdop"]?.number
    let satellites = report["satellites"]?.array
    if let satellites {
      ledger.satellitesInView.include(Double(satellites.count))
      used = satellites.count { $0["used"]?.bool == true }
      for satellite in satellites {
        if let strength = satellite["ss"]?.number, strength > 0 { ledger.signal.include(strength) }
      }
    }
    if let stated = report["uSat"]?.number, stated >= 0, stated < 1_000 { used = Int(stated) }
    if used == nil && hdop == nil { return nil }
  }
}
