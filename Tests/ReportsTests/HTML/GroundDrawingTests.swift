// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import Replay
import Testing

@testable import Reports

@Suite("The ground under the track")
struct GroundDrawingTests {
  /// A drive of 72 km at 48° N, 11° E over a lake, a motorway along 48.05° and, if asked, many more roads.
  private func trace(_ more: String = "") throws -> ReportedTrace {
    var trace = try Drives.reported("drive.gpx")
    let extent = try #require(trace.extent)
    var reader = GeoJSONGround([extent])
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[11.2,48.0],[11.4,48.0],[11.4,48.1],[11.2,48.1],[11.2,48.0]]]},"properties":{"natural":"water"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10.0,48.05],[13.0,48.05]]},"properties":{"highway":"motorway"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[11.3,48.18]},"properties":{"place":"town","name":"<b>Seestadt</b>","population":"12000"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[11.301,48.181]},"properties":{"place":"town","name":"Seestadt-Nord","population":"900"}}\(more)
      ]}
      """
    try reader.decode(Array(text.utf8).span)
    trace.ground = try reader.finishSheets()[0]
    return trace
  }

  @Test(
    "The page's large map has it with names, the small ones share one without, and the licence is told"
  )
  func page() throws {
    let text = try Drives.page([try trace()])
    let elements = try Elements(text)
    #expect(elements.all.count { $0.attributes["class"] == "ground" } == 2)
    #expect(elements.named("use").count > 1)
    #expect(Set(elements.named("use").compactMap { $0.attributes["href"] }).count == 1)
    #expect(text.contains("Ground: © OpenStreetMap contributors (ODbL)."))
    // A name is only a name.
    #expect(elements.named("b").allSatisfy { $0.text != "Seestadt" })
    #expect(elements.named("text").contains { $0.text == "<b>Seestadt</b>" })
  }

  @Test("Without a ground there is none")
  func none() throws {
    let elements = try Elements(try Drives.page([try Drives.reported("drive.gpx")]))
    #expect(elements.all.count { $0.attributes["class"] == "ground" } == 0)
    #expect(elements.named("use").isEmpty)
  }

  @Test("The card has it, within the map, with the licence in its corner")
  func card() throws {
    let card = try #require(
      ShareCard([try trace()], total: nil, options: try Drives.options()))
    let elements = try Elements(String(decoding: card.document(), as: UTF8.self))
    #expect(elements.all.count { $0.attributes["class"] == "ground" } == 1)
    #expect(
      elements.all.first { $0.attributes["class"] == "credit" }?.text
        == "© OpenStreetMap contributors (ODbL)")
    #expect(elements.named("use").isEmpty)
  }

  @Test("A road lies where its coordinates are, by the map's own scale")
  func place() throws {
    let trace = try trace()
    let map = try #require(MapProjection([trace.curves[0].track], places: [], in: .large))
    // The track begins at 48° N, 11° E; 0.05° of latitude are 5,560 m north of that.
    let start = try #require(map.points(trace.curves[0].track).first)
    let road = map.point(GroundPoint(longitude: 11, latitude: 48.05))
    #expect(abs(start.x - road.x) < 0.01)
    #expect(abs((start.y - road.y) * map.scale - 5_559.8) < 1)
    // East of it, a degree at the map's middle latitude (48.049°) is 74.3 km.
    let east = map.point(GroundPoint(longitude: 12, latitude: 48.05))
    #expect(abs((east.x - road.x) * map.scale - 74_330) < 20)
  }

  @Test("Names neither touch nor lie on the way")
  func names() throws {
    let trace = try trace(
      (0..<60).map {
        """
        ,{"type":"Feature","geometry":{"type":"Point","coordinates":[\(11.0 + Double($0 % 12) * 0.08),\(47.9 + Double($0 / 12) * 0.07)]},"properties":{"place":"city","name":"Stadt \($0)","population":"\($0)"}}
        """
      }.joined())
    let life = trace.lives[0]
    let map = try #require(MapProjection([life.curves.track], places: [], in: .large))
    let drawing = MapDrawing(life.row, life.curves, on: map)
    let ground = try #require(
      GroundDrawing(
        trace.ground, on: map, keeping: .init(boxes: drawing.words, spots: drawing.spots)))
    #expect((5...14).contains(ground.names.count))
    let boxes = ground.names.map { name in
      let width = TextLines.width(of: name.text, size: 12)
      let left =
        name.base.x - width * (name.anchor == "start" ? 0 : name.anchor == "end" ? 1 : 0.5)
      return MapBox(x: left...left + width, y: name.base.y - 10...name.base.y + 2)
    }
    for (index, box) in boxes.enumerated() {
      #expect(!boxes[..<index].contains { $0.overlaps(box) })
      #expect(!map.points(life.curves.track).contains { box.contains($0) })
      #expect(box.x.lowerBound >= 0 && box.x.upperBound <= map.width)
    }
  }

  @Test("A ground takes 100 kB at most, its motorway first, and says what is left out")
  func limit() throws {
    let tangle = (0..<400).map { row in
      let points = (0..<300).map {
        "[\(11 + Double($0) / 300),\(47.9 + Double(row + $0 % 2 * 9) / 2_000)]"
      }
      return """
        ,{"type":"Feature","geometry":{"type":"LineString","coordinates":[\(points.joined(separator: ","))]},"properties":{"highway":"primary"}}
        """
    }
    let trace = try trace(tangle.joined())
    let map = try #require(MapProjection([trace.curves[0].track], places: [], in: .large))
    let ground = try #require(GroundDrawing(trace.ground, on: map))
    var svg = HTMLWriter(head: "")
    ground.drawGround(on: map, into: &svg)
    #expect(svg.bytes.count < GroundDrawing.byteLimit + 2_000)
    #expect(String(decoding: svg.bytes, as: UTF8.self).contains("class=\"highway\""))
    #expect(
      ground.credit
        == "Ground: © OpenStreetMap contributors (ODbL); the smallest is left out, for a map's ground may take 100 kB"
    )
  }
}
