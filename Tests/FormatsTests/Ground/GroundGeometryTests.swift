// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import FixFormats

@Suite("Ground within an extent")
struct GroundGeometryTests {
  /// Two degrees each way around 0, 0; a unit is 0.01°.
  private let square = GroundExtent(
    middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), east: 1, north: 1,
    scale: 1_111.95)

  private func points(_ pairs: [(Double, Double)]) -> [GroundPoint] {
    pairs.map { GroundPoint(longitude: $0.0, latitude: $0.1) }
  }

  private func feature(_ kind: GroundKind, _ parts: [[GroundPoint]]) -> GroundFeature {
    GroundFeature(GroundTags(kind: kind, source: .openStreetMap), parts)
  }

  /// The area of a closed ring by the shoelace, in square degrees.
  private func area(_ ring: [GroundPoint]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) {
      $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude
    }.magnitude / 2
  }

  @Test("A line is cut at the sides, and is two where it leaves and comes back")
  func lines() throws {
    let through = Clipping.clippedLine(points([(-2, 0), (2, 0)]), to: square)
    #expect(through == [points([(-1, 0), (1, 0)])])
    // Out at the east at half the height, back in at 0.25.
    let back = Clipping.clippedLine(points([(0, 0), (2, 1), (2, 0.5), (0, 0)]), to: square)
    #expect(back == [points([(0, 0), (1, 0.5)]), points([(1, 0.25), (0, 0)])])
    #expect(Clipping.clippedLine(points([(2, 2), (3, 3)]), to: square).isEmpty)
    // Past a corner: x + y = 2.5 does not touch the square.
    #expect(Clipping.clippedLine(points([(0.5, 2), (2, 0.5)]), to: square).isEmpty)
  }

  @Test("A ring stays one, with the area that is within")
  func rings() {
    let corner = Clipping.ring(points([(0, 0), (2, 0), (2, 2), (0, 2), (0, 0)]), to: square)
    #expect(corner.first == corner.last && abs(area(corner) - 1) < 1e-12)
    let around = Clipping.ring(points([(-9, -9), (9, -9), (9, 9), (-9, 9), (-9, -9)]), to: square)
    #expect(abs(area(around) - 4) < 1e-12)
    // A triangle with its tip at (2, 0): all but the tip lies within, 1 − 1/4 of … 2 · 2 / 2.
    let tip = Clipping.ring(points([(0, -1), (2, 0), (0, 1), (0, -1)]), to: square)
    #expect(abs(area(tip) - 1.5) < 1e-12)
    #expect(Clipping.ring(points([(2, 2), (3, 2), (3, 3), (2, 2)]), to: square).isEmpty)
  }

  @Test("What is dropped of a line lies within half a unit of what stays, in 200 random lines")
  func simplification() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var at = GroundPoint(longitude: 0, latitude: 0)
      // Long enough for three runs in the first ones.
      let line = (0..<(seed < 5 ? 2_600 : 120)).map { _ in
        at.longitude += Double.random(in: -0.008...0.01, using: &random)
        at.latitude += Double.random(in: -0.009...0.009, using: &random)
        return at
      }
      let kept = Simplification.simplifiedLine(line, for: square)
      #expect(kept.first == line.first && kept.last == line.last && kept.count < line.count)
      for point in line {
        let nearest = zip(kept, kept.dropFirst()).map { distance(point, $0, $1) }.min() ?? .infinity
        // Half a unit for each of the two steps.
        #expect(nearest <= 0.01 + 1e-9, "seed \(seed)")
      }
    }
  }

  /// Degrees from a point to a leg.
  private func distance(_ p: GroundPoint, _ a: GroundPoint, _ b: GroundPoint) -> Double {
    let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
    let (x, y) = (p.longitude - a.longitude, p.latitude - a.latitude)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(1, max(0, (x * dx + y * dy) / length)) : 0
    let (offX, offY) = (x - dx * share, y - dy * share)
    return (offX * offX + offY * offY).squareRoot()
  }

  @Test("A straight line of 5,000 points is two, and a long one costs no square of time")
  func straight() {
    let line = (0...5_000).map { GroundPoint(longitude: Double($0) / 5_000, latitude: 0) }
    #expect(Simplification.simplifiedLine(line, for: square).count == 2)
    // A saw of 400,000 teeth, each 100 units wide: the square of that would take hours. Its rows lie so close together
    // that a few of them show all.
    let saw = (0..<400_000).map {
      GroundPoint(longitude: $0.isMultiple(of: 2) ? 0 : 1, latitude: Double($0) / 400_000)
    }
    #expect((200...2_000).contains(Simplification.simplifiedLine(saw, for: square).count))
  }

  @Test("Ground beyond the antimeridian lies on the turn that the map is on")
  func antimeridian() throws {
    let extent = GroundExtent(
      middle: Coordinate(clampingLatitude: -17, wrappingLongitude: 179.8), east: 1, north: 1,
      scale: 100)
    let road = feature(.motorway, [points([(-179.9, -17), (-179.5, -17)])])
    let seen = try #require(road.cut(to: extent))
    let line = try #require(seen.parts.first)
    #expect(abs(line[0].longitude - 180.1) < 1e-9 && abs(line[1].longitude - 180.5) < 1e-9)
    let far = feature(.motorway, [points([(0, -17), (1, -17)])])
    #expect(far.cut(to: extent) == nil)
  }

  @Test("Two extents on both sides of the antimeridian are one of four degrees")
  func union() {
    let east = GroundExtent(
      middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 179), east: 1, north: 1, scale: 9)
    let west = GroundExtent(
      middle: Coordinate(clampingLatitude: 2, wrappingLongitude: -179), east: 1, north: 1, scale: 5)
    let both = east.union(west)
    #expect(both.longitudes.upperBound - both.longitudes.lowerBound == 4)
    #expect(both.latitudes == -1...3 && both.scale == 5)
  }

  @Test("Each kind is on maps that are fine enough for it")
  func scales() {
    func seen(_ kind: GroundKind, at scale: Double) -> Bool {
      let extent = GroundExtent(
        middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), east: 1, north: 1,
        scale: scale)
      return feature(kind, [points([(-0.5, 0), (0.5, 0.1)])]).cut(to: extent) != nil
    }
    #expect(seen(.motorway, at: 1_000) && !seen(.street, at: 1_000))
    #expect(seen(.street, at: 5) && seen(.river, at: 100_000))
    // Natural Earth's lines are accurate to 2 km at best.
    let rough = GroundFeature(
      GroundTags(kind: .river, source: .naturalEarth, finest: 100), [points([(-0.5, 0), (0.5, 0)])])
    #expect(rough.cut(to: square) != nil)
    #expect(
      rough.cut(
        to: GroundExtent(
          middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), east: 1, north: 1,
          scale: 50)) == nil)
  }

  @Test("Where there is too much, the least important things are left out, and counted")
  func bound() {
    var sheet = GroundSheet(
      GroundExtent(
        middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), east: 1, north: 1, scale: 1))
    let zigzag = (0..<2_000).map {
      GroundPoint(
        longitude: Double($0) / 2_500 - 0.4, latitude: $0.isMultiple(of: 2) ? 0.001 : -0.001)
    }
    for _ in 0..<100 { sheet.addFeature(feature(.path, [zigzag])) }
    sheet.addFeature(feature(.river, [zigzag]))
    sheet.addFeature(feature(.motorway, [zigzag]))
    for _ in 0..<100 { sheet.addFeature(feature(.street, [zigzag])) }
    sheet.bound()
    #expect(sheet.features.reduce(0) { $0 + $1.pointCount } <= GroundSheet.pointLimit)
    #expect(sheet.features.contains { $0.kind == .river })
    #expect(sheet.features.contains { $0.kind == .motorway })
    #expect(!sheet.features.contains { $0.kind == .path })
    #expect(sheet.features.count + sheet.leftOut == 202)
  }
}
