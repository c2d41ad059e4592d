// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Testing

struct DateTests {
  @Test func `times of day roll over midnight, month and year`() throws {
    let log = gga("235959") + gga("000000") + gga("000001")
    for (date, next) in [("2026-12-31", "2027-01-01"), ("2024-02-28", "2024-02-29")] {
      let parts = date.split(separator: "-").compactMap { Int($0) }
      let result = try decode(log) {
        $0.date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
      }
      #expect(
        result.times == [
          "\(date)T23:59:59.000Z", "\(next)T00:00:00.000Z", "\(next)T00:00:01.000Z",
        ])
    }
  }

  @Test func `a log without a date says that it needs one`() throws {
    let error = #expect(throws: TraceError.self) { try decode(gga("120000")) }
    #expect(error?.code == .noDate)
    #expect(error?.message.contains("--date YYYY-MM-DD") == true)
    let undated = try decode(gga("120000")) { $0.allowsUndated = true }
    #expect(undated.times == ["1970-01-01T12:00:00.000Z"])
    #expect(!undated.ledger.isDated)
    #expect(undated.finding("no_date")?.lines == [1])
  }

  @Test func `fixes before the first date are dated by it, over midnight too`() throws {
    let result = try decode(
      gga("235958") + gga("235959") + gga("000000") + rmc("000001", "010127"))
    #expect(result.times.first == "2026-12-31T23:59:58.000Z")
    #expect(result.times.last == "2027-01-01T00:00:01.000Z")
  }

  @Test func `4,095 fixes wait for the date of the one behind them, and no more`() throws {
    func log(_ count: Int) -> String {
      let times = (0..<count).map { 10_000 * ($0 / 3_600) + 100 * ($0 / 60 % 60) + $0 % 60 }
      return times.map { gga(String("\(1_000_000 + $0)".dropFirst())) }.joined()
        + rmc("020000", "040526")
    }
    let result = try decode(log(4_095))
    #expect(result.fixes.count == 4_096)
    #expect(result.times.first == "2026-05-04T00:00:00.000Z")
    let error = #expect(throws: TraceError.self) { try decode(log(4_096)) }
    #expect(error?.code == .noDate)
  }

  @Test func `a small step back is not midnight`() throws {
    let result = try decode(
      rmc("000001", "010127") + gga("235959") + gga("000003") + rmc("000004", "010127"))
    #expect(
      result.times == [
        "2026-12-31T23:59:59.000Z", "2027-01-01T00:00:01.000Z", "2027-01-01T00:00:03.000Z",
        "2027-01-01T00:00:04.000Z",
      ])
  }

  @Test func `two-digit years pivot at 1980`() throws {
    #expect(try decode(rmc("120000", "191194")).times == ["1994-11-19T12:00:00.000Z"])
    #expect(try decode(rmc("120000", "010179")).times == ["2079-01-01T12:00:00.000Z"])
  }

  @Test func `a leap second is the first second of the next day`() throws {
    let result = try decode(rmc("235960", "311216") + rmc("000001", "010117"))
    #expect(result.times == ["2017-01-01T00:00:00.000Z", "2017-01-01T00:00:01.000Z"])
  }

  @Test func `dates of void sentences do not poison`() throws {
    let result = try decode(
      rmc("000345", "070419") + sentence("GPRMC,235948.00,V,0000.0,N,00000.0,E,,,161206,,,N")
        + sentence("GPRMC,193515.00,V,0000.0,N,00000.0,E,,,300910,,,N") + gga("000500"))
    #expect(result.times == ["2019-04-07T00:03:45.000Z", "2019-04-07T00:05:00.000Z"])
    #expect(result.voids == ["-", "-"])
  }

  @Test func `a log that steps back is another segment`() throws {
    let result = try decode(rmc("152508", "091209") + rmc("143306", "091209"))
    #expect(result.fixes.count == 2 && result.segmentEnds == 1)
    #expect(result.finding("time_backwards")?.lines == [2])
  }

  @Test func `a second log with an earlier date is not taken for the next day`() throws {
    let result = try decode(
      rmc("230000", "040526") + "# another log\n" + gga("080000") + gga("080001")
        + rmc("080002", "010526"))
    #expect(result.times.dropFirst().first == "2026-05-01T08:00:00.000Z")
    #expect(result.segmentEnds == 1)
  }

  @Test func `a tracker that reports once a day has each of its days`() throws {
    let days = ["040526", "050526", "060526", "070526"]
    let rmcFirst = days.map { rmc("120000", $0) + gga("120000") }.joined()
    let dates = ["2026-05-04", "2026-05-05", "2026-05-06", "2026-05-07"]
    #expect(try decode(rmcFirst).times == dates.map { $0 + "T12:00:00.000Z" })
    // GGA first: a place 0.1° away cannot be of the same moment.
    let places = [
      "GPGGA,120000,5230.0,N,01324.0,E,1,08,0.9,34.5,M,44.9,M,,",
      "GPGGA,120000,5236.0,N,01324.0,E,1,08,0.9,35.5,M,44.9,M,,",
    ]
    let ggaFirst = zip(places, days).map { sentence($0) + rmc("120000", $1) }.joined()
    let result = try decode(ggaFirst)
    #expect(result.times == dates.prefix(2).map { $0 + "T12:00:00.000Z" })
    #expect(result.fixes.map(\.altitude) == [34.5, 35.5])
    // Seconds after midnight a date ahead is no late one.
    let nights = [("000003", "040526"), ("000005", "050526"), ("000009", "060526")]
    #expect(
      try decode(nights.map { rmc($0, $1) }.joined()).times == [
        "2026-05-04T00:00:03.000Z", "2026-05-05T00:00:05.000Z", "2026-05-06T00:00:09.000Z",
      ])
  }

  @Test func `a date that changes one second late is ignored`() throws {
    let result = try decode(
      rmc("235959", "311226") + rmc("000000", "311226") + rmc("000001", "010127"))
    #expect(result.times.dropFirst().first == "2027-01-01T00:00:00.000Z")
    #expect(result.finding("date_lags")?.lines == [2])
  }

  @Test func `events that wait for a date are bounded`() throws {
    var log = ""
    for second in 0..<4_097 {
      let (hour, minute) = (second / 3_600, second / 60 % 60)
      let parts = [10 + hour, minute, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
      log += gga(parts.joined())
    }
    log += rmc("200000", "040526")
    let error = #expect(throws: TraceError.self) { try decode(log) }
    #expect(error?.code == .noDate)
  }
}

struct WeekRolloverTests {
  // 2026-05-04 less 7,168 days is 2006-09-18 (python3 datetime).
  private let jump = rmc("120000", "040526") + rmc("120001", "180906") + rmc("120002", "180906")

  @Test func `a jump of 1024 weeks is reported and kept`() throws {
    let result = try decode(jump)
    #expect(result.times.last == "2006-09-18T12:00:02.000Z")
    #expect(result.finding("week_rollover")?.lines == [2])
    #expect(result.segmentEnds == 1)
  }

  @Test func `a jump of 1024 weeks is repaired if asked`() throws {
    let result = try decode(jump) { $0.fixWeekRollover = true }
    #expect(result.times.last == "2026-05-04T12:00:02.000Z")
    #expect(result.segmentEnds == 0)
    #expect(result.finding("week_rollover") != nil)
  }

  @Test func `modern talkers in an old log show a rollover`() throws {
    // 2000-03-05 plus 7,168 days is 2019-10-20 (python3 datetime).
    let log =
      rmc("120000", "050300") + sentence("GAGSV,1,1,01,03,44,149,40,7") + rmc("120001", "050300")
    let kept = try decode(log)
    #expect(kept.times.first == "2000-03-05T12:00:00.000Z")
    #expect(kept.finding("week_rollover")?.text.contains("2019-10-20") == true)
    let repaired = try decode(log) { $0.fixWeekRollover = true }
    #expect(repaired.times == ["2019-10-20T12:00:00.000Z", "2019-10-20T12:00:01.000Z"])
  }

  @Test func `two rollovers are undone together`() throws {
    // 1986-01-01 plus 2 × 7,168 days is 2025-04-02 (python3 datetime).
    let log = rmc("120000", "010186", talker: "GA")
    #expect(
      try decode(log) { $0.fixWeekRollover = true }.times == ["2025-04-02T12:00:00.000Z"])
  }

  @Test func `a log of 2005 is believed`() throws {
    let result = try decode(rmc("120000", "250905") + rmc("120001", "250905")) {
      $0.fixWeekRollover = true
    }
    #expect(result.times.first == "2005-09-25T12:00:00.000Z")
    #expect(result.ledger.findings.isEmpty)
  }
}
