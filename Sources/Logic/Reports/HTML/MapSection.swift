// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// Small maps side by side, one per mode: the known way, the blind parts, the deliveries. Modes whose
/// maps and figures are equal share one.
enum MapSection {
  private struct Picture: Equatable {
    let drawing: MapDrawing
    let caption: String
  }

  static func writeMaps(of trace: ReportedTrace, into html: inout HTMLWriter) {
    let (lives, judged) = (trace.lives, trace.figures.judged)
    let places = MapDrawing.places(lives)
    guard let projection = MapProjection(lives.map(\.curves.track), places: places) else { return }
    legend(hasGaps: lives.contains { !$0.curves.gaps.isEmpty }, into: &html)
    let maps = EqualRows.merging(
      lives.map { life in
        (
          life.row,
          Picture(
            drawing: MapDrawing(life.row, life.curves, on: projection),
            caption: caption(life.row, judged))
        )
      })
    let ground = GroundDrawing(trace.ground, on: projection, named: false)
    let groundID = html.newID()
    html.element("div", ["class": projection.isNarrow ? "maps narrow" : "maps"]) { html in
      for (index, map) in maps.enumerated() {
        html.element("figure", ["class": map.styleClass]) { html in
          html.element("figcaption") { html in
            html.element("b", map.heading)
            html.void("br")
            html.writeText(map.picture.caption)
          }
          drawMap(
            map.picture.drawing, on: projection, title: "Map: \(map.heading)",
            description: map.picture.caption, into: &html
          ) { html in
            // All have the same: it is written once.
            if index == 0 {
              ground?.drawGround(on: projection, id: groundID, into: &html)
            } else if ground != nil {
              html.shape("use", ["href": "#\(groundID)"])
            }
          }
          if let remark = map.picture.drawing.remark {
            html.element("p", ["class": "remark"], Prose.glued(remark + "."))
          }
        }
        html.newline()
      }
    }
    if let ground { html.element("p", ["class": "note"], Prose.glued(ground.credit + ".")) }
    html.newline()
  }

  /// A map as a picture that scales with its column; `ground` writes the layer under it.
  static func drawMap(
    _ drawing: MapDrawing, on projection: MapProjection, title: String, description: String,
    into html: inout HTMLWriter, ground: (inout HTMLWriter) -> Void
  ) {
    let (width, height) = (Figures.whole(projection.width), Figures.whole(projection.height))
    html.picture(
      "map", ("viewBox", "0 0 \(width) \(height)"), title: title,
      description: [description, drawing.remark].compactMap(\.self).joined(separator: "; ")
    ) { html in
      ground(&html)
      drawing.drawTrack(on: projection, into: &html)
    }
  }

  static func legend(hasGaps: Bool, into html: inout HTMLWriter) {
    html.element("p", ["class": "legend"]) { html in
      key("known", "the app knew where it was", into: &html)
      key("veiled", "blind", into: &html)
      key("dot", "a delivered position", into: &html)
      html.element(
        "span",
        hasGaps ? "North is up; a break in the line is a gap of the trace." : "North is up.")
    }
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
      html.writeText(" " + words + " ")
    }
  }

  static func caption(_ row: ModeRow, _ judged: Double) -> String {
    let deliveries = Figures.count(row.deliveries, "delivery", "deliveries")
    guard row.blindSeconds > 0, judged > 0 else { return "never blind; \(deliveries)" }
    let share = Figures.percent(row.blindSeconds / judged * 100)
    let way = row.blindMetres > 0 ? " over \(Figures.distance(row.blindMetres))" : ""
    return Prose.glued(
      "blind for \(Figures.span(row.blindSeconds)) (\(share))\(way); \(deliveries)")
  }
}
