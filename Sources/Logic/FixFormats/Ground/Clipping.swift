// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A line that leaves an extent and comes back becomes several: each leg is cut where it crosses the four sides, by the
// parameter along the leg (Liang and Barsky, ACM TOG 3, 1984). A ring stays one ring: it is cut by one side after the
// other (Sutherland and Hodgman, CACM 17, 1974), and where it runs outside it follows the side. The sides lie outside
// the visible area, so this is not seen.

/// Lines and rings within a rectangle of degrees.
enum Clipping {
  /// The parts of a line that lie within; points on a side are within.
  static func clippedLine(_ points: [GroundPoint], to extent: GroundExtent) -> [[GroundPoint]] {
    var parts: [[GroundPoint]] = []
    var part: [GroundPoint] = []
    for (a, b) in zip(points, points.dropFirst()) {
      guard let leg = leg(a, b, extent) else {
        if part.count > 1 { parts.append(part) }
        part = []
        continue
      }
      if part.last != leg.from {
        if part.count > 1 { parts.append(part) }
        part = [leg.from]
      }
      if leg.to != leg.from { part.append(leg.to) }
    }
    if part.count > 1 { parts.append(part) }
    return parts
  }

  private static func leg(
    _ a: GroundPoint, _ b: GroundPoint, _ extent: GroundExtent
  ) -> (from: GroundPoint, to: GroundPoint)? {
    let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
    var (first, last) = (0.0, 1.0)
    /// Keeps the inner side; `p` is the leg's speed outwards, `q` its limit.
    func keep(_ p: Double, _ q: Double) -> Bool {
      if p == 0 { return q >= 0 }
      let share = q / p
      if p < 0 { first = max(first, share) } else { last = min(last, share) }
      return first <= last
    }
    guard keep(-dx, a.longitude - extent.longitudes.lowerBound),
      keep(dx, extent.longitudes.upperBound - a.longitude),
      keep(-dy, a.latitude - extent.latitudes.lowerBound),
      keep(dy, extent.latitudes.upperBound - a.latitude)
    else { return nil }
    func point(_ share: Double) -> GroundPoint {
      share == 0
        ? a
        : share == 1
          ? b : GroundPoint(longitude: a.longitude + dx * share, latitude: a.latitude + dy * share)
    }
    return (point(first), point(last))
  }

  /// The ring within, closed; empty if no part is within.
  static func ring(_ points: [GroundPoint], to extent: GroundExtent) -> [GroundPoint] {
    var ring = points
    if let first = ring.first, ring.count > 1, ring.last == first { ring.removeLast() }
    let (west, east) = (extent.longitudes.lowerBound, extent.longitudes.upperBound)
    let (south, north) = (extent.latitudes.lowerBound, extent.latitudes.upperBound)
    ring = cut(ring) { $0.longitude - west }
    ring = cut(ring) { east - $0.longitude }
    ring = cut(ring) { $0.latitude - south }
    ring = cut(ring) { north - $0.latitude }
    guard ring.count > 2, let first = ring.first else { return [] }
    return ring + [first]
  }

  /// Keeps the side on which `inside` is not below 0.
  private static func cut(
    _ ring: [GroundPoint], _ inside: (GroundPoint) -> Double
  ) -> [GroundPoint] {
    guard var before = ring.last else { return [] }
    var kept: [GroundPoint] = []
    var wasIn = inside(before)
    for point in ring {
      let isIn = inside(point)
      if (wasIn < 0) != (isIn < 0) {
        let share = wasIn / (wasIn - isIn)
        kept.append(
          GroundPoint(
            longitude: before.longitude + (point.longitude - before.longitude) * share,
            latitude: before.latitude + (point.latitude - before.latitude) * share))
      }
      if isIn >= 0 { kept.append(point) }
      (before, wasIn) = (point, isIn)
    }
    return kept
  }
}
