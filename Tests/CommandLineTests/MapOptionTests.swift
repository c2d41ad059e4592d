// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The ground under the track of compare --html and --card")
struct MapOptionTests {
  private let scratch: Scratch
  /// A minute to the east at 20 m/s, at 48° N, 11° E.
  private let trace: String

  init() throws {
    scratch = try Scratch()
    let points = (0..<120).map { second in
      let time = "2026-05-04T09:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      return
        "<trkpt lat=\"48\" lon=\"\(11 + Double(second) * 0.00027)\"><time>\(time)</time></trkpt>"
    }
    trace = try scratch.write(
      "east.gpx",
      "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    )
  }

  private func compare(_ arguments: [String]) throws -> Program.Answer {
    try Program.run(["compare", "--worlds", "1", trace] + arguments, in: scratch)
  }

  private func expect(
    _ arguments: [String], says message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try compare(arguments)
    #expect(answer.code == 2, sourceLocation: sourceLocation)
    #expect(answer.output.isEmpty, sourceLocation: sourceLocation)
    #expect(answer.errors == "milepost: error: \(message)\n", sourceLocation: sourceLocation)
  }

  private func refuse(_ name: String, _ text: String, says words: String) throws {
    let path = try scratch.write(name, text)
    try expect(["--html", scratch.path("a.html"), "--map", path], says: "\(name): \(words)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.html")))
  }

  @Test("What is no ground is refused before the comparison, with what to do")
  func strangers() throws {
    let advice =
      "osmium export -f geojson makes such a file of OpenStreetMap's data, ogr2ogr of most others"
    try refuse("a.txt", "hello", says: "no GeoJSON, for it does not begin with '{'; \(advice)")
    try refuse("b.osm", "<osm version=\"0.6\">", says: "XML; make GeoJSON of it: \(advice)")
    try refuse(
      "c.pmtiles", "PMTiles\u{3}",
      says: "PMTiles, which cannot be read; make GeoJSON of the place: \(advice)")
    try refuse(
      "d.pbf", "\0\0\0\rOSMHeader",
      says: "OpenStreetMap's data as PBF; make GeoJSON of it: \(advice)")
    try expect(
      ["--html", scratch.path("a.html"), "--map", "nowhere.geojson"],
      says: "nowhere.geojson: no such file; check the path")
    try expect(
      ["--html", scratch.path("a.html"), "--map", scratch.path("")],
      says:
        "\(scratch.path("")): a directory without naturalearth/ne_50m_land.pn2; name a file of GeoJSON, or the data "
        + "directory of Marble (Debian: marble-qt-data)")
  }

  @Test("A file that breaks off is an error with its line, and no page is written")
  func broken() throws {
    let path = try scratch.write(
      "cut.geojson", "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",")
    let answer = try compare(["--html", scratch.path("a.html"), "--map", path])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: cut.geojson:2: the document ends early; it was cut off: export it again\n"
    )
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.html")))
  }

  @Test("A ground of another place draws nothing, and that is said")
  func elsewhere() throws {
    let path = try scratch.write(
      "far.geojson",
      """
      {"type":"Feature","properties":{"highway":"trunk"},"geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]}}
      """)
    let answer = try compare(["--html", scratch.path("a.html"), "--map", path])
    #expect(answer.code == 0)
    #expect(
      answer.errors
        == "milepost: far.geojson: nothing of it is drawn: it has no water, road or town where the trace is that a "
        + "map of that scale shows\n")
    #expect(try !scratch.read("a.html").contains("class=\"ground\""))
  }

  @Test("Page and card have it; --map none leaves out what would be found by itself")
  func drawn() throws {
    let path = try scratch.write(
      "near.geojson",
      """
      {"type":"Feature","properties":{"highway":"trunk"},"geometry":{"type":"LineString","coordinates":[[10,48.001],[12,48.001]]}}
      """)
    let (page, card) = (scratch.path("a.html"), scratch.path("a.svg"))
    #expect(try compare(["--html", page, "--card", card, "--map", path]).code == 0)
    #expect(try scratch.read("a.html").contains("Ground: © OpenStreetMap contributors (ODbL)."))
    #expect(try scratch.read("a.svg").contains("class=\"highway\""))
    // The same from a pipe.
    let piped = try Program.shell(
      "cat \(path) | $MILEPOST compare --worlds 1 \(trace) --html \(page) --map -", in: scratch)
    #expect(piped.code == 0, "\(piped.errors)")
    #expect(try scratch.read("a.html").contains("class=\"highway\""))
    #expect(try compare(["--html", page, "--map", "none"]).code == 0)
    #expect(try !scratch.read("a.html").contains("class=\"ground\""))
  }

  @Test("The option belongs to pictures")
  func options() throws {
    func usage(_ arguments: [String]) throws -> String { try compare(arguments).errors }
    #expect(
      try usage(["--map", "x"]).hasPrefix(
        "milepost: error: --map is for the track of a page or a card; add --html FILE or --card FILE"
      ))
    // An input file is never overwritten.
    let path = try scratch.write("ground.geojson", "{}")
    let same = "is read and would be overwritten; name another file to write to"
    try expect(["--html", path, "--map", path], says: "\(path): \(same)")
  }
}
