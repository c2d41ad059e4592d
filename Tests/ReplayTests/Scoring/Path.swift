// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

@testable import Replay

/// A walk along a parallel, drawn as legs of (seconds, metres per second east), a point a second; so distances are
/// differences of metres, and everything can be computed by hand.
struct Path {
  static let frame = LocalFrame(
    origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))

  private(set) var points: [(at: Double, east: Double)] = [(0, 0)]

  init(_ legs: (seconds: Double, speed: Double)...) {
    for leg in legs {
      let begin = points[points.count - 1]
      for second in stride(from: 1, through: leg.seconds, by: 1) {
        points.append((begin.at + second, begin.east + second * leg.speed))
      }
    }
  }

  static func place(_ east: Double) -> Coordinate { frame.point(east: east, north: 0) }

  static func instant(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  /// A delivery at an instant; its claimed place matters only in gaps.
  static func delivery(
    _ at: Double, accuracy: Double? = nil, east: Double = 0, cached: Bool = false
  ) -> ScoredDelivery {
    ScoredDelivery(
      at: instant(at), coordinate: place(east), accuracy: accuracy, isCached: cached)
  }

  /// Scores deliveries over the path; `gaps` are stretches without any truth.
  func score(
    _ deliveries: [ScoredDelivery], gaps: [ClosedRange<Double>] = [],
    rules: ScoringRules = ScoringRules()
  ) -> Scorer {
    var scorer = Scorer(rules: rules, keepsCrossings: true)
    var rest = deliveries[...]
    var isOpen = false
    for point in points {
      if gaps.contains(where: { $0.lowerBound < point.at && point.at < $0.upperBound }) {
        if isOpen { scorer.endSegment() }
        isOpen = false
        continue
      }
      while let next = rest.first, next.at <= Self.instant(point.at) {
        scorer.deliver(next)
        rest.removeFirst()
      }
      let place = TruePoint(at: Self.instant(point.at), coordinate: Self.place(point.east))
      if isOpen { scorer.pass(to: place) } else { scorer.begin(at: place) }
      isOpen = true
    }
    for delivery in rest { scorer.deliver(delivery) }
    scorer.finishTrace()
    return scorer
  }
}
