// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

struct EpochTests {
  @Test func `sentences of one time are one fix in any order`() throws {
    let parts = [
      rmc("120000.00", "040526"), gga("120000.00"), sentence("GPGST,120000.00,,,,,3.0,4.0,7.0"),
      sentence("GPGLL,5230.0000,N,01324.3540,E,120000.00,A,A"),
      sentence("GPZDA,120000.00,04,05,2026,00,00"),
    ]
    for turn in parts.indices {
      for log in [parts[turn...] + parts[..<turn], ArraySlice(parts.reversed())] {
        let result = try decode(log.joined())
        #expect(result.times == ["2026-05-04T12:00:00.000Z"])
        let fix = try #require(result.fixes.first)
        // 52°30' = 52.5°; 13°24.354' = 13.4059°; 10 kn = 18,520 m / 3,600 s; sqrt(3² + 4²) = 5 m.
        #expect(fix.coordinate.latitude == 52.5)
        #expect(fix.coordinate.longitude == 13.4059)
        #expect(abs((fix.speed ?? 0) - 5.144444) < 1e-6)
        #expect(fix.course == 90)
        #expect(fix.horizontalAccuracy == 5)
        #expect(fix.verticalAccuracy == 7)
        #expect(fix.altitude == 34.5)
        #expect(fix.ellipsoidalHeight == 34.5 + 44.9)
        #expect(fix.satellites == 8)
        #expect(result.ledger.used == 5 && result.unaccounted == 0)
      }
    }
  }

  @Test func `every epoch is a fix where GGA comes only every fourth second`() throws {
    var log = ""
    for second in 0..<12 {
      let time = "1200" + (second < 10 ? "0" : "") + "\(second)"
      log += rmc(time, "040526", minutes: second)
      if second % 4 == 0 { log += gga(time, minutes: second) }
    }
    let result = try decode(log)
    #expect(result.fixes.count == 12)
    #expect(result.fixes.count { $0.altitude != nil } == 3)
  }

  @Test func `GLL alone gives fixes`() throws {
    let log = (0..<3).map { sentence("GPGLL,4916.45,N,12311.12,W,22544\($0),A") }.joined()
    let result = try decode(log) { $0.allowsUndated = true }
    #expect(result.fixes.count == 3)
    // 49°16.45' = 49.2741666…°, as gpsd's "NMEA Revealed" has the sentence.
    #expect(abs(result.fixes[0].coordinate.latitude - 49.274166667) < 1e-9)
    #expect(abs(result.fixes[0].coordinate.longitude - -123.185333333) < 1e-9)
    #expect(result.fixes[0].horizontalAccuracy == nil)
  }

  @Test func `a late sentence joins its epoch after the next one has begun`() throws {
    let result = try decode(
      rmc("120000", "040526") + rmc("120001", "040526") + gga("120000") + gga("120001"))
    #expect(result.times == ["2026-05-04T12:00:00.000Z", "2026-05-04T12:00:01.000Z"])
    #expect(result.fixes.allSatisfy { $0.altitude == 34.5 })
  }

  @Test func `two receivers at one time are one fix of the same receiver each time`() throws {
    var log = ""
    for second in 0..<5 {
      let gps = rmc("12000\(second)", "040526", minutes: 100) + gga("12000\(second)", minutes: 100)
      let plotter = rmc("12000\(second)", "040526", talker: "II", minutes: 900)
      log += second % 2 == 0 ? gps + plotter : plotter + gps
    }
    let result = try decode(log)
    #expect(result.fixes.count == 5)
    #expect(Set(result.fixes.map(\.coordinate)).count == 1)
    #expect(result.fixes.allSatisfy { $0.satellites == 8 })
  }

  @Test func `void sentences are no fix and their coordinates count for nothing`() throws {
    let result = try decode(
      sentence("GPRMC,120000,V,9999.9999,N,99999.9999,E,,,040526,,,N")
        + sentence("GPGGA,120001,0000.0000,N,00000.0000,E,0,00,99.99,,M,,M,,")
        + sentence("GPGLL,5230.0000,N,01324.3540,E,120002,A,N")
        + sentence("GNGNS,120003,,,,,NNNN,00,,,,,")
        + gga("120004") + sentence("GPGSA,A,1,,,,,,,,,,,,,,,") + rmc("120005", "040526"))
    #expect(result.times == ["2026-05-04T12:00:05.000Z"])
    #expect(result.voids.count == 5)
    #expect(result.voids.first == "2026-05-04T12:00:00.000Z")
  }

  @Test func `a talker that warns is believed and another receiver is not blamed`() throws {
    let warned = try decode(
      rmc("120000", "040526", status: "V") + gga("120000") + rmc("120001", "040526"))
    #expect(warned.fixes.count == 1 && warned.voids.count == 1)
    let other = try decode(
      rmc("120000", "040526", talker: "II", status: "V") + rmc("120000", "040526"))
    #expect(other.fixes.count == 1 && other.voids.isEmpty)
  }

  @Test func `a solution per system without a mode voids nothing`() throws {
    let result = try decode(
      sentence("GNGNS,014035.00,4332.69262,S,17235.48549,E,RR,13,0.9,25.63,11.24,,")
        + sentence("GPGNS,014035.00,,,,,,8,,,,1.0,23")
        + sentence("GLGNS,014035.00,,,,,,5,,,,1.0,23")
        + sentence("GNZDA,014035.00,04,05,2026,00,00"))
    #expect(result.times == ["2026-05-04T01:40:35.000Z"])
    #expect(result.fixes.first?.satellites == 13)
  }

  @Test func `VTG in front of the epoch belongs to the next one`() throws {
    func vtg(_ speed: Int) -> String { sentence("GPVTG,45.0,T,,M,,N,\(speed),K,A") }
    let result = try decode(
      vtg(36) + gga("120000") + vtg(72) + gga("120001")
        + sentence("GPZDA,120001,04,05,2026,00,00"))
    #expect(result.fixes.map(\.speed) == [10, 20])
    #expect(result.fixes.map(\.course) == [45, 45])
  }

  @Test func `unknown accuracy is nil and never zero`() throws {
    for hdop in ["", "0.0", "99.99", "99.0"] {
      let result = try decode(
        sentence("GPGGA,120000,5230.0,N,01324.0,E,1,04,\(hdop),,M,,M,,")
          + sentence("GPGST,120000,,,,,0.0,0.0,0.0") + sentence("GPZDA,120000,04,05,2026,,"))
      #expect(result.fixes.map(\.horizontalAccuracy) == [nil])
      #expect(result.fixes.map(\.verticalAccuracy) == [nil])
    }
    // HDOP 1.1 times 4 m.
    let stated = try decode(gga("120000") + sentence("GPZDA,120000,04,05,2026,,")) {
      $0.rangeError = 4
    }
    #expect(abs((stated.fixes.first?.horizontalAccuracy ?? 0) - 4.4) < 1e-12)
  }

  @Test func `a sentence that repeats the time is reported and makes no second fix`() throws {
    let result = try decode(rmc("120000", "040526") + rmc("120000", "040526"))
    #expect(result.fixes.count == 1)
    #expect(result.finding("duplicate_sentence")?.lines == [2])
    #expect(result.ledger.skipped == ["position repeated": 1])
  }

  @Test func `the sky is counted over systems and epochs`() throws {
    let log =
      rmc("120000", "040526") + sentence("GPGSV,1,1,02,01,10,100,40,02,20,200,")
      + sentence("GLGSV,1,1,01,65,30,300,20") + rmc("120001", "040526")
    let result = try decode(log)
    #expect(result.ledger.satellitesInView.greatest == 3)
    #expect(result.ledger.signal.mean == 30 && result.ledger.signal.count == 2)
  }
}
