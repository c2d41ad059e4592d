// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import Replay
import Wording

/// Small maps side by side, one per mode: where it knew the way, where it was blind, what it delivered.
enum MapSection {
  /// Deliveries above this number are a line of their own; dots would hide the track.
  private static let mostDots = 150

  static func write(
    _ lives: [(row: ModeRow, curves: CurveRecord)], judged: Double, into html: inout HTMLWriter
  ) {
    let places = lives.flatMap { $0.row.deliveries <= mostDots ? $0.curves.places : [] }
    guard let projection = MapProjection(lives.map(\.curves.track), places: places) else { return }
    html.element("p", ["class": "legend"]) { html in
      key("known", "the app knew where it was", into: &html)
      key("veiled", "blind", into: &html)
      key("dot", "a delivered position", into: &html)
      html.element("span", "North is up; a break in the line is a gap of the trace.")
    }
    html.element("div", ["class": projection.isNarrow ? "maps narrow" : "maps"]) { html in
      for life in lives {
        html.element("figure", ["class": life.row.styleClass]) { html in
          html.element("figcaption") { html in
            html.element("b", life.row.heading)
            html.void("br")
            html.text(caption(life.row, judged))
          }
          draw(life.row, life.curves, projection, judged, into: &html)
        }
        html.newline()
      }
    }
    html.newline()
  }

  private static func key(_ name: StaticString, _ words: String, into html: inout HTMLWriter) {
    html.element("span") { html in
      html.element("svg", ["class": "key", "width": "26", "height": "10", "aria-hidden": "true"]) {
        switch name.description {
        case "dot": $0.shape("circle", ["class": "dot", "cx": "13", "cy": "5", "r": "3.5"])
        case "veiled":
          $0.shape("path", ["class": "veil", "d": "M3 5h20"])
          $0.shape("path", ["class": "blind", "d": "M3 5h20"])
        default: $0.shape("path", ["class": "known", "d": "M2 5h22"])
        }
      }
      html.text(" " + words + " ")
    }
  }

  private static func caption(_ row: ModeRow, _ judged: Double) -> String {
    let deliveries = Figures.count(row.deliveries, "delivery", "deliveries")
    guard row.blindSeconds > 0, judged > 0 else { return "never blind; \(deliveries)" }
    let share = Figures.percent(row.blindSeconds / judged * 100)
    let way = row.blindMetres > 0 ? " over \(Figures.distance(row.blindMetres))" : ""
    return Prose.glued(
      "blind for \(Figures.span(row.blindSeconds)) (\(share))\(way); \(deliveries)")
  }

  private static func draw(
    _ row: ModeRow, _ curves: CurveRecord, _ projection: MapProjection, _ judged: Double,
    into html: inout HTMLWriter
  ) {
    let ids = (html.newID(), html.newID())
    let height = Decimal.text(projection.height, decimals: 0)
    let width = Decimal.text(projection.width, decimals: 0)
    html.element(
      "svg",
      [
        "class": "map", "viewBox": "0 0 \(width) \(height)", "role": "img",
        "aria-labelledby": "\(ids.0) \(ids.1)",
      ]
    ) { html in
      html.element("title", ["id": ids.0], "Map: \(row.name)")
      html.element("desc", ["id": ids.1], caption(row, judged))
      let points = projection.points(curves.track)
      let paths = Self.paths(curves.track, points)
      html.shape("path", ["class": "veil", "d": paths.blind])
      html.shape("path", ["class": "blind", "d": paths.blind])
      html.shape("path", ["class": "known", "d": paths.known])
      if row.deliveries <= mostDots {
        for place in curves.places { dot(projection.point(place), into: &html) }
      }
      ends(points.first, curves.track.end.map(projection.point), projection, into: &html)
      bar(projection, into: &html)
    }
  }

  /// The legs as two paths; points nearer than half a unit to the one before add nothing to see.
  private static func paths(
    _ track: TrackLine, _ points: [(x: Double, y: Double)]
  ) -> (known: String, blind: String) {
    var known = MapPath()
    var blind = MapPath()
    for index in points.indices.dropFirst() {
      switch track.vertices[index].leg {
      case .start: continue
      case .known: known.leg(from: points[index - 1], to: points[index])
      case .blind: blind.leg(from: points[index - 1], to: points[index])
      }
    }
    return (known.finished(), blind.finished())
  }

  private static func dot(_ point: (x: Double, y: Double), into html: inout HTMLWriter) {
    html.shape("circle", ["class": "dot", "cx": unit(point.x), "cy": unit(point.y), "r": "3"])
  }

  private static func ends(
    _ start: (x: Double, y: Double)?, _ end: (x: Double, y: Double)?,
    _ projection: MapProjection, into html: inout HTMLWriter
  ) {
    guard let start, let end else { return }
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let isRound = (dx * dx + dy * dy).squareRoot() < 30
    html.shape("circle", ["class": "start", "cx": unit(start.x), "cy": unit(start.y), "r": "4"])
    html.shape(
      "rect",
      ["class": "end", "x": unit(end.x - 3), "y": unit(end.y - 3), "width": "6", "height": "6"])
    label(isRound ? "start, end" : "start", start, projection, into: &html)
    if !isRound { label("end", end, projection, into: &html) }
  }

  /// Beside its point, on the side of the map's middle.
  private static func label(
    _ text: String, _ point: (x: Double, y: Double), _ projection: MapProjection,
    into html: inout HTMLWriter
  ) {
    let isRight = point.x > projection.width * 0.6
    html.element(
      "text",
      [
        "class": "place", "x": unit(point.x + (isRight ? -8 : 8)),
        "y": unit(point.y < 40 ? point.y - 8 : point.y + 16),
        "text-anchor": isRight ? "end" : "start",
      ], text)
  }

  private static func bar(_ projection: MapProjection, into html: inout HTMLWriter) {
    let bar = projection.scaleBar
    let y = projection.height - 6
    html.shape(
      "path",
      ["class": "scale", "d": "M8 \(unit(y - 4))v4h\(unit(bar.units))v-4"])
    html.element(
      "text", ["class": "place", "x": unit(bar.units + 14), "y": unit(y)],
      bar.metres < 1_000
        ? Figures.plain(bar.metres) + " m" : Figures.count(Int(bar.metres / 1_000)) + " km")
  }

  private static func unit(_ value: Double) -> String {
    Decimal.text(value, decimals: 1, trimmed: true)
  }
}

/// Path data in tenths of a unit, legs joined where one begins where the last one ended.
private struct MapPath {
  private var text = ""
  private var end: (x: Int, y: Int)?
  private var waiting: (x: Int, y: Int)?

  mutating func leg(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) {
    let (start, stop) = (Self.tenths(a), Self.tenths(b))
    if let at = waiting ?? end, at == start {
      // Goes on.
    } else {
      flush()
      text += "M\(Self.number(start.x)) \(Self.number(start.y))"
      end = start
    }
    guard let end else { return }
    let isNear = (stop.x - end.x).magnitude < 5 && (stop.y - end.y).magnitude < 5
    if isNear { waiting = stop } else { line(to: stop) }
  }

  mutating func finished() -> String {
    flush()
    return text
  }

  private mutating func flush() {
    if let waiting { line(to: waiting) }
  }

  private mutating func line(to stop: (x: Int, y: Int)) {
    guard let end else { return }
    waiting = nil
    guard stop != end else { return }
    text += "l\(Self.number(stop.x - end.x)) \(Self.number(stop.y - end.y))"
    self.end = stop
  }

  private static func tenths(_ point: (x: Double, y: Double)) -> (x: Int, y: Int) {
    (Int((point.x * 10).rounded()), Int((point.y * 10).rounded()))
  }

  private static func number(_ tenths: Int) -> String {
    Decimal.text(Double(tenths) / 10, decimals: 1, trimmed: true)
  }
}
