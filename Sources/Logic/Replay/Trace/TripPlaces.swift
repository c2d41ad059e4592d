// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
package import LocationModel

// Theory
// ======
//
// An app monitors regions around places that it knows beforehand. A trace names none, so its truth is asked before the
// replay: the places are those at which the device stays (`TruthEvents`), one region for each; of more than an app may
// monitor, those with the longest stays. A trace without a stay has the place where it begins and that where it ends.

/// Finds the places of a trip in its truth, before the trip is replayed.
package struct TripPlaces: Sendable {
  /// Metres around a place [doc: developer.android.com, "Create and monitor geofences": for best results no less than 100
  /// to 150 m; Apple states no least radius, and that less than 400 m works better with Wi-Fi].
  package static let usualRadius = 150.0
  /// The most places kept while the trace is read [ours]; of more, those with the shortest stays go.
  private static let most = 512

  private struct Place: Sendable {
    let frame: LocalFrame
    var seconds = 0.0
  }

  private let radius: Double
  private var truth: TruthStream
  private var steps = TruthSteps()
  private var events = TruthEvents()
  private var taken = 0
  private var places: [Place] = []
  /// The index of the place of the stay under way.
  private var current: Int?
  private var ends: (first: Coordinate, last: Coordinate)?

  /// Of the trace that `summary` describes; `isRecorded` unless the events are those of a truth file. `radius`, metres, is
  /// that of the regions.
  package init(
    _ summary: TraceSummary, isRecorded: Bool, radius: Double = TripPlaces.usualRadius
  ) {
    self.radius = radius
    truth = TruthStream(summary, isRecorded: isRecorded)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) {
    for index in events.indices {
      truth.takeEvent(events[index], into: &steps)
      drain()
    }
  }

  /// The regions around the places, in the order in which the device came there; call after the last event.
  package mutating func finishTrace() -> [MonitoredRegion] {
    truth.finish(into: &steps)
    drain()
    events.endSegment(isLast: true)
    noteStay(seconds: 0)
    if places.isEmpty, let ends {
      for place in [ends.first, ends.last] { include(LocalFrame(origin: place)) }
    }
    keepLongest(MonitoredRegion.limit)
    return places.enumerated().map { number, place in
      MonitoredRegion("place \(number + 1)", centre: place.frame.origin, radius: radius)
    }
  }

  private mutating func drain() {
    while true {
      if let gap = steps.gaps.first, gap.number <= taken {
        steps.removeFirstGap()
        events.endSegment()
        noteStay(seconds: 0)
      } else if taken < steps.known {
        let sample = steps[taken]
        events.pass(to: sample.point)
        noteStay(seconds: sample.elapsed)
        ends = (ends?.first ?? sample.coordinate, sample.coordinate)
        taken += 1
      } else {
        return steps.forget(before: taken)
      }
    }
  }

  private mutating func noteStay(seconds: Double) {
    guard let stay = events.stay else { return current = nil }
    if current == nil { current = include(stay) }
    if let current { places[current].seconds += seconds }
  }

  /// The index of the place around a point, which is new if none is near.
  @discardableResult
  private mutating func include(_ frame: LocalFrame) -> Int {
    let near = places.firstIndex { $0.frame.distance(to: frame.origin) <= radius }
    if let near { return near }
    if places.count == Self.most { keepLongest(Self.most / 2) }
    places.append(Place(frame: frame))
    return places.count - 1
  }

  private mutating func keepLongest(_ count: Int) {
    guard places.count > count else { return }
    let ranked = places.indices.sorted {
      (places[$1].seconds, $0) < (places[$0].seconds, $1)
    }
    let kept = Set(ranked.prefix(count))
    places = places.indices.filter(kept.contains).map { places[$0] }
  }
}
