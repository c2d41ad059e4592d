// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("convert and anonymise without options")
struct ConvertTests {
  @Test("A trace becomes GPX on standard output", arguments: ["walk.nmea", "car-commute.gpx"])
  func convert(name: String) throws {
    let trace = Package.trace(name)
    let answer = try Program.run(["convert", trace])
    #expect(answer.code == 0)
    #expect(answer.output.hasPrefix("<?xml") && answer.output.contains("<trkpt "))
    #expect(answer.output == (try Program.run(["convert", trace, "--to", "gpx"]).output))
  }

  @Test(
    "A trace is disguised in its own format, gpsd's as GPX",
    arguments: [
      ("new-year-night.nmea", "$G"), ("car-commute.gpx", "<?xml"), ("bus.gpsd.json", "<?xml"),
    ])
  func anonymise(name: String, head: String) throws {
    let answer = try Program.run(["anonymise", Package.trace(name)])
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.output.hasPrefix(head), "\(answer.output.prefix(40))")
  }
}
