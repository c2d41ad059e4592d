// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import LocationModel

/// A drive to a place 3 km to the north, a stay, and the drive back, once a second: 3 min at home, 200 s on the way, 13
/// min there, as long back, and at home again. A device that rests after 10 min has left 10 min later, when at home.
enum Outing {
  /// 2026-05-04T08:00:00Z (date -u -d … +%s).
  static let start = UTCInstant(microseconds: 1_777_881_600_000_000)
  static let home = (latitude: 52.0, longitude: 5.0)
  /// Metres per second on the way.
  static let speed = 15.0
  /// Seconds since the start and metres north of home then; linear in between.
  private static let legs: [(at: Int, north: Double)] = [
    (0, 0), (180, 0), (380, 3_000), (1_150, 3_000), (1_350, 0), (1_560, 0),
  ]
  static let seconds = 1_560

  /// Writes `outing.nmea` and its truth into a folder; returns the path of the log.
  static func write(into folder: String) throws -> String {
    var log = ""
    for second in 0...seconds { log += epoch(of: second) }
    let truth = legs.map { leg in
      "\(start.advanced(bySeconds: Double(leg.at)).rfc3339),"
        + String(format: "%.7f,%.7f", latitude(leg.north), home.longitude)
    }
    let path = folder + "/outing.nmea"
    try log.write(toFile: path, atomically: true, encoding: .utf8)
    try (["time,latitude,longitude"] + truth).map { $0 + "\n" }.joined().write(
      toFile: folder + "/outing.truth.csv", atomically: true, encoding: .utf8)
    return path
  }

  private static func latitude(_ north: Double) -> Double {
    // Metres of a degree of latitude at 52° (WGS-84: 111,132.95 − 559.85 cos 2φ + 1.17 cos 4φ).
    home.latitude + north / 111_267.0
  }

  private static func epoch(of second: Int) -> String {
    let next = legs.firstIndex { $0.at > second } ?? legs.count - 1
    let (a, b) = (legs[next - 1], legs[next])
    let slope = (b.north - a.north) / Double(b.at - a.at)
    let north = a.north + slope * Double(second - a.at)
    let now = timespec(
      tv_sec: Int(start.microseconds / 1_000_000) + second, tv_nsec: 0)
    return Feed.epoch(
      latitude(north), home.longitude, speed: abs(slope), course: slope < 0 ? 180 : 0,
      hasFix: true, at: now)
  }
}
