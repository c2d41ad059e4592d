// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The named values of a fix that CSV, JSON lines and GeoJSON share, written and read in one place.
///
/// Names end in their unit. Numbers are the shortest decimals that read back as the same `Double`,
/// times are RFC 3339 UTC with milliseconds, or microseconds if there are any: nothing is lost.
enum FixColumn: String, CaseIterable, Sendable {
  case time
  case latitude
  case longitude
  case accuracy = "accuracy_m"
  case altitude = "altitude_m"
  case ellipsoidalHeight = "ellipsoidal_height_m"
  case verticalAccuracy = "vertical_accuracy_m"
  case speed = "speed_mps"
  case course = "course_deg"
  case hdop
  case satellites
  case source
  case segment
  case speedAccuracy = "speed_accuracy_mps"
  case courseAccuracy = "course_accuracy_deg"

  /// Whether a form that names each value leaves this one out if unknown: few receivers state it.
  var isRare: Bool { self == .speedAccuracy || self == .courseAccuracy }

  /// The column's number, or `nil` if it is text or unknown.
  func number(of fix: Fix) -> Double? {
    switch self {
    case .latitude: fix.coordinate.latitude
    case .longitude: fix.coordinate.longitude
    case .accuracy: fix.horizontalAccuracy
    case .altitude: fix.altitude
    case .ellipsoidalHeight: fix.ellipsoidalHeight
    case .verticalAccuracy: fix.verticalAccuracy
    case .speed: fix.speed
    case .course: fix.course
    case .speedAccuracy: fix.speedAccuracy
    case .courseAccuracy: fix.courseAccuracy
    case .hdop: fix.hdop
    case .satellites: fix.satellites.map(Double.init)
    case .time, .source, .segment: nil
    }
  }

  /// The column that other programs call `name`, and the factor for its numbers.
  ///
  /// Case, blanks, `_` and everything that is neither letter nor digit do not count.
  static func named(_ name: String) -> (column: FixColumn, factor: Double)? {
    let key = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if let column = aliases[key] { return (column, 1) }
    switch key {
    case "speedkmh", "speedkph", "kmh", "velocitykmh": return (.speed, 1 / 3.6)
    case "speedknots", "speedkn", "speedkt", "knots": return (.speed, 1_852.0 / 3_600)
    case "speedmph", "mph": return (.speed, 0.447_04)
    default: return nil
    }
  }

  private static let aliases: [String: FixColumn] = [
    "time": .time, "timestamp": .time, "datetime": .time, "timeutc": .time, "utc": .time,
    "utctime": .time, "dateutc": .time, "fixtime": .time, "gpstime": .time, "tst": .time,
    "epoch": .time, "unixtime": .time, "timems": .time, "times": .time, "recordedat": .time,
    "latitude": .latitude, "lat": .latitude, "gpslatitude": .latitude, "latitudedeg": .latitude,
    "longitude": .longitude, "lon": .longitude, "lng": .longitude, "long": .longitude,
    "gpslongitude": .longitude, "longitudedeg": .longitude,
    "accuracym": .accuracy, "accuracy": .accuracy, "acc": .accuracy, "hacc": .accuracy,
    "horizontalaccuracy": .accuracy, "horizontalaccuracym": .accuracy,
    "accuracyhorizontal": .accuracy,
    "altitudem": .altitude, "altitude": .altitude, "alt": .altitude, "ele": .altitude,
    "elevation": .altitude, "elevationm": .altitude, "altmsl": .altitude,
    "ellipsoidalheightm": .ellipsoidalHeight, "ellipsoidalheight": .ellipsoidalHeight,
    "althae": .ellipsoidalHeight, "hae": .ellipsoidalHeight,
    "verticalaccuracym": .verticalAccuracy, "verticalaccuracy": .verticalAccuracy,
    "vacc": .verticalAccuracy, "vac": .verticalAccuracy, "altitudeaccuracy": .verticalAccuracy,
    "accuracyvertical": .verticalAccuracy,
    "speedmps": .speed, "speed": .speed, "speedms": .speed, "velocity": .speed,
    "coursedeg": .course, "course": .course, "bearing": .course, "cog": .course, "track": .course,
    "speedaccuracymps": .speedAccuracy, "speedaccuracy": .speedAccuracy,
    "courseaccuracydeg": .courseAccuracy, "courseaccuracy": .courseAccuracy,
    "bearingaccuracy": .courseAccuracy,
    "hdop": .hdop,
    "satellites": .satellites, "sats": .satellites, "sat": .satellites,
    "numsatellites": .satellites, "numsats": .satellites, "satellitesused": .satellites,
    "source": .source, "provider": .source, "src": .source,
    "segment": .segment, "seg": .segment, "trackseg": .segment, "segmentid": .segment,
  ]
}

/// One row of such a file while being read.
struct FixRow {
  var draft = FixDraft()
  /// The segment that the row states.
  var segment: Int?
  /// A value that could not be read: the column's name and the text.
  private(set) var flaw: (column: String, text: String)?
  private(set) var hasZonelessTime = false
  /// Optional values that could not be read.
  private(set) var unread: [UnreadValue] = []
  /// Whether the row states that its position is null; then it is an epoch, even without a time.
  var isNull = false
  /// Names of values without a place in a trace.
  var unused: [String] = []

  /// Whether the row is an epoch without a position: it states neither coordinate.
  var isWithoutPosition: Bool { draft.latitude == nil && draft.longitude == nil && flaw == nil }

  mutating func set(_ column: FixColumn, _ factor: Double, text: borrowing Span<UInt8>) {
    var start = 0
    var end = text.count
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    if start == end { return }
    let value = text.extracting(start..<end)
    switch column {
    case .time: setTime(value)
    case .source: draft.source = Self.source(Self.string(value))
    default:
      guard let number = NumberText.value(value) else {
        let text = String(Self.string(value).prefix(40))
        if column == .latitude || column == .longitude {
          return flaw = flaw ?? (column.rawValue, text)
        }
        return leaveOut(column, text)
      }
      set(column, number * factor)
    }
  }

  /// Leaves out an optional value that is not a number.
  mutating func leaveOut(_ column: FixColumn, _ text: String) {
    let words = String(text.prefix(40))
    if !UnreadValue.isUnknown(words) { unread.append(UnreadValue(column.rawValue, words)) }
  }

  mutating func set(_ column: FixColumn, _ value: Double) {
    switch column {
    case .latitude: draft.latitude = value
    case .longitude: draft.longitude = value
    case .accuracy: draft.accuracy = value
    case .altitude: draft.altitude = value
    case .ellipsoidalHeight: draft.ellipsoidalHeight = value
    case .verticalAccuracy: draft.verticalAccuracy = value
    case .speed: draft.speed = value
    case .course: draft.course = value
    case .speedAccuracy: draft.speedAccuracy = value
    case .courseAccuracy: draft.courseAccuracy = value
    case .hdop: draft.hdop = value
    case .satellites: draft.satellites = value
    case .segment: if value.magnitude < 1e15 { segment = Int(value) }
    case .time: setTime(seconds: value)
    case .source: break
    }
  }

  mutating func setTime(_ text: borrowing Span<UInt8>) {
    if let time = RFC3339.parse(text) ?? LooseTime.parse(text) {
      hasZonelessTime = draft.setTime(time)
    } else if let number = NumberText.value(text) {
      setTime(seconds: number)
    } else {
      flaw = flaw ?? ("time", String(Self.string(text).prefix(40)))
    }
  }

  /// Seconds since 1970, or milliseconds from 10¹¹ (the year 5138 in seconds, 1973 in milliseconds)
  /// on, or microseconds from 10¹⁴ on.
  mutating func setTime(seconds value: Double) {
    let scale = value.magnitude < 1e11 ? 1e6 : value.magnitude < 1e14 ? 1e3 : 1
    guard value.magnitude < 1e17, let time = UTCInstant(readableMicroseconds: value * scale) else {
      return flaw = flaw ?? ("time", NumberText.text(value))
    }
    draft.time = time
  }

  static func source(_ word: String) -> Fix.Source {
    switch word.lowercased() {
    case "network", "cell", "wifi", "wlan", "nlp": .network
    default: .gnss
    }
  }

  static func string(_ text: borrowing Span<UInt8>) -> String {
    String(decoding: Array(copying: text), as: UTF8.self)
  }

  /// Hands the row to the intake: a fix, a "no fix" epoch, or a malformed row.
  func take(
    line: Int, units: Int = 1, intake: inout PointIntake, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if let flaw {
      let isTime = flaw.column == "time"
      let hint = flaw.text.contains(",") ? " (decimals need a point, not a comma)" : ""
      return try intake.refuse(
        isTime ? "time not understood" : "coordinate not a number", line: line, units: units,
        isTime
          ? "the time is '\(flaw.text)'; it should look like 2026-05-04T07:08:09Z"
          : "\(flaw.column) is '\(flaw.text)', not a number\(hint)")
    }
    for value in unread { try intake.leaveOut(value, line: line) }
    for name in unused { intake.ledger.count(unused: name) }
    if hasZonelessTime {
      intake.ledger.note("zoneless_time", "times without a zone were read as UTC", line: line)
    }
    if isWithoutPosition, draft.time != nil || segment != nil || isNull {
      return intake.takeNoFix(time: draft.time, line: line, units: units, into: &events)
    }
    try intake.take(draft, line: line, units: units, into: &events)
  }
}

extension UTCInstant {
  /// 0000-01-01 and 10000-01-01: the range of RFC 3339, outside of which nothing is written.
  private static let readable: Range<Int64> = -62_167_219_200_000_000..<253_402_300_800_000_000

  /// `nil` outside the years 0000 to 9999.
  init?(readableMicroseconds value: Double) {
    guard value.magnitude < 1e18 else { return nil }
    self.init(microseconds: Int64(value.rounded()))
    guard isReadable else { return nil }
  }

  /// Whether the year has four digits, so that the written time can be read back.
  package var isReadable: Bool { Self.readable.contains(microseconds) }

  /// RFC 3339 in UTC with milliseconds, or with microseconds if milliseconds would lose some.
  package var fullText: String {
    var bytes: [UInt8] = []
    appendFullText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
