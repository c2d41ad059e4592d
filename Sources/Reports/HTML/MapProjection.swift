// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Replay

/// A flat map around the middle of a track, north up: equirectangular, true to scale at its middle.
///
/// Longitudes are followed from vertex to vertex the short way round, so that a track across the
/// antimeridian is one line. The scale is right at the middle latitude; east–west it is off by the
/// cosine's change elsewhere (0.1 % over 10 km at 50°, some per cent over 1,000 km).
struct MapProjection {
  private static let margin = 26.0
  private static let widths = 190.0...320.0
  private static let heights = 140.0...300.0
  private static let narrow = 240.0
  /// Below the track, for the scale bar.
  static let footer = 18.0

  /// Units of the view box; a track from north to south has a narrow map.
  let width: Double
  let height: Double
  /// Metres per unit.
  let scale: Double
  private let longitude: Double
  private let middle: (longitude: Double, latitude: Double)
  private let unitsPerDegree: (east: Double, north: Double)

  /// The map that holds all `tracks` and `places`; `nil` where the tracks have no point.
  init?(_ tracks: [TrackLine], places: [Coordinate]) {
    guard let origin = tracks.lazy.compactMap(\.vertices.first).first?.place else { return nil }
    var east = (low: 0.0, high: 0.0)
    var north = (low: origin.latitude, high: origin.latitude)
    for track in tracks {
      for (offset, vertex) in zip(Self.unrolled(track, from: origin.longitude), track.vertices) {
        east = (min(east.low, offset), max(east.high, offset))
        north = (min(north.low, vertex.place.latitude), max(north.high, vertex.place.latitude))
      }
    }
    let centre = (east.low + east.high) / 2
    for place in places {
      let offset = centre + Coordinate.wrapped(place.longitude - origin.longitude - centre)
      east = (min(east.low, offset), max(east.high, offset))
      north = (min(north.low, place.latitude), max(north.high, place.latitude))
    }
    longitude = origin.longitude
    middle = ((east.low + east.high) / 2, (north.low + north.high) / 2)
    let metres = 111_195.0
    let squeeze = max(0.01, cosine(middle.latitude.radians))
    // A track that stands still is shown on a map of 200 m.
    let spanEast = max(200, (east.high - east.low) * metres * squeeze)
    let spanNorth = max(100, (north.high - north.low) * metres)
    let broadest = Self.widths.upperBound - 2 * Self.margin
    let tallest = Self.heights.upperBound - 2 * Self.margin
    let scale = max(spanEast / broadest, spanNorth / tallest)
    self.scale = scale
    let needed = max(Self.widths.lowerBound, (spanEast / scale + 2 * Self.margin).rounded(.up))
    width = needed < Self.narrow ? needed : Self.widths.upperBound
    height =
      max(Self.heights.lowerBound, (spanNorth / scale + 2 * Self.margin).rounded(.up))
      + Self.footer
    unitsPerDegree = (metres * squeeze / scale, metres / scale)
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

  func points(_ track: TrackLine) -> [(x: Double, y: Double)] {
    zip(Self.unrolled(track, from: longitude), track.vertices).map {
      point(east: $0, latitude: $1.place.latitude)
    }
  }

  /// Where a single place lies: on that turn of the earth which is nearest to the map's middle.
  func point(_ place: Coordinate) -> (x: Double, y: Double) {
    let east =
      middle.longitude + Coordinate.wrapped(place.longitude - longitude - middle.longitude)
    return point(east: east, latitude: place.latitude)
  }

  private func point(east: Double, latitude: Double) -> (x: Double, y: Double) {
    (
      width / 2 + (east - middle.longitude) * unitsPerDegree.east,
      (height - Self.footer) / 2 - (latitude - middle.latitude) * unitsPerDegree.north
    )
  }

  /// Whether many such maps fit beside each other.
  var isNarrow: Bool { width < Self.narrow }

  /// The longest round length (1, 2 or 5 times a power of ten) that takes at most a quarter of the width.
  var scaleBar: (metres: Double, units: Double) {
    let most = scale * width / 4
    let decade = tenTo(LogScale.exponent(most))
    let metres = [5.0, 2, 1].map { $0 * decade }.first { $0 <= most } ?? decade
    return (metres, metres / scale)
  }
}
