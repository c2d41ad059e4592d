// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The optimum must ask for many points: when is the device next 500 m from here? A device at rest makes
// that search long, so points lie in blocks of 64, and blocks in blocks of 64 blocks, each with its
// bounding box: a box that lies within the distance altogether is passed over in one step. So a day at
// rest is a hundred steps instead of 86,400.

/// The true path in memory, 40 bytes a point, with boxes for long searches.
package struct TruthPath: Sendable, Equatable {
  package private(set) var points: [TruePoint] = []
  /// Index of the first point of each segment.
  private(set) var segmentStarts: [Int] = []
  private var boxes: [Box] = []
  private var largeBoxes: [Box] = []
  private var isSegmentOpen = false

  static let blockLength = 64

  package init() {}

  package mutating func append(point: TruePoint) {
    if !isSegmentOpen { segmentStarts.append(points.count) }
    isSegmentOpen = true
    let block = points.count / Self.blockLength
    if block == boxes.count { boxes.append(Box(point.coordinate)) }
    boxes[block].include(point.coordinate)
    let large = block / Self.blockLength
    if large == largeBoxes.count { largeBoxes.append(Box(point.coordinate)) }
    largeBoxes[large].include(point.coordinate)
    points.append(point)
  }

  package mutating func endSegment() { isSegmentOpen = false }

  package var segmentCount: Int { segmentStarts.count }

  /// Seconds of the path within segments.
  package var seconds: Double {
    segmentStarts.indices.reduce(0) { sum, index in
      let last = end(ofSegment: index) - 1
      return sum + EngineInstant.seconds(from: points[segmentStarts[index]].at, to: points[last].at)
    }
  }

  /// The index of the segment that holds the point.
  func segment(of index: Int) -> Int {
    var low = 0
    var high = segmentStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if segmentStarts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// One behind the last point of a segment.
  func end(ofSegment segment: Int) -> Int {
    segment + 1 < segmentStarts.count ? segmentStarts[segment + 1] : points.count
  }

  /// The first point from `index` on that is `distance` or more from `frame`'s origin.
  func firstFar(from index: Int, of frame: LocalFrame, _ distance: Double) -> Int? {
    let block = Self.blockLength
    var index = index
    while index < points.count {
      if index % (block * block) == 0,
        largeBoxes[index / (block * block)].isWithin(distance, of: frame)
      {
        index += block * block
      } else if index % block == 0, boxes[index / block].isWithin(distance, of: frame) {
        index += block
      } else if frame.distance(to: points[index].coordinate) >= distance {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }

  /// The first point at or after `instant`, searched from `index` on.
  func first(at instant: EngineInstant, from index: Int) -> Int {
    var low = index
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].at < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Bounds in degrees; a box that spans more than half the Earth decides nothing.
  private struct Box: Sendable, Equatable {
    var south: Double
    var north: Double
    var west: Double
    var east: Double

    init(_ place: Coordinate) {
      (south, north) = (place.latitude, place.latitude)
      (west, east) = (place.longitude, place.longitude)
    }

    mutating func include(_ place: Coordinate) {
      south = min(south, place.latitude)
      north = max(north, place.latitude)
      west = min(west, place.longitude)
      east = max(east, place.longitude)
    }

    func isWithin(_ distance: Double, of frame: LocalFrame) -> Bool {
      guard east - west < 90 else { return false }
      let low = Coordinate(clampingLatitude: south, wrappingLongitude: west)
      let high = Coordinate(clampingLatitude: north, wrappingLongitude: east)
      let x = max(frame.east(of: low).magnitude, frame.east(of: high).magnitude)
      let y = max(frame.north(of: low).magnitude, frame.north(of: high).magnitude)
      return x * x + y * y < distance * distance
    }
  }
}
