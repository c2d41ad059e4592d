// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// The objects that ordinary gpsd clients read, as in gpsd_json(5) of protocol 3.14: that of gpsd 3.20 to 3.22; later
/// ones only add to it.
enum GPSDObjects {
  /// The report of whether reports are on, and in which forms.
  static let watch = JSONTable<GPSDWatch> { watch in
    watch.option("enable", \.isOn, Bool.json) { _ in true }
    watch.option("json", \.json, Bool.json) { _ in true }
    watch.option("nmea", \.nmea, Bool.json) { _ in true }
    watch.constant("raw", 0)
    for name in ["scaled", "timing", "split24", "pps"] { watch.constant(name, false) }
  }
}

/// The report of a release: to a gpsd client gpsd's, since cgps warns of any other than its own.
struct GPSDVersion: Sendable {
  var release = ""
  var rev = ""

  static func rev(_ release: String) -> String { "milepost-\(release)" }

  static let table = JSONTable<Self> { version in
    version.field("release", \.release)
    version.field("rev", \.rev)
    version.constant("proto_major", 3)
    version.constant("proto_minor", 14)
  }
}

/// The answer to `?WATCH`.
struct GPSDWatch: Sendable {
  var isOn = false
  var json = false
  var nmea = false
}

/// The `SKY` of a device.
struct GPSDSkyReport: JSONObject {
  var device: String?
  var sky = Sky()

  static let empty = Self()
  static let table = JSONTable<Self> { report in
    report.option("device", \.device, String.json)
    report.include(\.sky, Sky.table)
  }

  /// The report as an element of an array, in which its class is a member.
  fileprivate static let element = JSONTable<Self> { report in
    report.constant("class", "SKY")
    report.include(\.self, table)
  }
}

/// `TPV`: unknown members are absent, as in gpsd's reports; without a fix the mode is 0.
struct GPSDReport: JSONObject {
  var device: String?
  private var mode = 0
  private var time: UTCInstant?
  private var latitude: Double?
  private var longitude: Double?
  private var ellipsoidalHeight: Double?
  private var altitude: Double?
  private var horizontalAccuracy: Double?
  private var verticalAccuracy: Double?
  private var course: Double?
  private var speed: Double?
  private var courseAccuracy: Double?
  private var speedAccuracy: Double?

  init() {}

  init(_ fix: Fix?, device: String) {
    self.device = device.isEmpty ? nil : device
    guard let fix else { return }
    mode = fix.altitude == nil && fix.ellipsoidalHeight == nil ? 2 : 3
    time = fix.time
    (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
    (ellipsoidalHeight, altitude) = (fix.ellipsoidalHeight, fix.altitude)
    (horizontalAccuracy, verticalAccuracy) = (fix.horizontalAccuracy, fix.verticalAccuracy)
    (course, speed) = (fix.course, fix.speed)
    (courseAccuracy, speedAccuracy) = (fix.courseAccuracy, fix.speedAccuracy)
  }

  /// `nil` if the report has no position.
  var fix: Fix? {
    guard mode >= 2, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return Fix(
      time: time, coordinate: coordinate, horizontalAccuracy: horizontalAccuracy,
      altitude: altitude, ellipsoidalHeight: ellipsoidalHeight, verticalAccuracy: verticalAccuracy,
      speed: speed, course: course, speedAccuracy: speedAccuracy, courseAccuracy: courseAccuracy)
  }

  static let empty = Self()
  static let table = JSONTable<Self> { report in
    report.option("device", \.device, String.json)
    report.field("mode", \.mode, .whole(in: 0...3))
    report.option("time", \.time, UTCInstant.json)
    report.option("lat", \.latitude, .number(in: -90...90))
    report.option("lon", \.longitude, .number(in: -180...180))
    report.option("altHAE", \.ellipsoidalHeight, .number())
    report.option("altMSL", \.altitude, .number())
    // gpsd writes `alt` beside its successors, for clients older than 3.20.
    report.optionalValue("alt", .number()) { $0.altitude }
    report.option("eph", \.horizontalAccuracy, .number(in: 0...1e15))
    report.option("epv", \.verticalAccuracy, .number(in: 0...1e15))
    report.option("track", \.course, .number(in: 0...360))
    report.option("speed", \.speed, .number(in: 0...1e15))
    report.option("epd", \.courseAccuracy, .number(in: 0...180))
    report.option("eps", \.speedAccuracy, .number(in: 0...1e15))
  }

  /// The report as an element of an array, in which its class is a member.
  fileprivate static let element = JSONTable<Self> { report in
    report.constant("class", "TPV")
    report.include(\.self, table)
  }
}

/// `POLL`: the last report, and the time of the request.
struct GPSDPoll {
  var time = UTCInstant.epoch
  var reports: [GPSDReport] = []
  var skies: [GPSDSkyReport] = []

  static let table = JSONTable<Self> { poll in
    poll.field("time", \.time)
    poll.value("active") { $0.reports.first?.fix == nil ? 0 : 1 }
    poll.field("tpv", \.reports, .array(of: GPSDReport.element.form(reading: .empty)))
    poll.constant("gst", .array([]))
    poll.field("sky", \.skies, .array(of: GPSDSkyReport.element.form(reading: .empty)))
  }
}
