// SPDX-License-Identifier: Apache-2.0

import CGPS
import FixFormats
import JSONText
import LocationModel

/// The libgps structure and the only code that touches it: one line in, a value out.
///
/// `gps_unpack` always returns 0, and for an unknown line leaves the previous values. So the structure is zeroed before
/// each line, the line has been parsed and classified before, only the classes below reach it, and it counts as
/// unpacked only if libgps set the bits of that class.
///
/// Only TPV, SKY and VERSION go through it. libgps 3.22 has room for four devices, and given a
/// DEVICES report with five `gps_unpack` never returns (measured); device reports are therefore read
/// from the JSON alone, so any number of devices does no harm. Nor does it return if it fails on a line that names
/// another class later on (measured): such a line is not given to it.
struct ReportUnpacker: ~Copyable {
  /// API version of the libgps that this was built against.
  static let apiMajor = Int(CGPS_API_MAJOR.rawValue)
  static let apiMinor = Int(CGPS_API_MINOR.rawValue)

  enum Class: String {
    case position = "TPV"
    case sky = "SKY"
    case version = "VERSION"
  }

  struct Sky: Equatable {
    var used: Int
    var hdop: Double?
  }

  struct Version: Equatable {
    var release: String
    var major: Int
    var minor: Int
  }

  private let data: UnsafeMutablePointer<gps_data_t>
  private var buffer: [CChar] = []

  init() {
    guard let data = cgps_make() else { preconditionFailure("no memory for gps_data_t") }
    self.data = data
  }

  deinit { cgps_free(data) }

  /// The TPV report `line`, or `nil` if libgps could not read it.
  mutating func position(_ line: [UInt8]) -> GPSDPosition? {
    guard var report = unpack(line, as: .position), report.set & cgps_mode_set != 0 else {
      return nil
    }
    var position = GPSDPosition()
    position.device = Self.text(&report.device)
    position.mode = Int(report.mode)
    if report.set & cgps_time_set != 0 {
      position.time = UTCInstant(
        microseconds: report.time_seconds * 1_000_000 + report.time_nanoseconds / 1_000)
    }
    func value(_ value: Double, _ bit: UInt64? = nil) -> Double? {
      if let bit, report.set & bit == 0 { return nil }
      return value.isFinite ? value : nil
    }
    position.latitude = value(report.latitude, cgps_position_set)
    position.longitude = value(report.longitude, cgps_position_set)
    position.ellipsoidalHeight = value(report.altitude_ellipsoid, cgps_altitude_set)
    position.altitude = value(report.altitude_sea, cgps_altitude_set)
    position.speed = value(report.speed, cgps_speed_set)
    position.course = value(report.track, cgps_track_set)
    // None of these has its own bit; libgps sets NaN if the key is missing.
    position.geoidHeight = value(report.geoid_separation)
    position.accuracy = value(report.eph)
    position.eastError = value(report.epx)
    position.northError = value(report.epy)
    position.verticalAccuracy = value(report.epv)
    position.speedAccuracy = value(report.eps)
    position.courseAccuracy = value(report.epd)
    return position
  }

  /// The SKY report `line`, or `nil` if libgps could not read it.
  mutating func sky(_ line: [UInt8]) -> Sky? {
    guard let report = unpack(line, as: .sky), report.set & cgps_satellites_set != 0 else {
      return nil
    }
    return Sky(
      used: Int(report.satellites_used), hdop: report.hdop.isFinite ? report.hdop : nil)
  }

  /// The VERSION report `line`, or `nil` if libgps could not read it.
  mutating func version(_ line: [UInt8]) -> Version? {
    guard var report = unpack(line, as: .version), report.set & cgps_version_set != 0 else {
      return nil
    }
    return Version(
      release: Self.text(&report.release), major: Int(report.protocol_major),
      minor: Int(report.protocol_minor))
  }

  private mutating func unpack(_ line: [UInt8], as kind: Class) -> cgps_report? {
    // libgps distinguishes classes by these exact bytes; a line with another spelling is not sent.
    guard line.starts(with: #"{"class":"\#(kind.rawValue)""#.utf8), line.last == UInt8(ascii: "}"),
      !Self.namesClass(line.dropFirst(2))
    else { return nil }
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: line.lazy.map { CChar(bitPattern: $0) })
    buffer.append(0)
    return buffer.withUnsafeMutableBufferPointer { cgps_unpack(data, $0.baseAddress) }
  }

  /// Whether a member `class` begins there or later; within a text its quotes would be escaped.
  private static func namesClass(_ line: ArraySlice<UInt8>) -> Bool {
    let key = Array(#""class":"#.utf8)
    return line.indices.contains { line[$0] == key[0] && line[$0...].starts(with: key) }
  }

  /// A character array that C ended with NUL.
  private static func text<T>(_ characters: inout T) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
