// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// The true way of the device, as a line for a map, with the stretches in which the app was blind.
//
//   leg of a vertex:  start (the trace begins, or a gap ends)  |  known  |  blind  |  repeated
//
// A vertex is kept when it lies `tolerance` from the last one, and where the leg changes. When twice `limit` are kept,
// tolerance doubles until Douglas and Peucker (Cartographica 10, 1973) leave at most `limit`; each chain of equal legs
// is simplified by itself, so changes stay where they were. Chains and segments that lie within the tolerance as a
// whole are absorbed by their neighbours, so this ends whatever the trace. No dropped point lay further off the line
// than three times the tolerance.
//
// A month of the same commute is the same line thirty times. Before coarsening, legs are left out that would be drawn
// over equal ones: on a grid of 500 cells across the whole track, a leg stays when it enters a cell in which no leg of
// its kind lies yet, and so does the one after it. The part left out between two that stay is simplified if it kept
// within a cell and a half of the straight way, as slow steps do, and else is a `repeated`: the line continues
// elsewhere, with no ink missing in between. So a line that ends and begins anew means a gap of the trace.

/// The way of the device, simplified to a bounded number of points.
package struct TrackLine: Sendable, Equatable {
  package enum Leg: Sendable, Equatable {
    /// No leg: the trace begins here, or continues here after a gap.
    case start
    case known
    case blind
    /// A way already drawn.
    case repeated

    /// Whether nothing is drawn to this vertex.
    package var isBreak: Bool { self == .start || self == .repeated }
  }

  package struct Vertex: Sendable, Equatable {
    package var place: Coordinate
    /// The leg that led here.
    package var leg: Leg
  }

  /// The greatest number of vertices in a finished line.
  package static let limit = 2_000

  package private(set) var vertices: [Vertex] = []
  /// Metres.
  package private(set) var tolerance = 1.0
  /// The latest place of the device.
  package private(set) var end: Coordinate?
  /// The latest place, if too near to the last vertex to be one.
  private var waiting: Vertex?

  package init() {}

  mutating func move(to place: Coordinate, _ leg: Leg) {
    end = place
    guard let last = vertices.last, leg != .start else {
      keepWaiting()
      return keep(Vertex(place: place, leg: .start))
    }
    if let waiting, waiting.leg != leg { keepWaiting() }
    let next = Vertex(place: place, leg: leg)
    if Self.metres(from: (vertices.last ?? last).place, to: place) < tolerance {
      waiting = next
    } else {
      waiting = nil
      keep(next)
    }
  }

  /// Ends the line at the latest place.
  mutating func finish() {
    keepWaiting()
    if vertices.count > Self.limit { dropRepeats() }
    while vertices.count > Self.limit { coarsen() }
  }

  private mutating func keepWaiting() {
    guard let vertex = waiting else { return }
    waiting = nil
    keep(vertex)
  }

  private mutating func keep(_ vertex: Vertex) {
    vertices.append(vertex)
    guard vertices.count >= 2 * Self.limit else { return }
    dropRepeats()
    while vertices.count > Self.limit { coarsen() }
  }

  // MARK: Repeats

  private struct Cell: Hashable {
    var east: Int
    var north: Int
    var isBlind: Bool
  }

  private mutating func dropRepeats() {
    guard let first = vertices.first else { return }
    let points = vertices.map { Self.offset(from: first.place, to: $0.place) }
    let size = max(tolerance, Self.extent(points) / 500)
    var drawn: Set<Cell> = []
    var kept = [first]
    var lastKept = 0
    var lastNew = 0
    var isAfterGap = false
    // A leg dropped by an earlier pass is no way from here to there.
    var isAfterRepeat = false
    for index in vertices.indices.dropFirst() {
      let leg = vertices[index].leg
      if leg == .start { isAfterGap = true }
      if leg == .repeated { isAfterRepeat = true }
      if leg.isBreak { continue }
      var isNew = false
      for cell in Self.cells(from: points[index - 1], to: points[index], size, leg == .blind) {
        if drawn.insert(cell).inserted { isNew = true }
      }
      if isNew { lastNew = index }
      guard index - lastNew <= 1 else { continue }
      if isAfterGap {
        kept.append(Vertex(place: vertices[index - 1].place, leg: .start))
      } else if isAfterRepeat || !Self.isStraight(points[lastKept...index], within: 1.5 * size) {
        kept.append(Vertex(place: vertices[index - 1].place, leg: .repeated))
      } else if let anchor = kept.last {
        kept += simplified(vertices[lastKept + 1..<index], from: anchor.place)
      }
      kept.append(vertices[index])
      (lastKept, isAfterGap, isAfterRepeat) = (index, false, false)
    }
    // The line goes on from the device's place, not from the end of the last new leg.
    if lastKept != vertices.count - 1, var last = vertices.last {
      let isStraight = Self.isStraight(points[lastKept...], within: 1.5 * size)
      if isAfterGap {
        last.leg = .start
      } else if isAfterRepeat || !isStraight {
        last.leg = .repeated
      }
      kept.append(last)
    }
    vertices = kept
  }

  /// Whether all points lie within a distance of the straight way from the first to the last.
  private static func isStraight(_ points: ArraySlice<Point>, within limit: Double) -> Bool {
    guard let first = points.first, let last = points.last else { return true }
    return points.allSatisfy { distance(of: $0, from: first, last) <= limit }
  }

  private static func extent(_ points: [Point]) -> Double {
    let east = points.map(\.east)
    let north = points.map(\.north)
    return max(
      (east.max() ?? 0) - (east.min() ?? 0), (north.max() ?? 0) - (north.min() ?? 0))
  }

  private static func cells(
    from a: Point, to b: Point, _ size: Double, _ isBlind: Bool
  ) -> [Cell] {
    let length = max((b.east - a.east).magnitude, (b.north - a.north).magnitude)
    let steps = max(1, Int((length / size).rounded(.up)))
    return (0...steps).map { step in
      let t = Double(step) / Double(steps)
      return Cell(
        east: Int(((a.east + t * (b.east - a.east)) / size).rounded(.down)),
        north: Int(((a.north + t * (b.north - a.north)) / size).rounded(.down)),
        isBlind: isBlind)
    }
  }

  // MARK: Simplification

  private mutating func coarsen() {
    tolerance *= 2
    var kept: [Vertex] = []
    var start = 0
    while start < vertices.count {
      var end = start + 1
      while end < vertices.count, !vertices[end].leg.isBreak { end += 1 }
      addSegment(vertices[start..<end], to: &kept)
      start = end
    }
    vertices = kept
  }

  private func addSegment(_ segment: ArraySlice<Vertex>, to kept: inout [Vertex]) {
    guard let first = segment.first else { return }
    if let last = kept.last, isWithin(segment, of: last.place) { return }
    kept.append(first)
    var start = segment.startIndex + 1
    while start < segment.endIndex {
      let leg = segment[start].leg
      var end = start
      while end < segment.endIndex, segment[end].leg == leg { end += 1 }
      let chain = segment[start..<end]
      start = end
      guard let anchor = kept.last, !isWithin(chain, of: anchor.place) else { continue }
      kept += simplified(chain, from: anchor.place)
    }
  }

  private func isWithin(_ part: ArraySlice<Vertex>, of place: Coordinate) -> Bool {
    part.allSatisfy { Self.metres(from: place, to: $0.place) < tolerance }
  }

  /// Douglas and Peucker without recursion; the last vertex always stays.
  private func simplified(_ chain: ArraySlice<Vertex>, from anchor: Coordinate) -> [Vertex] {
    let points = [(east: 0.0, north: 0.0)] + chain.map { Self.offset(from: anchor, to: $0.place) }
    var stays = [Bool](repeating: false, count: points.count)
    stays[points.count - 1] = true
    var open = [(0, points.count - 1)]
    while let (a, b) = open.popLast() {
      guard b - a > 1 else { continue }
      var furthest = (index: a, distance: tolerance)
      for index in (a + 1)..<b {
        let distance = Self.distance(of: points[index], from: points[a], points[b])
        if distance > furthest.distance { furthest = (index, distance) }
      }
      guard furthest.index > a else { continue }
      stays[furthest.index] = true
      open.append((a, furthest.index))
      open.append((furthest.index, b))
    }
    return zip(chain, stays.dropFirst()).filter(\.1).map(\.0)
  }

  private typealias Point = (east: Double, north: Double)

  /// Metres on a sphere that is flat around `a`: good enough to decide which points a picture needs.
  private static func offset(from a: Coordinate, to b: Coordinate) -> Point {
    let degree = 111_195.0
    let turn = Coordinate.wrapped(b.longitude - a.longitude)
    return (turn * degree * cosine(a.latitude.radians), (b.latitude - a.latitude) * degree)
  }

  private static func metres(from a: Coordinate, to b: Coordinate) -> Double {
    let (east, north) = offset(from: a, to: b)
    return (east * east + north * north).squareRoot()
  }

  private static func distance(of p: Point, from a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.east - a.east, b.north - a.north)
    let length = dx * dx + dy * dy
    let along = ((p.east - a.east) * dx + (p.north - a.north) * dy) / max(length, 1e-9)
    let t = min(1, max(0, along))
    let (x, y) = (p.east - a.east - t * dx, p.north - a.north - t * dy)
    return (x * x + y * y).squareRoot()
  }
}
