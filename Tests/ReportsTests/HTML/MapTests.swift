// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

@testable import Reports

@Suite("Maps")
struct MapTests {
  /// The drive's significant change, delivered only at these places.
  private func life(at places: [Coordinate]) throws -> (row: ModeRow, curves: CurveRecord) {
    let trace = try Drives.reported("drive.gpx")
    let index = try #require(trace.figures.rows.firstIndex { $0.plan.service == .significant })
    var curves = trace.curves[index]
    curves.places = places
    #expect(trace.figures.rows[index].deliveries <= MapDrawing.mostDots)
    return (trace.figures.rows[index], curves)
  }

  @Test("One wild delivery does not shrink the way: it is an arrow at the edge, with its distance")
  func wild() throws {
    let wild = Coordinate(clampingLatitude: 58, wrappingLongitude: 11.48)
    let life = try life(at: [wild])
    let map = try #require(MapProjection([life.curves.track], places: [wild]))
    let points = map.points(life.curves.track).map(\.x)
    // 72 km of the way on 268 units between the margins.
    #expect(abs((points.max() ?? 0) - (points.min() ?? 0) - 268) < 1)
    let drawing = MapDrawing(life.row, life.curves, on: map)
    let arrow = try #require(drawing.arrows.first)
    #expect(drawing.arrows.count == 1 && arrow.count == 1)
    #expect(abs(arrow.tip.y - 4) < 0.01 && abs(arrow.turn + 90) < 2)
    // 58° is 1,112 km north of 48°; the way goes 10.8 km north, and the map's edge lies half its height
    // (140 units of 272 m) north of its middle.
    let beyond = 1_111_950 - 5_400 - 66 * map.scale
    #expect(abs(arrow.furthest - beyond) < 3_000)
    #expect(drawing.remark?.hasPrefix("1 delivered position lies off the map, up to 10") == true)
  }

  @Test("A delivery beside the way widens the map, and the way keeps half of it")
  func beside() throws {
    // 30 km east of the way's end, which is 72 km from its start.
    let end = LocalFrame(origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
      .point(east: 72_000, north: 10_800)
    let east = LocalFrame(origin: end).point(east: 30_000, north: 0)
    let life = try life(at: [east])
    let map = try #require(MapProjection([life.curves.track], places: [east]))
    let points = map.points(life.curves.track).map(\.x)
    let width = (points.max() ?? 0) - (points.min() ?? 0)
    #expect(abs(width - 268 * 72 / 102) < 2)
    #expect(MapDrawing(life.row, life.curves, on: map).arrows.isEmpty)
  }

  @Test("Arrows are one for a direction, and count")
  func directions() throws {
    let life = try life(at: [
      Coordinate(clampingLatitude: 58, wrappingLongitude: 11.4),
      Coordinate(clampingLatitude: 59, wrappingLongitude: 11.5),
      Coordinate(clampingLatitude: 48, wrappingLongitude: 40),
    ])
    let map = try #require(MapProjection([life.curves.track], places: life.curves.places))
    let drawing = MapDrawing(life.row, life.curves, on: map)
    #expect(drawing.arrows.map(\.count).sorted() == [1, 2])
    #expect(drawing.remark?.hasPrefix("3 delivered positions lie off the map") == true)
  }

  @Test("A fixed frame is filled, whatever the way")
  func frame() throws {
    let life = try life(at: [])
    let map = try #require(
      MapProjection([life.curves.track], places: [], in: .fixed(580, 300)))
    #expect(map.width == 580 && map.height == 300)
    #expect(map.points(life.curves.track).allSatisfy { (0...580).contains($0.x) })
  }
}
