// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Traces that cannot be replayed, and the reason that is given")
struct EmptyTraceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("A trace without a fix")
  func noFix() throws {
    // Checksums: the XOR of the characters between $ and *, by a line of Python.
    let path = try scratch.write(
      "void.nmea",
      "$GPRMC,101010.00,V,,,,,,,040526,,,N*79\n$GPRMC,101011.00,V,,,,,,,040526,,,N*78\n")
    try Program.expect(
      ["compare", "--worlds", "1", path],
      says:
        "void.nmea: no fix in this trace (lines read: 2; epochs without a position: 2); milepost info tells "
        + "what is in it")
  }

  @Test("The first line that could not be read is named, with the reason")
  func unreadable() throws {
    let table = try scratch.write("x.csv", "time,latitude,longitude\nx,45,13\ny,45,13\n")
    try Program.expect(
      ["compare", "--worlds", "1", table],
      says:
        "x.csv: no fix in this trace (lines read: 3; epochs without a position: 0); line 2: the time is "
        + "'x'; it should look like 2026-05-04T07:08:09Z; milepost info tells what is in it")
    let log = try scratch.write(
      "bad.nmea",
      "$GPRMC,101010.00,V,,,,,,,040526,,,N*79\n$GPRMC,101011.00,V,,,,,,,040526,,,N*79\n")
    try Program.expect(
      ["compare", "--worlds", "1", log],
      says:
        "bad.nmea: no fix in this trace (lines read: 2; epochs without a position: 1); line 2: checksum is "
        + "79, expected 78; milepost info tells what is in it")
  }

  @Test("A trace whose fixes all have the same time")
  func oneTime() throws {
    let path = try scratch.write(
      "one.csv", "time,latitude,longitude\n2026-05-04T10:00:00Z,45,13\n2026-05-04T10:00:00Z,45,13\n"
    )
    try Program.expect(
      ["compare", "--worlds", "1", path],
      says: "one.csv: all 2 fixes have the same time; a trace to replay needs at least two times "
        + "(milepost info tells what is in it)")
  }

  @Test("Times that run backwards, and a single fix, are said as what they are")
  func backwards() throws {
    let rows = (0..<90).map { "2026-05-04T10:\(59 - $0 / 60):\(59 - $0 % 60)Z,45,13\n" }
      .map { $0.replacingOccurrences(of: #":(\d)Z"#, with: ":0$1Z", options: .regularExpression) }
    let path = try scratch.write("back.csv", "time,latitude,longitude\n" + rows.joined())
    try Program.expect(
      ["compare", "--worlds", "1", path],
      says:
        "back.csv: times run backwards: no fix is later than the one before it; put them in the order "
        + "of time (milepost info tells what is in it)")
    let one = try scratch.write(
      "one.csv", "time,latitude,longitude\n2026-05-04T10:00:00Z,45,13\n")
    try Program.expect(
      ["compare", "--worlds", "1", one],
      says:
        "one.csv: a single fix; a trace to replay needs at least two, with different times (milepost "
        + "info tells what is in it)")
  }
}
