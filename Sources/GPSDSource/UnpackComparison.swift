// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel

/// Compares what libgps made of a line with the line itself, field by field.
///
/// Where the two agree libgps' value is used; where they differ the line is believed and the field is
/// counted. Numbers agree within 1e-9 of their size (libgps reads decimals a few last bits off) and
/// times within a millisecond. `alt` is not compared: libgps calls its member undefined.
struct UnpackComparison {
  /// How often each field differed; the names are a closed list, so this stays small.
  private(set) var differences: [String: Int] = [:]

  /// The report to use; `unpacked` is `nil` where libgps made nothing of the line. Appends a field to
  /// `new` when it differs for the first time.
  mutating func settle(
    _ stated: GPSDPosition, _ unpacked: GPSDPosition?, new: inout [String]
  ) -> GPSDPosition {
    guard let unpacked else {
      count("TPV.class", &new)
      return stated
    }
    var settled = stated
    if stated.device != unpacked.device { count("TPV.device", &new) }
    // libgps cannot tell an absent mode from 0.
    if (stated.mode ?? 0) != unpacked.mode { count("TPV.mode", &new) }
    switch (stated.time, unpacked.time) {
    case (let line?, let library?)
    where UTCInstant.seconds(from: line, to: library).magnitude <= 1e-3:
      settled.time = library
    case (nil, nil): break
    default: count("TPV.time", &new)
    }
    for field in GPSDPosition.Field.allCases where field != .alt {
      if Self.agree(stated[field], unpacked[field]) {
        settled[field] = unpacked[field]
      } else {
        count("TPV.\(field.rawValue)", &new)
      }
    }
    return settled
  }

  mutating func settle(
    _ stated: GPSDSky, statesSatellites: Bool, _ unpacked: ReportUnpacker.Sky?,
    new: inout [String]
  ) -> GPSDSky {
    guard let unpacked else {
      count("SKY.class", &new)
      return stated
    }
    if !Self.agree(stated.hdop, unpacked.hdop) { count("SKY.hdop", &new) }
    // Without the list of satellites libgps 3.22 counts none, whatever `uSat` says.
    if statesSatellites, stated.used != unpacked.used { count("SKY.satellites", &new) }
    return stated
  }

  mutating func settle(
    _ stated: ReportUnpacker.Version, _ unpacked: ReportUnpacker.Version?, new: inout [String]
  ) {
    if stated != unpacked { count("VERSION", &new) }
  }

  static func agree(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return (a - b).magnitude <= 1e-9 * max(1, a.magnitude)
  }

  private mutating func count(_ field: String, _ new: inout [String]) {
    if differences[field] == nil { new.append(field) }
    differences[field, default: 0] += 1
  }
}
