// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

private func read(
  _ text: String, _ change: (inout DecodingOptions) -> Void = { _ in }
) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  var options = DecodingOptions()
  change(&options)
  return try decoded(CSVDecoder(options: options), text)
}

struct CSVDecoderTests {
  @Test func columnsAreFoundByTheNamesThatProgramsUse() throws {
    let (events, ledger) = try read(
      """
      # made by hand
      Timestamp;LNG;Lat;"Accuracy (m)";Speed_kmh;Bearing;provider
      1777878489;13.25;45.5;12;36;90;network

      """)
    let fix = try #require(positions(events).first)
    // 1,777,878,489 s = 2026-05-04T07:08:09Z: `date -u -d @1777878489`.
    #expect(fix.time?.rfc3339 == "2026-05-04T07:08:09.000Z")
    #expect(fix.coordinate == Coordinate(latitude: 45.5, longitude: 13.25))
    #expect(fix.horizontalAccuracy == 12)
    #expect(fix.speed == 10)
    #expect(fix.course == 90)
    #expect(fix.source == .network)
    #expect(ledger.read == 3)
    #expect(ledger.used == 2)
    #expect(ledger.skipped == ["comment": 1])
  }

  @Test(arguments: [
    "1777878489", "1777878489.000", "1777878489000", "1777878489000000", "2026-05-04T07:08:09Z",
    "\"2026-05-04 09:08:09+02:00\"",
  ])
  func timesAreToldApartByTheirForm(time: String) throws {
    let (events, ledger) = try read("time,lat,lon\n\(time),1,2\n")
    #expect(positions(events).first?.time?.microseconds == 1_777_878_489_000_000)
    #expect(ledger.utcOffset == (time.contains("+02:00") ? 120 : nil))
  }

  @Test func aDayAndATimeOfDayMayBeTwoColumns() throws {
    let (events, _) = try read("date,time,lat,lon\n2026-05-04,07:08:09Z,1,2\n")
    #expect(positions(events).first?.time?.rfc3339 == "2026-05-04T07:08:09.000Z")
  }

  @Test(arguments: ["sep=;", "SEP=;\r"])
  func theLineThatTellsExcelTheSeparatorIsNoHeader(line: String) throws {
    let text = "\(line)\ntime;lat;lon\n2026-05-04T07:08:09Z;1;2\n"
    let (events, ledger) = try read(text)
    #expect(positions(events).map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)])
    #expect(ledger.skipped == ["separator": 1])
  }

  @Test func timesBeforeGPSBeganAreReported() throws {
    // IS-GPS-200: GPS time began at 1980-01-06T00:00:00Z, which is 315,964,800 s: `date -u -d 1980-01-06 +%s`.
    let (_, ledger) = try read("time,lat,lon\n315964799,1,2\n315964800,1,2\n")
    #expect(ledger.findings.map(\.kind) == ["early_time"])
    #expect(ledger.findings.first?.lines == [2])
  }

  @Test func quotedFieldsMayHoldTheDelimiterAndQuotes() throws {
    let (events, _) = try read(
      "name,lat,lon,time\r\n\"a, \"\"b\"\"\",1,2,2026-05-04T07:08:09Z\r\n")
    #expect(positions(events).first?.coordinate.longitude == 2)
  }

  @Test func anOptionalValueThatIsNoNumberIsLeftOutAndToldAndStrictRefusesIt() throws {
    let text = """
      time,lat,lon,speed,altitude,satellites
      2026-05-04T07:08:09Z,1,2,10 km/h,n/a,
      2026-05-04T07:08:10Z,1,2,11 km/h,"12,5",NaN

      """
    let (events, ledger) = try read(text)
    #expect(positions(events).map(\.speed) == [nil, nil])
    #expect(ledger.used == 3)
    #expect(ledger.findings.map(\.kind) == ["unread_speed_mps", "unread_altitude_m"])
    #expect(
      ledger.findings.map(\.text) == [
        "left out: speed_mps is '10 km/h', not a number",
        "left out: altitude_m is '12,5', not a number (decimals need a point, not a comma)",
      ])
    #expect(ledger.findings.map(\.lines) == [[2, 3], [3]])
    #expect(
      throws: TraceError(.malformed, line: 2, "speed_mps is '10 km/h', not a number")
    ) { try read(text) { $0.strict = true } }
  }

  @Test func aQuotedFieldMayHoldLineBreaks() throws {
    // RFC 4180, 2.6. Three lines are the header and one row, which begins on line 2.
    let (events, ledger) = try read(
      "time,note,lat,lon\n2026-05-04T07:08:09Z,\"a\n\nb\",1,2\n2026-05-04T07:08:10Z,c,1,3\n")
    #expect(positions(events).map(\.coordinate.longitude) == [2, 3])
    #expect(ledger.read == 5 && ledger.used == 5 && ledger.skipped.isEmpty)
    #expect(ledger.unused == ["note": 2])
  }

  @Test func aQuoteThatIsNeverClosedSpoilsItsOwnLineOnly() throws {
    let rows = (10...99).map { "2026-05-04T07:08:09.\($0)Z,x,1,2\n" }.joined()
    let (events, ledger) = try read("time,note,lat,lon\n2026-05-04T07:08:08Z,\"x,1,2\n" + rows)
    #expect(positions(events).count == 90)
    #expect(ledger.skipped == ["quote not closed": 1])
    #expect(ledger.findings.map(\.lines) == [[2]])
  }

  @Test func aLastRowWithoutALineFeedIsToldToBePerhapsCut() throws {
    let text = "time,lat,lon\n2026-05-04T07:08:09Z,1,2\n2026-05-04T07:08:10Z,1,2"
    let (events, ledger) = try read(text)
    #expect(positions(events).count == 2)
    #expect(ledger.findings.map(\.text) == ["the last line has no end: its last value may be cut"])
    #expect(ledger.findings.map(\.lines) == [[3]])
    #expect(try read(text + "\n").ledger.findings.isEmpty)
  }

  @Test func aNumberThatNoFixHasIsLeftOutAndTold() throws {
    let text = "time,lat,lon,altitude,speed\n2026-05-04T07:08:09Z,1,2,1e308,-1e9\n"
    let (events, ledger) = try read(text)
    #expect(positions(events).map(\.altitude) == [nil])
    #expect(
      ledger.findings.map(\.text) == [
        "left out: altitude is 1e+308, which is no value of a fix",
        "left out: speed is -1000000000, which is no value of a fix",
      ])
    #expect(throws: TraceError.self) { try read(text) { $0.strict = true } }
  }

  @Test(arguments: ["253402300800", "-62167219201"])
  func aTimeOfAYearThatHasNotFourDigitsIsNone(seconds: String) throws {
    // 10000-01-01T00:00:00Z and one second before 0000-01-01T00:00:00Z.
    let (events, ledger) = try read("time,lat,lon\n\(seconds)000000,1,2\n")
    #expect(events.isEmpty)
    #expect(ledger.skipped == ["time not understood": 1])
  }

  @Test func aDecimalCommaIsSaidToBeOne() {
    #expect(
      throws: TraceError(
        .malformed, line: 2,
        "latitude is '45,123', not a number (decimals need a point, not a comma)")
    ) { try read("lat;lon;time\n45,123;13,5;2026-05-04T07:08:09Z\n") { $0.strict = true } }
    #expect(
      throws: TraceError(
        .malformed, line: 2, "5 fields, but the header names 3 (a decimal comma?)")
    ) { try read("lat,lon,time\n45,123,13,5,2026-05-04T07:08:09Z\n") { $0.strict = true } }
  }

  @Test func aRowWithATimeAndNoCoordinateIsAnEpochWithoutFix() throws {
    let (events, ledger) = try read(
      "time,lat,lon\n2026-05-04T07:08:09Z,,\n2026-05-04T07:08:10Z,1,\n")
    #expect(events == [.noFix(time: UTCInstant(microseconds: 1_777_878_489_000_000), line: 2)])
    #expect(ledger.skipped == ["no coordinate": 1])
  }

  @Test func aChangeOfSegmentEndsOne() throws {
    let (events, _) = try read(
      "time,lat,lon,segment\n1777878489,1,2,0\n1777878490,1,2,0\n1777878491,1,2,1\n")
    #expect(
      events.map { if case .segmentEnd = $0 { "end" } else { "fix" } }
        == ["fix", "fix", "end", "fix"])
  }

  @Test func withoutAHeaderThatNamesACoordinateItIsNoTrace() {
    #expect(
      throws: TraceError(
        .unrecognised, line: 1, "the header line names no latitude and longitude columns")
    ) { try read("45.5,13.5\n") }
  }

  @Test func anyCutGivesTheSameEvents() throws {
    #expect(
      try isIndifferentToCuts(
        { CSVDecoder(options: DecodingOptions()) },
        "\u{FEFF}time,lat,lon\r\n1777878489,1,2\r\n\r\n#x\n1777878490,\"1\",2"))
  }

  @Test func aRowThatTheFileEndsInIsSkippedWhereFieldsAreMissing() throws {
    // Its longitude may have been 13.5 or 139.
    let (events, ledger) = try read("time,lat,lon,speed\n1777878489,1,2,3\n1777878490,1,13")
    #expect(positions(events).count == 1)
    #expect(ledger.skipped == ["cut row": 1])
    // Before a line feed, and in the last field, nothing says so.
    #expect(positions(try read("time,lat,lon,speed\n1777878489,1,2\n").events).count == 1)
    #expect(positions(try read("time,lat,lon,speed\n1777878489,1,2,3").events).count == 1)
    #expect(
      throws: TraceError(
        .malformed, line: 2,
        "the file ends within this row: 3 of 4 fields, and no line feed")
    ) { try read("time,lat,lon,speed\n1777878490,1,13") { $0.strict = true } }
  }

  @Test func aLineOfAnyLengthTakesBoundedMemory() throws {
    let long = String(repeating: "9", count: 200_000)
    let (_, ledger) = try read("time,lat,lon\n1777878489,\(long),2\n1777878489,1,2\n")
    #expect(ledger.skipped == ["line too long": 1])
    #expect(ledger.fixes == 1)
  }

  @Test(
    "Times of databases and loggers, and one column named for the date that holds all of it",
    arguments: [
      "2026-05-04 07:08:09+00", "2026-05-04 09:08:09+02", "2026-05-04 07:08:09 UTC",
      "20260504070809", "20260504T070809Z", "20260504T090809+02:00", "2026-05-04 07:08:09",
    ])
  func looseTimes(_ text: String) throws {
    for column in ["time", "Date"] {
      let (events, _) = try read("\(column),lat,lon\n\(text),45.5,13.25\n")
      #expect(positions(events).map { $0.time?.rfc3339 } == ["2026-05-04T07:08:09.000Z"])
    }
  }

  @Test("A time of day is joined with its date; a number is a time of its own")
  func joinedTimes() throws {
    for time in ["07:08:09", "1777878489"] {
      let (events, _) = try read("date,time,lat,lon\n2026-05-04,\(time),45.5,13.25\n")
      #expect(positions(events).map { $0.time?.rfc3339 } == ["2026-05-04T07:08:09.000Z"])
    }
    // No month has a 32nd day, and 13 digits are milliseconds.
    let (events, ledger) = try read("time,lat,lon\n20260532070809Z,45.5,13.25\n")
    #expect(positions(events).isEmpty && ledger.skipped == ["time not understood": 1])
  }

  @Test("A value that no fix has is left out with a word; those that mean unknown without one")
  func outside() throws {
    let head = "time,lat,lon,speed,course,accuracy,hdop\n2026-05-04T07:08:09Z,1,2,"
    let (_, ledger) = try read(head + "-5,361,-3,99\n")
    #expect(
      Set(ledger.findings.map(\.text)) == [
        "left out: speed is -5, which is no value of a fix",
        "left out: course is 361, which is no value of a fix",
        "left out: accuracy is -3, which is no value of a fix",
      ])
    // Core Location's −1, and a receiver's 0 and 99.
    #expect(try read(head + "-1,-1,-1,99\n").ledger.findings.isEmpty)
    #expect(try read(head + "0,360,0,0\n").ledger.findings.isEmpty)
  }
}
