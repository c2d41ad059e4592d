// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import Testing

@testable import FixFormats

@Suite("Ground from GeoJSON")
struct GeoJSONGroundTests {
  /// The output of `osmium export -f geojson` (1.15) for a lake, a town, a bench, a motorway and a footway.
  private let export = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":{"type":"Point","coordinates":[11.05,48.02]},"properties":{"place":"town","name":"Seestadt","population":"12000"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[11.06,48.03]},"properties":{"amenity":"bench"}},
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[11.0,48.0],[11.2,48.0],[11.2,48.1],[11.0,48.1],[11.0,48.0]]},"properties":{"type":"x","natural":"water","name":"See"}},
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10.9,48.05],[11.3,48.05]]},"properties":{"highway":"motorway","ref":"A 1"}},
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10.9,48.05],[11.0,48.0]]},"properties":{"highway":"footway"}},
    {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[11.0,48.0],[11.2,48.0],[11.2,48.1],[11.0,48.1],[11.0,48.0]]]]},"properties":{"type":"x","natural":"water","name":"See"}}
    ]}

    """

  private func extent(_ scale: Double = 30) -> GroundExtent {
    GroundExtent(
      middle: Coordinate(clampingLatitude: 48.05, wrappingLongitude: 11.1), east: 0.3, north: 0.3,
      scale: scale)
  }

  private func sheet(
    _ text: String, _ extent: GroundExtent? = nil, pieces: Int = .max
  ) throws(InputError) -> GroundSheet {
    var reader = GeoJSONGround([extent ?? self.extent()])
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(pieces, max(1, bytes.count))) {
      let piece = Array(bytes[start..<min(bytes.count, start + min(pieces, bytes.count))])
      try reader.decode(piece.span)
    }
    return try reader.finishSheets()[0]
  }

  @Test("OpenStreetMap's data as osmium exports it, at two scales")
  func openStreetMap() throws {
    let sheet = try sheet(export)
    #expect(sheet.features.map(\.kind) == [.town, .motorway, .lake])
    #expect(
      sheet.features[0].tags.name == "Seestadt" && sheet.features[0].tags.population == 12_000)
    // The lake once, though it comes as a line and as an area.
    #expect(sheet.features[2].parts.map(\.count) == [5])
    #expect(sheet.sources == [.openStreetMap])
    #expect(try self.sheet(export, extent(2)).features.contains { $0.kind == .path })
  }

  @Test("Any pieces give the same", arguments: [1, 7, 100])
  func pieces(_ length: Int) throws {
    #expect(try sheet(export, pieces: length) == sheet(export))
  }

  @Test("A sequence of features with record separators (RFC 8142)")
  func sequence() throws {
    let lines = export.split(separator: "\n").dropFirst().dropLast()
    let text = lines.map { "\u{1E}" + $0.trimmingSuffix(",") + "\n" }.joined()
    #expect(try sheet(text) == sheet(export))
  }

  @Test(
    "Natural Earth's words, as its files have them",
    arguments: [
      (#""featurecla":"Coastline","scalerank":0"#, "LineString", GroundKind.coast),
      (#""featurecla":"Lake Centerline","name":"Rhine""#, "LineString", .river),
      (#""featurecla":"Road","type":"Major Highway""#, "LineString", .motorway),
      (#""featurecla":"Road","type":"Secondary Highway""#, "LineString", .trunk),
      (#""FEATURECLA":"Railroad""#, "LineString", .railway),
      (#""featurecla":"Populated place","NAME":"Lugano","POP_MAX":105388"#, "Point", .city),
      (#""featurecla":"Admin-1 region capital","NAME":"Sion","POP_MAX":28045"#, "Point", .town),
      (#""featurecla":"Admin-0 capital","NAME":"Vaduz","POP_MAX":36281"#, "Point", .city),
    ])
  func naturalEarth(_ properties: String, _ type: String, _ kind: GroundKind) throws {
    let place = type == "Point" ? "[11.1,48.05]" : "[[11.0,48.0],[11.2,48.1]]"
    let text = """
      {"type":"Feature","properties":{\(properties)},"geometry":{"type":"\(type)","coordinates":\(place)}}
      """
    let found = try sheet(text, extent(100)).features
    #expect(found.map(\.kind) == [kind] && found.first?.tags.source == .naturalEarth)
  }

  @Test(
    "What is no ground is refused, with the line and what to do",
    arguments: [
      (
        "[]", nil as Int?,
        "no GeoJSON feature in it; osmium export -f geojson makes such a file of OpenStreetMap's data"
      ),
      (
        #"{"type":"FeatureCollection","features":["# + "\n", 2,
        "the document ends early; it was cut off: export it again"
      ),
      (
        #"{"features":["# + "\n" + #"{"type":"Feature","properties":{"place" "town"}}"#, 2,
        "malformed JSON in this feature: ':' was expected"
      ),
      (
        #"{"type":"Feature","properties":{"highway":"trunk"},"geometry":{"type":"LineString","coordinates":[[1236000.5,6120000],[1,2]]}}"#,
        1,
        "1236000.5, 6120000 is no longitude and latitude in degrees; export the file in WGS 84 (EPSG:4326)"
      ),
      (
        #"{"type":"Feature","properties":{"highway":"trunk"},"geometry":{"type":"LineString","coordinates":[11,48]}}"#,
        1, "a position of this feature is no pair of numbers"
      ),
    ])
  func refused(_ text: String, _ line: Int?, _ message: String) throws {
    let error = #expect(throws: InputError.self) { _ = try sheet(text) }
    #expect(error == InputError(line: line, message))
  }

  @Test("A bare geometry does not say what it is, and draws nothing")
  func bare() throws {
    let text = #"{"type":"LineString","coordinates":[[11,48],[11.1,48.1]]}"#
    #expect(try sheet(text).features.isEmpty)
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
    last == suffix ? dropLast() : self
  }
}
