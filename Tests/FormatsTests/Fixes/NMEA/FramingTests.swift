// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

/// "\r\n" is one `Character`: `dropLast()` takes both.
struct FramingTests {
  private let first = rmc("120000", "040526")
  private let second = rmc("120001", "040526")

  @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n"])
  func `lines may end in any way`(end: String) throws {
    let log = (first + second).replacing("\r\n", with: end)
    let result = try decode(log)
    #expect(result.fixes.count == 2)
    #expect(result.ledger.read == 2 && result.unaccounted == 0)
  }

  @Test func `prefixes, tag blocks, headers, blank lines and garbage stand in nobody's way`() throws
  {
    let log =
      "# a header $GPRMC\n\n1234567 \(first)\\s:r3669961,c:1120959341*25\\\(second)+ 6: 28 (.....)\n"
      + "$GSENSORD,-0.120,-0.060,0.060\r\n!AIVDM,1,1,,B,13aDp<PP000IwSlN?Wm@0?wN2<1T,0*29\n"
    let result = try decode(log)
    #expect(result.fixes.count == 2)
    #expect(
      result.ledger.skipped == [
        "comment": 1, "blank": 1, "not a sentence": 1, "not a position sentence": 2,
      ])
    #expect(result.ledger.read == 7 && result.ledger.used == 2 && result.unaccounted == 0)
    #expect(result.ledger.types == ["GPRMC": 2, "GSENSORD": 1, "AIVDM": 1])
  }

  @Test func `two sentences joined on one line are both read and the line counts once`() throws {
    let result = try decode(first.dropLast() + second)
    #expect(result.fixes.count == 2)
    #expect(result.ledger.read == 1 && result.ledger.used == 1)
  }

  @Test func `a sentence cut off by the next one is lost alone`() throws {
    let result = try decode(first + String(second.prefix(30)) + rmc("120002", "040526"))
    #expect(result.fixes.count == 2)
  }

  @Test func `truncated first and last lines are skipped`() throws {
    let result = try decode("0.0,M,,*5B\r\n" + first + String(second.dropLast(7)))
    #expect(result.fixes.count == 1)
    #expect(result.ledger.skipped == ["not a sentence": 1, "checksum missing": 1])
    #expect(result.unaccounted == 0)
  }

  @Test func `the last line needs no end`() throws {
    #expect(try decode(String((first + second).dropLast())).fixes.count == 2)
  }

  @Test func `sentences without a checksum are taken until one has it`() throws {
    func bare(_ text: String) -> String { String(text.dropLast(4)) + "\r\n" }
    #expect(try decode(bare(first) + bare(second)).fixes.count == 2)
    let mixed = try decode(first + bare(second))
    #expect(mixed.fixes.count == 1)
    #expect(mixed.ledger.skipped == ["checksum missing": 1])
    #expect(try decode(first + "# next log\n" + bare(second)).fixes.count == 2)
  }

  /// Zeros behind the last decimal change no value, and move all fields that follow over the blocks and words in which
  /// bytes are looked at.
  @Test func `a sentence is read the same wherever its fields begin`() throws {
    func log(zeros: Int, prefix: String) -> String {
      let latitude = "5230.1234" + String(repeating: "0", count: zeros)
      return prefix
        + sentence("GPGGA,120000,\(latitude),N,01324.3540,E,1,08,1.1,34.5,M,44.9,M,,")
        + sentence("GPRMC,120000.5,A,\(latitude),N,01324.3540,E,10.0,90.0,040526,,,A")
    }
    let plain = try decode(log(zeros: 0, prefix: ""))
    // 52°30.1234′ N, 13°24.3540′ E; 10 knots.
    let fix = try #require(plain.fixes.first)
    #expect(abs(fix.coordinate.latitude - 52.502056667) < 1e-9)
    #expect(abs(fix.coordinate.longitude - 13.4059) < 1e-9)
    #expect(fix.altitude == 34.5 && fix.satellites == 8 && fix.hdop == 1.1)
    #expect(plain.fixes.count == 2 && plain.fixes[1].speed == 10.0 * 1_852 / 3_600)
    for zeros in 1..<200 {
      for prefix in ["", "1620000000 "] {
        #expect(try decode(log(zeros: zeros, prefix: prefix)).events == plain.events)
      }
    }
  }

  @Test func `a checksum may be written in small letters`() throws {
    let lettered = (0..<100).map { rmc("120001", "040526", minutes: $0) }
      .first { $0.dropLast().suffix(2).contains { $0.isLetter } }
    let line = try #require(lettered)
    let small = line.dropLast(3) + line.suffix(3).lowercased()
    #expect(small != line)
    #expect(try decode(first + small).fixes.count == 2)
  }

  /// 2C xor 31 is 1D, and nothing sums to 0.
  @Test func `a sentence without an address is none`() throws {
    let result = try decode("$*00\r\n$,1*1D\r\n" + first)
    #expect(result.ledger.skipped == ["malformed": 2] && result.fixes.count == 1)
    #expect(result.ledger.types == ["GPRMC": 1])
  }

  @Test func `a wrong checksum is skipped and reported with its line`() throws {
    let result = try decode(first + second.replacing("A,5230", with: "A,5231"))
    #expect(result.fixes.count == 1)
    #expect(result.ledger.skipped == ["checksum wrong": 1])
    #expect(result.finding("checksum_wrong")?.lines == [2])
  }

  @Test func `strict stops at the first malformed line and says why`() throws {
    // gpsd's example with its last digit changed; the right checksum is 76.
    let log =
      first + "$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*75\r\n"
    let error = #expect(throws: TraceError.self) { try decode(log) { $0.strict = true } }
    #expect(
      error == TraceError(.malformed, line: 2, "checksum is 75, expected 76"))
    #expect(try decode(first + "$GPGSV,1,1,00*79\r\n") { $0.strict = true }.fixes.count == 1)
  }

  @Test func `a line has 1,024 bytes at most, whatever stands before its sentence`() throws {
    for (length, fixes) in [(1_024, 2), (1_025, 1)] {
      // Less the line's end.
      let padding = String(repeating: "x", count: length - (second.utf8.count - 2))
      #expect(try decode(first + padding + second).fixes.count == fixes)
      let zeros = String(repeating: "0", count: padding.count)
      let long = second.dropFirst().dropLast(4)
        .replacing("5230.0000", with: "5230.0000" + zeros)
      #expect(try decode(first + sentence(String(long))).fixes.count == fixes)
    }
  }

  @Test func `a line without an end takes no memory`() throws {
    let long = [UInt8](repeating: 65, count: 3_000_000)
    let result = try decode(Array(first.utf8) + long + [10] + Array(second.utf8), chunk: 4_096)
    #expect(result.fixes.count == 2)
    #expect(result.ledger.skipped == ["too long": 1])
  }

  @Test func `any split of a log gives the same events`() throws {
    let log = Array(
      ("# header\r\n" + first + gga("120000") + "\r\n" + second.dropLast() + gga("120001")
        + "junk\r\n" + rmc("120002", "040526", status: "V") + gga("120003")).utf8)
    let whole = try decode(log)
    #expect(whole.fixes.count == 3)
    for split in 1..<log.count {
      var decoder = NMEADecoder(options: DecodingOptions())
      var events: [TraceEvent] = []
      try decoder.decode(log.span.extracting(0..<split), into: &events)
      try decoder.decode(log.span.extracting(split..<log.count), into: &events)
      try decoder.finish(into: &events)
      #expect(events == whole.events && decoder.ledger == whole.ledger)
    }
  }
}
