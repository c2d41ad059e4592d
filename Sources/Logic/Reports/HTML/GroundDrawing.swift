// SPDX-License-Identifier: Apache-2.0

import FixFormats

// Theory
// ======
//
// The ground is there to recognise the place by, and not to be read: it is paler than everything on the map, and parts
// that would hide that are left out. Kinds that look alike are one path. A page must stay small enough to be sent, so
// important things come first, and the ground of a map ends when its bytes are used up.

/// The ground under one map, ready to be drawn.
struct GroundDrawing: Equatable {
  /// The greatest size of one map's ground, bytes [ours; the rest of a page has some 200 kB].
  static let byteLimit = 100_000
  /// Names on one map [ours].
  private static let mostNames = 14

  struct Name: Equatable {
    let text: String
    let point: MapPoint
    /// The start, the end or the middle of its line, by `anchor`.
    let base: MapPoint
    let anchor: String
  }

  /// The areas of a map that must stay free of names.
  struct Kept {
    var boxes: [MapBox] = []
    var spots: [MapPoint] = []
  }

  private struct Layer: Equatable {
    let styleClass: String
    let path: String
  }

  private let layers: [Layer]
  private let hasSea: Bool
  let names: [Name]
  /// The credits that its sources require; empty if nothing is drawn.
  let credits: [String]
  /// Whether it exceeded the limit.
  let isCut: Bool

  /// `names: false` omits names.
  init?(
    _ sheet: GroundSheet?, on map: MapProjection, keeping kept: Kept = Kept(), named: Bool = true,
    textSize: Double = 12
  ) {
    guard let ground = sheet?.cut(to: map.extent), !ground.features.isEmpty else { return nil }
    var room = Self.byteLimit
    var isCut = ground.leftOut > 0
    var paths: [GroundKind: String] = [:]
    let ranked = ground.features.indices.sorted {
      (ground.features[$0].kind.rank, $0) < (ground.features[$1].kind.rank, $1)
    }
    for index in ranked where ground.features[index].kind.form != .place {
      let feature = ground.features[index]
      let path = Self.path(feature, map)
      room -= path.utf8.count
      guard room >= 0 else {
        isCut = true
        break
      }
      paths[feature.kind, default: ""] += path
    }
    hasSea = paths[.land] != nil
    layers = GroundKind.allCases.compactMap { kind in
      paths[kind].flatMap { path in Self.styleClass(kind).map { Layer(styleClass: $0, path: path) }
      }
    }
    let names = named ? Self.names(ground, map, kept, textSize) : []
    let used = Set(
      ground.features.filter { $0.kind.form != .place || !names.isEmpty }.map(\.tags.source))
    self.names = names
    self.isCut = isCut
    credits = GroundSource.allCases.filter(used.contains).map(\.credit)
    if layers.isEmpty, names.isEmpty { return nil }
  }

  /// `Ground: © OpenStreetMap contributors (ODbL)`
  var credit: String {
    "Ground: " + credits.joined(separator: "; ")
      + (isCut ? "; the smallest is left out, for a map's ground may take 100 kB" : "")
  }

  private static func styleClass(_ kind: GroundKind) -> String? {
    switch kind {
    case .sea, .lake: "water"
    case .land: "land"
    case .coast: "shore"
    case .stream: "stream"
    case .river: "river"
    case .path: "path"
    case .street, .tertiary: "road"
    case .secondary, .primary: "main"
    case .railway: "rail"
    case .trunk, .motorway: "highway"
    case .hamlet, .village, .town, .city: nil
    }
  }

  private static func path(_ feature: GroundFeature, _ map: MapProjection) -> String {
    var path = MapPath()
    for part in feature.parts {
      let points = part.map { map.point($0) }
      path.moved()
      for (a, b) in zip(points, points.dropFirst()) { path.leg(from: a, to: b) }
    }
    return path.finished()
  }

  // MARK: Names

  /// The largest places whose names touch neither each other nor the map's content.
  private static func names(
    _ ground: GroundSheet, _ map: MapProjection, _ kept: Kept, _ size: Double
  ) -> [Name] {
    // The scale.
    var taken = kept.boxes + [MapBox(x: 0...map.width / 3, y: map.height - 26...map.height)]
    let inner = MapBox(x: 2...map.width - 2, y: 2...map.height - 2)
    let places = ground.features.filter { $0.kind.form == .place }.sorted {
      ($0.kind.rank, -$0.tags.population, $0.tags.name ?? "")
        < ($1.kind.rank, -$1.tags.population, $1.tags.name ?? "")
    }
    var names: [Name] = []
    for place in places where names.count < mostNames {
      guard let text = place.tags.name, let at = place.parts.first?.first else { continue }
      let point = map.point(at)
      let width = TextLines.width(of: text, size: size) * 1.1
      for (anchor, dx, dy, share) in sides(size) {
        let base = MapPoint(x: point.x + dx, y: point.y + dy)
        let left = base.x - width * share
        let box = MapBox(x: left...left + width, y: base.y - size * 0.85...base.y + size * 0.25)
        guard inner.contains(MapPoint(x: box.x.lowerBound, y: box.y.lowerBound)),
          inner.contains(MapPoint(x: box.x.upperBound, y: box.y.upperBound)),
          !taken.contains(where: { $0.overlaps(box) }),
          !kept.spots.contains(where: { box.contains($0) })
        else { continue }
        taken.append(box)
        names.append(Name(text: text, point: point, base: base, anchor: anchor))
        break
      }
    }
    return names
  }

  /// Right of a place, left, above, below, and off its corners: anchor, offset of the line, and the share of it
  /// before the anchor.
  private static func sides(
    _ size: Double
  ) -> [(anchor: String, dx: Double, dy: Double, share: Double)] {
    let below = 6 + size * 0.85
    return [
      ("start", 5, 4, 0), ("end", -5, 4, 1), ("middle", 0, -6, 0.5), ("middle", 0, below, 0.5),
      ("end", -4, -5, 1), ("start", 4, -5, 0), ("end", -4, below - 2, 1),
      ("start", 4, below - 2, 0),
    ]
  }

  // MARK: Writing

  func drawGround(on map: MapProjection, id: String? = nil, into html: inout HTMLWriter) {
    let attributes: HTMLWriter.Attributes =
      id.map { ["class": "ground", "id": $0] } ?? ["class": "ground"]
    html.element("g", attributes) { html in
      if hasSea {
        html.shape(
          "rect",
          ["class": "water", "width": tenths(map.width), "height": tenths(map.height)])
      }
      for layer in layers {
        html.shape(
          "path", ["class": layer.styleClass, "fill-rule": "evenodd", "d": layer.path])
      }
      for name in names {
        html.shape(
          "circle", ["cx": tenths(name.point.x), "cy": tenths(name.point.y), "r": "1.8"])
        html.element(
          "text",
          [
            "x": tenths(name.base.x), "y": tenths(name.base.y), "text-anchor": name.anchor,
          ], name.text)
      }
    }
  }
}
