// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

/// Published and recorded sentences, with values computed by hand.
struct SentenceTests {
  /// The one fix of `body`, with a default date if it carries none.
  private func fix(_ bodies: String...) throws -> Fix {
    let result = try decode(bodies.map(sentence).joined()) { $0.allowsUndated = true }
    #expect(result.fixes.count == 1)
    return try #require(result.fixes.first)
  }

  @Test func `RMC gives position, knots, course and date`() throws {
    // gpsd's "NMEA Revealed": 49°16.45' = 49.274166…, 000.5 kn × 1852 / 3600 = 0.257222 m/s.
    let fix = try fix("GPRMC,225446.33,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E,A")
    #expect(fix.time?.rfc3339 == "1994-11-19T22:54:46.330Z")
    #expect(abs(fix.coordinate.latitude - 49.274166667) < 1e-9)
    #expect(abs(fix.coordinate.longitude + 123.185333333) < 1e-9)
    #expect(abs((fix.speed ?? 0) - 0.257222) < 1e-6)
    #expect(fix.course == 54.7)
  }

  @Test func `GGA gives both heights, satellites and HDOP`() throws {
    let fix = try fix("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    #expect(abs(fix.coordinate.latitude - 48.1173) < 1e-12)
    #expect(abs(fix.coordinate.longitude - 11.516666667) < 1e-9)
    #expect(fix.altitude == 545.4 && abs((fix.ellipsoidalHeight ?? 0) - 592.3) < 1e-9)
    #expect(fix.satellites == 8 && fix.hdop == 0.9 && fix.horizontalAccuracy == 4.5)
    #expect(fix.speed == nil && fix.course == nil)
  }

  @Test func `GNS has its geoid separation without a unit`() throws {
    let fix = try fix("GNGNS,112257.00,3844.24011,N,00908.43828,W,AN,03,10.5,45.6,50.1,,")
    #expect(fix.altitude == 45.6 && abs((fix.ellipsoidalHeight ?? 0) - 95.7) < 1e-9)
    #expect(fix.satellites == 3 && fix.hdop == 10.5)
    // 9°08.43828' = 9.140638°.
    #expect(abs(fix.coordinate.longitude + 9.140638) < 1e-9)
  }

  @Test func `GST takes the sigmas, or else the axes of the ellipse`() throws {
    let position = "GPGGA,182141,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    let sigmas = try fix(position, "GPGST,182141,15.5,15.3,7.2,21.8,0.6,0.8,0.5")
    #expect(abs((sigmas.horizontalAccuracy ?? 0) - 1) < 1e-12 && sigmas.verticalAccuracy == 0.5)
    let axes = try fix(position, "GPGST,182141,15.5,4.0,3.0,21.8,,,")
    #expect(axes.horizontalAccuracy == 5 && axes.verticalAccuracy == nil)
  }

  @Test func `VTG prefers kilometres per hour and GSA fills in HDOP`() throws {
    let position = "GPGLL,4916.45,N,12311.12,W,225444,A"
    let fix = try fix(
      position, "GPVTG,360.0,T,034.4,M,005.5,N,018.0,K,A",
      "GNGSA,A,3,80,71,73,79,69,,,,,,,,1.83,1.09,1.47,1")
    #expect(fix.speed == 5 && fix.course == 0 && fix.hdop == 1.09)
  }

  @Test func `the antimeridian is one meridian`() throws {
    let east = try fix("GPGLL,0000.0,N,18000.0000,E,225444,A")
    let west = try fix("GPGLL,0000.0,S,18000.0000,W,225444,A")
    #expect(east.coordinate.longitude == -180 && west.coordinate.longitude == -180)
    #expect(east.coordinate.latitude == 0)
  }

  @Test(arguments: [
    "GPGGA,120000,9000.0001,N,00000.0,E,1,08,0.9,,M,,M,,", "GPGLL,4860.0,N,01131.0,E,120000,A",
    "GPGLL,4807.0,X,01131.0,E,120000,A", "GPGLL,4807.0,N,01131.0,,120000,A",
    "GPGLL,4807.0,N,18000.1,E,120000,A", "GPGLL,48O7.0,N,01131.0,E,120000,A",
    "GPRMC,250000,A,4807.0,N,01131.0,E,,,040526,,", "GPRMC,1200,A,4807.0,N,01131.0,E,,,040526,,",
    "GPGLL,4807,0,N,01131,0,E,120000,A",
  ])
  func `a valid sentence with an impossible field is malformed`(body: String) throws {
    let result = try decode(sentence(body))
    #expect(result.events.isEmpty)
    #expect(result.ledger.skipped == ["malformed": 1])
  }

  @Test func `a position that nothing dates to a moment is skipped`() throws {
    let result = try decode(sentence("GPGLL,4916.45,N,12311.12,W"))
    #expect(result.events.isEmpty)
    #expect(result.ledger.skipped == ["position without a time": 1])
  }

  @Test func `an impossible date is no date`() throws {
    let error = #expect(throws: TraceError.self) { try decode(rmc("120000", "310226")) }
    #expect(error?.code == .noDate)
  }
}
