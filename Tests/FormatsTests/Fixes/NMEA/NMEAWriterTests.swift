// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

struct NMEAWriterTests {
  private func text(_ events: [TraceEvent]) -> String {
    var writer = NMEAWriter()
    var bytes: [UInt8] = []
    for event in events { writer.encode(event, into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a fix is written as RMC, GGA and GST`() throws {
    let coordinate = try #require(Coordinate(latitude: -33.5, longitude: 13.4059))
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_896_000_500_000), coordinate: coordinate,
      horizontalAccuracy: 5, altitude: 34.5, ellipsoidalHeight: 79.4, verticalAccuracy: 7,
      speed: 1852.0 / 360, course: 359.999, hdop: 1.1, satellites: 8)
    // 1777896000 is 2026-05-04T12:00:00Z (date -u -d @1777896000); 0.4059° = 24.354';
    // 5 / sqrt 2 = 3.5355; 18,520 m/h are 10 knots.
    let expected = [
      "GPRMC,120000.50,A,3330.000000,S,01324.354000,E,10.000,0.00,040526,,,A",
      "GPGGA,120000.50,3330.000000,S,01324.354000,E,1,08,1.10,34.500,M,44.900,M,,",
      "GPGST,120000.50,,,,,3.5355,3.5355,7.000",
    ]
    #expect(text([.fix(fix, line: 1)]) == expected.map(sentence).joined())
  }

  @Test func `an epoch without a fix is written as a void RMC`() {
    let event = TraceEvent.noFix(time: UTCInstant(microseconds: 1_777_896_000_000_000), line: 1)
    #expect(text([event]) == sentence("GPRMC,120000.00,V,,,,,,,040526,,,N"))
    #expect(text([.noFix(time: nil, line: 1)]) == sentence("GPRMC,,V,,,,,,,,,,N"))
  }

  @Test func `what is written reads back within the stated rounding`() throws {
    var events: [TraceEvent] = []
    for index in 0..<200 {
      let step = Double(index)
      let coordinate = try #require(
        Coordinate(latitude: -89.9 + step * 0.8987654321, longitude: -180 + step * 1.799876543))
      let known = index % 3 == 0
      events.append(
        .fix(
          Fix(
            time: UTCInstant(microseconds: 1_798_761_590_000_000 + Int64(index) * 250_000),
            coordinate: coordinate, horizontalAccuracy: known ? 0.5 + step : nil,
            altitude: known ? step * 3.3 - 50 : nil,
            ellipsoidalHeight: known ? step * 3.3 - 80 : nil,
            verticalAccuracy: known ? 1 + step : nil, speed: known ? step * 0.77 : nil,
            course: known ? step * 1.7999 : nil, satellites: known ? index : nil), line: 1))
    }
    let read = try decode(text(events)).fixes
    #expect(read.count == 200)
    for (event, back) in zip(events, read) {
      guard case .fix(let fix, _) = event else { continue }
      #expect(back.time == fix.time)
      #expect(abs(back.coordinate.latitude - fix.coordinate.latitude) < 1e-8)
      #expect(abs(back.coordinate.longitude - fix.coordinate.longitude) < 1e-8)
      #expect(isClose(back.horizontalAccuracy, fix.horizontalAccuracy, 0.001))
      #expect(isClose(back.verticalAccuracy, fix.verticalAccuracy, 0.001))
      #expect(isClose(back.altitude, fix.altitude, 0.001))
      #expect(isClose(back.ellipsoidalHeight, fix.ellipsoidalHeight, 0.002))
      #expect(isClose(back.speed, fix.speed, 0.001))
      #expect(isClose(back.course, fix.course, 0.006))
      #expect(back.satellites == fix.satellites)
    }
  }

  @Test func `no sentence has more than 82 characters, and what is long is rounded`() throws {
    let coordinate = try #require(Coordinate(latitude: -33.123456789, longitude: -170.987654321))
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_896_000_123_456), coordinate: coordinate,
      horizontalAccuracy: 12_345.678, altitude: -12_345.678, ellipsoidalHeight: -12_245.123,
      verticalAccuracy: 54_321.987, speed: 1_234.567, course: 359.98, hdop: 12.34, satellites: 12)
    let lines = text([.fix(fix, line: 1)]).split(separator: "\r\n")
    #expect(lines.count == 3)
    // With CR and LF.
    #expect(lines.allSatisfy { $0.utf8.count + 2 <= 82 })
    let back = try #require(try decode(lines.map { $0 + "\r\n" }.joined()).fixes.first)
    // Four decimals of a minute are 0.19 m.
    #expect(abs(back.coordinate.latitude - coordinate.latitude) < 1e-6)
    #expect(isClose(back.altitude, fix.altitude, 0.5))
    #expect(isClose(back.speed, fix.speed, 0.3))
  }

  @Test func `heights without room are left out and counted`() throws {
    let coordinate = try #require(Coordinate(latitude: -33.123456789, longitude: -170.987654321))
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_896_000_123_456), coordinate: coordinate,
      altitude: -987_654_321, ellipsoidalHeight: 12_345_678, hdop: 12.34, satellites: 12)
    var writer = NMEAWriter()
    var bytes: [UInt8] = []
    writer.encode(.fix(fix, line: 1), into: &bytes)
    #expect(writer.dropped == ["heights that no sentence has room for": 1])
    #expect(try decode(bytes).fixes.map(\.altitude) == [nil])
  }

  @Test(arguments: [4e-5, 1e-9]) func `an accuracy that would round to 0 stays known`(
    accuracy: Double
  ) throws {
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_896_000_000_000), coordinate: coordinate,
      horizontalAccuracy: accuracy, verticalAccuracy: accuracy, hdop: 1.1)
    let back = try #require(try decode(text([.fix(fix, line: 1)])).fixes.first)
    // σ of 0.0001 m in both directions: √2 × 10⁻⁴ m.
    #expect(isClose(back.horizontalAccuracy, 0.000_141, 0.000_001))
    #expect(back.verticalAccuracy == 0.001)
  }

  private func isClose(_ a: Double?, _ b: Double?, _ tolerance: Double) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) <= tolerance
  }
}
