// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// Decodes track files of OziExplorer, and those of the GeoLife data set, which are written alike.
///
/// Six header lines: the program, the datum, the unit of altitudes, and three that draw. Then a line for each point:
/// latitude, longitude, 1 where another track begins, altitude (−777 if unknown), days since 1899-12-30, and the same as
/// a date and a time. GeoLife's guide says that its times are GMT, and its third field is always 0. A date and a time
/// as in `2009-10-11,14:04:30` are taken as written; of others, which are written as the machine's language has them,
/// the days are, to a hundredth of a second.
package struct PLTDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: 4_096)
  package var intake: PointIntake
  private var metresOfAltitude = 0.3048

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  private static let headerLength = 6
  private static let unknownAltitude = -777.0
  /// 1970-01-01 in days since 1899-12-30.
  private static let epoch = 25_569.0

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if lines.number <= Self.headerLength { return try takeHeader(line) }
    let fields = Array(copying: line).split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count >= 5 else {
      return try intake.refuse(
        "too few fields", line: lines.number, "\(fields.count) fields, and a point has 5 or more")
    }
    func number(_ index: Int) -> Double? {
      NumberText.value(Array(fields[index].drop { $0 <= 0x20 }).span)
    }
    var row = FixRow()
    row.set(.latitude, 1, text: Array(fields[0]).span)
    row.set(.longitude, 1, text: Array(fields[1]).span)
    if number(2) == 1 { intake.endSegment(line: lines.number, into: &events) }
    if let altitude = number(3), altitude != Self.unknownAltitude {
      row.draft.altitude = altitude * metresOfAltitude
    }
    let stamp = fields.count >= 7 ? Array(fields[5] + [UInt8(ascii: "T")] + fields[6]) : []
    if let time = RFC3339.parse((stamp + [UInt8(ascii: "Z")]).span) {
      _ = row.draft.setTime(time)
    } else if let days = number(4), days > 0, days < 1e6 {
      let hundredths = ((days - Self.epoch) * 8_640_000).rounded()
      row.draft.time = UTCInstant(microseconds: Int64(hundredths) * 10_000)
    }
    try row.emit(line: lines.number, intake: &intake, into: &events)
  }

  private mutating func takeHeader(_ line: borrowing Span<UInt8>) throws(TraceError) {
    let text = String(decoding: Array(copying: line).filter { $0 > 0x20 }, as: UTF8.self)
      .lowercased()
    if lines.number == 2, text != "wgs84" {
      throw TraceError(
        .unrecognised, line: 2,
        "the datum is '\(String(decoding: Array(copying: line).prefix(40), as: UTF8.self))'; only WGS 84 is read: "
          + "gpsbabel -i ozi -f FILE -o gpx -F trace.gpx")
    }
    if lines.number == 3, text.contains("met") { metresOfAltitude = 1 }
    intake.countUsed()
  }
}

extension TraceFormat {
  package static let plt = TraceFormat(
    "plt", name: "OziExplorer's and GeoLife's tracks", isListed: false,
    decoder: PLTDecoder.init(options:)
  ) { sample in
    let beginnings = ["Geolife trajectory", "OziExplorer Track Point File"]
    return beginnings.contains { sample.text.starts(with: $0.utf8) } ? .beginning : .none
  }
}
