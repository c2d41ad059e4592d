// SPDX-License-Identifier: Apache-2.0

/// One thing on the ground.
package struct GroundFeature: Sendable, Equatable {
  package let tags: GroundTags
  /// An area: its rings, each closed, of which the even ones are holes in the odd ones; a line: its parts; a place:
  /// one part of one point.
  package let parts: [[GroundPoint]]

  package init(_ tags: GroundTags, _ parts: [[GroundPoint]]) {
    self.tags = tags
    self.parts = parts
  }

  package var kind: GroundKind { tags.kind }
  package var pointCount: Int { parts.reduce(0) { $0 + $1.count } }

  /// The part of it that a map of `extent` shows; `nil` if there is none.
  package func cut(to extent: GroundExtent) -> GroundFeature? {
    guard extent.scale <= kind.coarsest, extent.coarsest >= tags.finest else { return nil }
    let kept = parts.flatMap { part -> [[GroundPoint]] in
      guard let first = part.first else { return [] }
      var span = (first.longitude, first.longitude, first.latitude, first.latitude)
      for point in part {
        span.0 = min(span.0, point.longitude)
        span.1 = max(span.1, point.longitude)
        span.2 = min(span.2, point.latitude)
        span.3 = max(span.3, point.latitude)
      }
      guard span.2 <= extent.latitudes.upperBound, span.3 >= extent.latitudes.lowerBound,
        kind.form != .area || isSeen(east: span.1 - span.0, north: span.3 - span.2, extent)
      else { return [] }
      return extent.turns(of: span.0...span.1).flatMap { turn in
        Self.cut(turn == 0 ? part : part.map { $0.turned(by: turn) }, kind.form, extent)
      }
    }
    return kept.isEmpty ? nil : GroundFeature(tags, kept)
  }

  /// An area of less than two units is a speck.
  private func isSeen(east: Double, north: Double, _ extent: GroundExtent) -> Bool {
    max(east * extent.squeeze, north) >= 2 * extent.unit
  }

  private static func cut(
    _ part: [GroundPoint], _ form: GroundKind.Form, _ extent: GroundExtent
  ) -> [[GroundPoint]] {
    switch form {
    case .place:
      return part.first.map {
        extent.longitudes.contains($0.longitude) && extent.latitudes.contains($0.latitude)
          ? [[$0]] : []
      } ?? []
    case .line:
      return Clipping.clippedLine(part, to: extent).map {
        Simplification.simplifiedLine($0, for: extent)
      }
    case .area:
      let ring = Clipping.ring(part, to: extent)
      guard ring.count > 3 else { return [] }
      // From its first point to the one opposite and back, for a ring begins where it ends.
      let half = ring.count / 2
      let there = Simplification.simplifiedLine(Array(ring[...half]), for: extent)
      let back = Simplification.simplifiedLine(Array(ring[half...]), for: extent)
      return [there + back.dropFirst()]
    }
  }
}

extension GroundPoint {
  func turned(by degrees: Double) -> GroundPoint {
    GroundPoint(longitude: longitude + degrees, latitude: latitude)
  }
}

/// The ground of one map: a bounded number of points, the most important things first if there are too many.
package struct GroundSheet: Sendable, Equatable {
  /// The greatest number of points kept of one sheet: some 2 MB [ours; a map of 600 by 400 units shows a tenth].
  package static let pointLimit = 120_000

  package let extent: GroundExtent
  /// In the order in which they were read.
  package private(set) var features: [GroundFeature] = []
  /// The number of things left out because there were too many.
  package private(set) var leftOut = 0
  private var points = 0

  package init(_ extent: GroundExtent) { self.extent = extent }

  package var sources: [GroundSource] {
    let used = Set(features.map(\.tags.source))
    return GroundSource.allCases.filter { used.contains($0) }
  }

  /// Takes the visible part of a thing.
  package mutating func addFeature(_ feature: GroundFeature) {
    guard let feature = feature.cut(to: extent) else { return }
    features.append(feature)
    points += feature.pointCount
    // Sorted each time that half as much again has come, so each is sorted only a few times.
    if points > Self.pointLimit * 3 / 2 { bound() }
  }

  /// Leaves out the least important things until the limit is kept.
  package mutating func bound() {
    guard points > Self.pointLimit else { return }
    let before = features.count
    var room = Self.pointLimit
    let keep = features.indices.sorted {
      (features[$0].kind.rank, -features[$0].tags.population, $0)
        < (features[$1].kind.rank, -features[$1].tags.population, $1)
    }.prefix {
      room -= features[$0].pointCount
      return room >= 0
    }
    features = keep.sorted().map { features[$0] }
    points = features.reduce(0) { $0 + $1.pointCount }
    leftOut += before - features.count
  }

  /// The same ground for a smaller or coarser map.
  package func cut(to extent: GroundExtent) -> GroundSheet {
    var sheet = GroundSheet(extent)
    for feature in features { sheet.addFeature(feature) }
    sheet.bound()
    sheet.leftOut += leftOut
    return sheet
  }
}
