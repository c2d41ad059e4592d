// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import LocationModel

/// Compares our fixes of a log with gpsd's TPV reports for it (`.log.chk`).
///
/// gpsd reports several times in an epoch as sentences come in. A report agrees if we have a fix at its time, and that
/// lies within 2 × 10⁻⁶ degrees (0.0001 minutes, the last digit of many receivers, is 1.7 × 10⁻⁶): GGA and RMC of one
/// epoch often differ by that digit, and gpsd shows whichever came last. A report with the position of the previous or
/// next fix is gpsd's early one, in which the new time is joined to the old position.
/// time is joined to the old position.
///
/// gpsd 3.22 moves dates before its own time 1,024 weeks forward (2010 becomes 2030) and has its tests
/// expect that, so times are compared modulo 7,168 days.
struct GPSDAgreement: CustomStringConvertible {
  private(set) var reports = 0
  private(set) var agreeing = 0
  private(set) var early = 0
  private(set) var missing: [Int64] = []
  private(set) var apart: [Int64] = []
  var result: Decoded

  /// Degrees by which positions may differ.
  private let tolerance: Double
  /// Reports to which gpsd gives another time, for a known reason.
  private let excused: Int

  var unexplained: [Int64] { missing.count <= excused ? apart : missing + apart }

  /// The differences between gpsd and us, by the end of the log's name.
  private static let differences: [String: (tolerance: Double, excused: Int)] = [
    // GGA, GLL and RMC of one time differ by up to 0.0007 minutes; RMC and its neighbours carry the
    // position of the second before, which gpsd shows first.
    "bundg_zeus_9.log": (1.2e-5, 0),
    // At a clock step of 52 minutes backwards, gpsd takes the first GGA for the next day's until
    // ZDA says that it is the same day.
    "bt451.log": (2e-6, 2),
  ]

  init(log: URL) throws {
    let known = Self.differences.first { log.lastPathComponent.hasSuffix($0.key) }?.value
    tolerance = known?.tolerance ?? 2e-6
    excused = known?.excused ?? 0
    let tolerance = tolerance
    result = try decode(try Corpus.bytes(log)) { $0.allowsUndated = true }
    let fixes = result.fixes
    var byTime: [Int64: [Int]] = [:]
    for index in fixes.indices {
      guard let time = fixes[index].time else { continue }
      // gpsd prints milliseconds.
      byTime[Self.key(time.microseconds), default: []].append(index)
    }
    let check = log.deletingLastPathComponent().appending(path: log.lastPathComponent + ".chk")
    for report in try Corpus.reports(check) {
      reports += 1
      guard let indices = byTime[Self.key(report.micros)] else {
        missing.append(report.micros)
        continue
      }
      func matches(_ index: Int) -> Bool {
        guard fixes.indices.contains(index) else { return false }
        let coordinate = fixes[index].coordinate
        return abs(coordinate.latitude - report.latitude) < tolerance
          && abs(coordinate.longitude - report.longitude) < tolerance
      }
      if indices.contains(where: matches) {
        agreeing += 1
      } else if indices.contains(where: { matches($0 - 1) || matches($0 + 1) }) {
        early += 1
      } else {
        apart.append(report.micros)
      }
    }
  }

  private static func key(_ micros: Int64) -> Int64 {
    (micros + 500) / 1_000 % (7_168 * 86_400_000)
  }

  var description: String {
    let places = unexplained.prefix(3).map { UTCInstant(microseconds: $0).rfc3339 }
    return "\(agreeing) of \(reports) agree, \(early) early, \(missing.count) missing, "
      + "\(apart.count) apart \(places.joined(separator: " "))"
  }
}
