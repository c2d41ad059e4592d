// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A map cannot show these points: first those nearer than half a unit to the one before, then those that lie
// nearer than half a unit to the straight way between their neighbours that stay (Douglas and Peucker,
// Cartographica 10, 1973). The second takes the square of a line's length at worst, so it is done in runs of 1,000
// points: a line of any length costs in proportion to it.

/// Lines with no more points than a map of an extent shows.
enum Simplification {
  private static let tolerance = 0.5
  private static let run = 1_000

  static func simplifiedLine(_ points: [GroundPoint], for extent: GroundExtent) -> [GroundPoint] {
    let (east, north) = (extent.squeeze / extent.unit, 1 / extent.unit)
    func apart(_ a: GroundPoint, _ b: GroundPoint) -> (x: Double, y: Double) {
      ((b.longitude - a.longitude) * east, (b.latitude - a.latitude) * north)
    }
    guard var last = points.first, let end = points.last, points.count > 2 else { return points }
    var thin = [last]
    for point in points.dropFirst().dropLast() {
      let (x, y) = apart(last, point)
      guard x * x + y * y >= tolerance * tolerance else { continue }
      thin.append(point)
      last = point
    }
    thin.append(end)
    var kept = [thin[0]]
    var start = 0
    while start < thin.count - 1 {
      let stop = min(thin.count - 1, start + run)
      keep(thin, start, stop, apart, into: &kept)
      start = stop
    }
    return kept
  }

  /// Appends the points after `start` up to `stop` that stay.
  private static func keep(
    _ points: [GroundPoint], _ start: Int, _ stop: Int,
    _ apart: (GroundPoint, GroundPoint) -> (x: Double, y: Double), into kept: inout [GroundPoint]
  ) {
    var open = [(start, stop)]
    while let (first, last) = open.popLast() {
      let (dx, dy) = apart(points[first], points[last])
      let length = dx * dx + dy * dy
      var furthest = (index: first, distance: tolerance * tolerance)
      for index in first + 1..<max(first + 1, last) {
        let (x, y) = apart(points[first], points[index])
        // To the leg, not to the line through it: a road that goes back beyond its start is no detour.
        let along = length > 0 ? min(1, max(0, (x * dx + y * dy) / length)) : 0
        let (offX, offY) = (x - along * dx, y - along * dy)
        let distance = offX * offX + offY * offY
        if distance > furthest.distance { furthest = (index, distance) }
      }
      if furthest.index > first {
        open.append((furthest.index, last))
        open.append((first, furthest.index))
      } else {
        kept.append(points[last])
      }
    }
  }
}
