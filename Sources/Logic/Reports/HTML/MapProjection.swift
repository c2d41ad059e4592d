// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import Replay

// Theory
// ======
//
// The map is as large as the way, not as the deliveries: one wild delivery must not shrink the way to a spot.
// Deliveries up to half the extent away widen it, so that the way takes at least half of the longer side; deliveries
// further off are marked at the edge.

/// A flat map around the middle of a track, north up: equirectangular, true to scale at its middle.
///
/// Longitudes are followed from vertex to vertex the short way round, so that a track across the
/// antimeridian is one line. The scale is right at the middle latitude; east–west it is off by the
/// cosine's change elsewhere (0.1 % over 10 km at 50°, some per cent over 1,000 km).
struct MapProjection {
  /// The allowed size of a map, in units of its view box.
  struct Frame {
    let widths: ClosedRange<Double>
    let heights: ClosedRange<Double>
    /// A map narrower than this keeps its width; any other has the full width.
    let narrow: Double

    /// One of several side by side.
    static let small = Frame(widths: 190...320, heights: 140...300, narrow: 240)
    /// The one of the first screen.
    static let large = Frame(widths: 330...620, heights: 320...450, narrow: 430)

    /// One of a given size.
    static func fixed(_ width: Double, _ height: Double) -> Frame {
      Frame(widths: width...width, heights: height...height, narrow: 0)
    }
  }

  private static let margin = 26.0
  /// Below the track, for the scale bar.
  static let footer = 18.0
  private static let metresPerDegree = 111_195.0

  /// Units of the view box; a track from north to south has a narrow map.
  let width: Double
  let height: Double
  /// Metres per unit.
  let scale: Double
  /// Whether many such maps fit beside each other.
  let isNarrow: Bool
  private let longitude: Double
  private let middle: (longitude: Double, latitude: Double)
  private let unitsPerDegree: (east: Double, north: Double)

  /// The map that holds all `tracks`, and those of the `places` that are not far off; `nil` if the tracks
  /// have no point.
  init?(_ tracks: [TrackLine], places: [Coordinate], in frame: Frame = .small) {
    guard let origin = tracks.lazy.compactMap(\.vertices.first).first?.place else { return nil }
    let box = Self.box(tracks, places, around: origin)
    longitude = origin.longitude
    middle = box.middle
    let squeeze = box.squeeze
    // A track that stands still is shown on a map of 200 m.
    let spanEast = max(200, box.metresEast)
    let spanNorth = max(100, box.metresNorth)
    let broadest = frame.widths.upperBound - 2 * Self.margin
    let tallest = frame.heights.upperBound - Self.footer - 2 * Self.margin
    let scale = max(spanEast / broadest, spanNorth / tallest)
    self.scale = scale
    let needed = (spanEast / scale + 2 * Self.margin).rounded(.up)
    isNarrow = needed < frame.narrow
    width = isNarrow ? max(frame.widths.lowerBound, needed) : frame.widths.upperBound
    height = max(
      frame.heights.lowerBound, (spanNorth / scale + 2 * Self.margin).rounded(.up) + Self.footer)
    unitsPerDegree = (
      Self.metresPerDegree * squeeze / scale, Self.metresPerDegree / scale
    )
  }

  /// Degrees; east is counted from the track's first point.
  private struct Box {
    var east: ClosedRange<Double>
    var north: ClosedRange<Double>

    var middle: (longitude: Double, latitude: Double) {
      (
        (east.lowerBound + east.upperBound) / 2, (north.lowerBound + north.upperBound) / 2
      )
    }
    /// The ratio of a degree of longitude to one of latitude.
    var squeeze: Double { max(0.01, cosine(middle.latitude.radians)) }
    var metresEast: Double { (east.upperBound - east.lowerBound) * metresPerDegree * squeeze }
    var metresNorth: Double { (north.upperBound - north.lowerBound) * metresPerDegree }

    mutating func include(_ longitude: Double, _ latitude: Double) {
      east = min(east.lowerBound, longitude)...max(east.upperBound, longitude)
      north = min(north.lowerBound, latitude)...max(north.upperBound, latitude)
    }

    func widened(byMetres metres: Double) -> Box {
      let (x, y) = (metres / metresPerDegree / squeeze, metres / metresPerDegree)
      return Box(
        east: east.lowerBound - x...east.upperBound + x,
        north: north.lowerBound - y...north.upperBound + y)
    }
  }

  private static func box(
    _ tracks: [TrackLine], _ places: [Coordinate], around origin: Coordinate
  ) -> Box {
    var box = Box(east: 0...0, north: origin.latitude...origin.latitude)
    for track in tracks {
      for (offset, vertex) in zip(unrolled(track, from: origin.longitude), track.vertices) {
        box.include(offset, vertex.place.latitude)
      }
    }
    let near = box.widened(byMetres: max(200, box.metresEast, box.metresNorth) / 2)
    let centre = box.middle.longitude
    for place in places {
      let offset = centre + Coordinate.wrapped(place.longitude - origin.longitude - centre)
      guard near.east.contains(offset), near.north.contains(place.latitude) else { continue }
      box.include(offset, place.latitude)
    }
    return box
  }

  /// Degrees east of `start` for each vertex, without a jump at the antimeridian.
  static func unrolled(_ track: TrackLine, from start: Double) -> [Double] {
    var last = start
    var offset = 0.0
    return track.vertices.map { vertex in
      offset += Coordinate.wrapped(vertex.place.longitude - last)
      last = vertex.place.longitude
      return offset
    }
  }

  func points(_ track: TrackLine) -> [MapPoint] {
    zip(Self.unrolled(track, from: longitude), track.vertices).map {
      point(east: $0, latitude: $1.place.latitude)
    }
  }

  /// The position of a single place: on the turn of the earth nearest to the map's middle.
  func point(_ place: Coordinate) -> MapPoint {
    let east =
      middle.longitude + Coordinate.wrapped(place.longitude - longitude - middle.longitude)
    return point(east: east, latitude: place.latitude)
  }

  private func point(east: Double, latitude: Double) -> MapPoint {
    MapPoint(
      x: width / 2 + (east - middle.longitude) * unitsPerDegree.east,
      y: (height - Self.footer) / 2 - (latitude - middle.latitude) * unitsPerDegree.north)
  }

  /// The shown part of the earth, and ten units around, so that a line's end is not seen at the edge.
  var extent: GroundExtent {
    GroundExtent(
      middle: Coordinate(
        clampingLatitude: middle.latitude, wrappingLongitude: longitude + middle.longitude),
      east: (width / 2 + 10) / unitsPerDegree.east,
      north: (height / 2 + Self.footer + 10) / unitsPerDegree.north, scale: scale)
  }

  /// The position of a point of the ground in this map's extent.
  func point(_ place: GroundPoint) -> MapPoint {
    let centre = Coordinate.wrapped(longitude + middle.longitude)
    return MapPoint(
      x: width / 2 + (place.longitude - centre) * unitsPerDegree.east,
      y: (height - Self.footer) / 2 - (place.latitude - middle.latitude) * unitsPerDegree.north)
  }

  /// The longest round length (1, 2 or 5 times a power of ten) that takes at most a quarter of the width.
  var scaleBar: (metres: Double, units: Double) {
    let most = scale * width / 4
    let decade = tenTo(LogScale.exponent(most))
    let metres = [5.0, 2, 1].map { $0 * decade }.first { $0 <= most } ?? decade
    return (metres, metres / scale)
  }
}

/// A place on a map, in units of its view box from the upper left corner.
struct MapPoint: Equatable {
  var x: Double
  var y: Double
}

/// A rectangle on a map.
struct MapBox {
  var x: ClosedRange<Double>
  var y: ClosedRange<Double>

  func overlaps(_ other: MapBox) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

  func contains(_ point: MapPoint) -> Bool { x.contains(point.x) && y.contains(point.y) }
}

extension MapBox {
  /// The box of a word of `width` which begins 8 units beside a point, on its line, or ends there.
  init(around point: MapPoint, of width: Double, to isLeft: Bool) {
    x = isLeft ? point.x - 8 - width...point.x - 8 : point.x + 8...point.x + 8 + width
    y = point.y - 18...point.y + 5
  }
}
