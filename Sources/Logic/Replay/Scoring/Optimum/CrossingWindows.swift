// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The window in which the crossing after a delivery must be delivered, for a delivery at any point of a path.
struct CrossingWindows {
  let path: TruthPath
  let rules: ScoringRules
  let delay: Double
  /// Seconds before the end of a segment in which a crossing need not be delivered.
  let margin: Double

  /// The points from t* to the deadline after a delivery at point `index`; `nil` if no crossing that must be
  /// delivered follows.
  func window(after index: Int) -> ClosedRange<Int>? {
    let anchor = path.points[index]
    let frame = LocalFrame(origin: anchor.coordinate)
    let due = anchor.at.advanced(bySeconds: rules.interval)
    var from = path.first(at: due, from: index + 1)
    while let far = path.firstFar(from: from, of: frame, rules.distance) {
      let segment = path.segment(of: far)
      let end = path.end(ofSegment: segment)
      let crossing = self.crossing(at: far, from: from, segment, due: due, frame)
      let last = path.points[end - 1].at
      if EngineInstant.seconds(from: crossing, to: last) >= margin {
        return far...lastPoint(from: far, crossing: crossing, end: end, frame)
      }
      if end == path.points.count { return nil }
      from = end
    }
    return nil
  }

  /// The instant of the crossing seen at point `far`.
  private func crossing(
    at far: Int, from: Int, _ segment: Int, due: EngineInstant, _ frame: LocalFrame
  ) -> EngineInstant {
    if far == path.segmentStarts[segment] { return path.points[far].at }
    let leg = Leg(
      from: path.points[far - 1], to: path.points[far], around: frame, within: rules.distance)
    // At the first point searched, the crossing is not before the end of the interval.
    let fraction = far == from ? leg.fraction(of: due) : 0
    return leg.far(from: fraction).map { leg.instant($0) } ?? path.points[far].at
  }

  private func lastPoint(
    from far: Int, crossing: EngineInstant, end: Int, _ frame: LocalFrame
  ) -> Int {
    let deadline = crossing.advanced(bySeconds: delay)
    var last = far
    while last + 1 < end, isInTime(last + 1, for: deadline),
      frame.distance(to: path.points[last + 1].coordinate) >= rules.distance
    {
      last += 1
    }
    return last
  }

  /// Whether a delivery at a point, or between it and the one before if they are far apart, meets the deadline.
  private func isInTime(_ index: Int, for deadline: EngineInstant) -> Bool {
    let (before, at) = (path.points[index - 1].at, path.points[index].at)
    return at <= deadline || before < deadline && EngineInstant.seconds(from: before, to: at) > 1
  }
}
