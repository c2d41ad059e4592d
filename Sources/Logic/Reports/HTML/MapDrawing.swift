// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Replay
import ServiceContract

/// One mode's map, ready to be drawn: the way, the known parts, and the deliveries.
struct MapDrawing: Equatable {
  /// Deliveries above this number are drawn as a line; dots would hide the track [ours].
  static let mostDots = 150
  /// The number of arrows at the edge, by direction.
  private static let sectors = 8
  /// Distance from the edge within which a point counts as on the map, and to an arrow's tip; units.
  private static let edge = (inside: 3.0, tip: 4.0)

  /// Deliveries that lie off the map in one direction.
  struct Arrow: Equatable {
    /// Its tip at the edge.
    let tip: MapPoint
    /// Degrees clockwise from east.
    let turn: Double
    /// Metres from the edge to the furthest.
    var furthest: Double
    var count: Int
  }

  private let known: String
  private let blind: String
  private let dots: [MapPoint]
  private let start: MapPoint?
  private let end: MapPoint?
  private let width: Double
  private let labels: [Label]
  /// One for each direction with deliveries, in any order.
  let arrows: [Arrow]

  /// A place with its letter.
  private struct Label: Equatable {
    let letter: String
    let point: MapPoint
  }

  /// `places` with their letters take the place of the words at start and end.
  init(
    _ row: ModeRow, _ curves: CurveRecord, on projection: MapProjection, stays: StayList? = nil
  ) {
    labels = (stays?.places ?? []).map {
      Label(letter: $0.letter, point: projection.point($0.place))
    }
    let points = projection.points(curves.track)
    (known, blind) = Self.paths(curves.track, points)
    start = points.first
    end = curves.track.end.map(projection.point)
    let places = Self.places([(row, curves)]).map(projection.point)
    dots = places.filter { Self.isOn(projection, $0) }
    arrows = Self.arrows(to: places.filter { !Self.isOn(projection, $0) }, projection)
    width = projection.width
    spots = Self.spots(points + dots + arrows.map(\.tip))
  }

  /// Points of a line, and others, that are at least four units apart from the one before.
  private static func spots(_ points: [MapPoint]) -> [MapPoint] {
    points.reduce(into: []) { spots, point in
      guard let last = spots.last else { return spots.append(point) }
      let (dx, dy) = (point.x - last.x, point.y - last.y)
      let length = (dx * dx + dy * dy).squareRoot()
      guard length >= 4 else { return }
      // A long leg is followed; one to the next line of points too, which costs a name at most.
      let steps = min(200, Int(length / 4))
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        spots.append(MapPoint(x: last.x + dx * share, y: last.y + dy * share))
      }
    }
  }

  /// The deliveries that a map shows as dots, and that may widen it.
  static func places(_ lives: [(row: ModeRow, curves: CurveRecord)]) -> [Coordinate] {
    lives.flatMap { $0.row.deliveries <= mostDots ? $0.curves.places : [] }
  }

  /// The areas that must stay free of names: the way and the deliveries, each a spot, and the words of start and end.
  let spots: [MapPoint]
  var words: [MapBox] {
    guard let start, let end else { return [] }
    return (labels.isEmpty ? [start, end] : labels.map(\.point)).map {
      MapBox(around: Self.base($0), of: 70, to: Self.isRight($0, width))
    }
  }

  /// `2 delivered positions lie off the map, up to 412 km`; `nil` if none does.
  var remark: String? {
    let count = arrows.reduce(0) { $0 + $1.count }
    guard let furthest = arrows.map(\.furthest).max() else { return nil }
    return Figures.count(count, "delivered position lies", "delivered positions lie")
      + " off the map, up to \(Figures.distance(furthest)) beyond its edge"
  }

  func drawTrack(on projection: MapProjection, into html: inout HTMLWriter) {
    html.shape("path", ["class": "veil", "d": blind])
    html.shape("path", ["class": "blind", "d": blind])
    html.shape("path", ["class": "known", "d": known])
    for dot in dots {
      html.shape("circle", ["class": "dot", "cx": tenths(dot.x), "cy": tenths(dot.y), "r": "3"])
    }
    for place in labels {
      let point = place.point
      html.shape(
        "circle", ["class": "stay", "cx": tenths(point.x), "cy": tenths(point.y), "r": "9"])
      label(place.letter, point, projection, into: &html)
    }
    for arrow in arrows { drawArrow(arrow, projection, into: &html) }
    ends(projection, into: &html)
    bar(projection, into: &html)
  }

  // MARK: The way

  /// The legs as two paths; points nearer than half a unit to the one before are invisible.
  private static func paths(_ track: TrackLine, _ points: [MapPoint]) -> (String, String) {
    var known = MapPath()
    var blind = MapPath()
    for index in points.indices.dropFirst() {
      switch track.vertices[index].leg {
      case .start, .repeated: continue
      case .known: known.leg(from: points[index - 1], to: points[index])
      case .blind: blind.leg(from: points[index - 1], to: points[index])
      }
    }
    return (known.finished(), blind.finished())
  }

  private func ends(_ projection: MapProjection, into html: inout HTMLWriter) {
    guard let start, let end else { return }
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let isRound = (dx * dx + dy * dy).squareRoot() < 30
    html.shape(
      "circle", ["class": "start", "cx": tenths(start.x), "cy": tenths(start.y), "r": "4"])
    html.shape(
      "rect",
      ["class": "end", "x": tenths(end.x - 3), "y": tenths(end.y - 3), "width": "6", "height": "6"])
    guard labels.isEmpty else { return }
    label(isRound ? "start, end" : "start", start, projection, into: &html)
    if !isRound { label("end", end, projection, into: &html) }
  }

  /// Beside its point, on the side of the map's middle.
  private func label(
    _ text: String, _ point: MapPoint, _ projection: MapProjection, into html: inout HTMLWriter
  ) {
    let (isRight, base) = (Self.isRight(point, projection.width), Self.base(point))
    html.element(
      "text",
      [
        "class": "place", "x": tenths(point.x + (isRight ? -8 : 8)), "y": tenths(base.y),
        "text-anchor": isRight ? "end" : "start",
      ], text)
  }

  private static func isRight(_ point: MapPoint, _ width: Double) -> Bool { point.x > width * 0.6 }

  /// The line on which a point's word stands.
  private static func base(_ point: MapPoint) -> MapPoint {
    MapPoint(x: point.x, y: point.y < 40 ? point.y - 8 : point.y + 16)
  }

  private func bar(_ projection: MapProjection, into html: inout HTMLWriter) {
    let bar = projection.scaleBar
    let y = projection.height - 6
    html.shape(
      "path", ["class": "scale", "d": "M8 \(tenths(y - 4))v4h\(tenths(bar.units))v-4"])
    html.element(
      "text", ["class": "place", "x": tenths(bar.units + 14), "y": tenths(y)],
      Figures.round(metres: bar.metres))
  }

  // MARK: Off the map

  private static func isOn(_ map: MapProjection, _ point: MapPoint) -> Bool {
    (edge.inside...map.width - edge.inside).contains(point.x)
      && (edge.inside...map.height - edge.inside).contains(point.y)
  }

  /// One arrow for each direction, where the straight way from the middle to the furthest leaves the map.
  private static func arrows(to points: [MapPoint], _ map: MapProjection) -> [Arrow] {
    let (middle, half) = (
      MapPoint(x: map.width / 2, y: map.height / 2),
      (x: map.width / 2 - edge.tip, y: map.height / 2 - edge.tip)
    )
    var arrows: [Int: Arrow] = [:]
    for point in points {
      let (dx, dy) = (point.x - middle.x, point.y - middle.y)
      let turn = arcTangent(y: dy, x: dx).degrees
      let sector = Int((turn / 360 * Double(sectors)).rounded() + Double(sectors)) % sectors
      let inside = min(half.x / max(dx.magnitude, 1e-9), half.y / max(dy.magnitude, 1e-9))
      let beyond = max(0, 1 - inside) * (dx * dx + dy * dy).squareRoot() * map.scale
      let count = (arrows[sector]?.count ?? 0) + 1
      if let arrow = arrows[sector], arrow.furthest >= beyond {
        arrows[sector]?.count = count
      } else {
        arrows[sector] = Arrow(
          tip: MapPoint(x: middle.x + dx * inside, y: middle.y + dy * inside), turn: turn,
          furthest: beyond, count: count)
      }
    }
    return arrows.sorted { $0.key < $1.key }.map(\.value)
  }

  private func drawArrow(_ arrow: Arrow, _ map: MapProjection, into html: inout HTMLWriter) {
    html.shape(
      "path",
      [
        "class": "off", "d": "M-13 0H-5M-6 -5L0 0L-6 5Z",
        "transform":
          "translate(\(tenths(arrow.tip.x)) \(tenths(arrow.tip.y))) rotate(\(tenths(arrow.turn)))",
      ])
    let (dx, dy) = (cosine(arrow.turn.radians), sine(arrow.turn.radians))
    let words =
      (arrow.count > 1 ? "\(Figures.count(arrow.count)), to " : "")
      + Figures.distance(arrow.furthest)
    html.element(
      "text",
      [
        "class": "place", "x": tenths(arrow.tip.x - 18 * dx),
        "y": tenths(arrow.tip.y - 20 * dy + 4),
        "text-anchor": dx > 0.4 ? "end" : dx < -0.4 ? "start" : "middle",
      ], words)
  }
}
