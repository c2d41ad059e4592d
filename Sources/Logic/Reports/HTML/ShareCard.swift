// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract

// Theory
// ======
//
// The first screen as one picture, in the size of shared pages (1200 × 630, the Open Graph pictures' 1.91
// to 1). It is an SVG without dependencies: colours are literal, for programs that turn it into pixels
// know no CSS variables, and words are set line by line.
//
//   ┌──────────────────────────────────┐
//   │ Milepost                         │
//   │ The sentence, in up to three     │
//   │ lines                            │
//   │ ┌────────────┐  dear  ██████████ │
//   │ │    map     │  cheap █          │
//   │ └────────────┘                   │
//   │ trace · known time · device      │
//   └──────────────────────────────────┘

/// A comparison as one picture to be shared.
package struct ShareCard {
  private let answer: PageAnswer
  private let lead: ComparedTrace
  private let trace: ReportedTrace?
  private let options: ReplayOptions

  static let size = (width: 1_200.0, height: 630.0)
  private static let margin = 48.0
  private static let footer = 46.0
  private static let gutter = 40.0
  private static let mapWidth = 580.0
  /// The shortest and the tallest map that the words above it allow.
  static let mapFrames = [
    MapProjection.Frame.fixed(mapWidth, 200), .fixed(mapWidth, 460),
  ]

  /// `total` is given for several traces, without a map; `nil` if no purpose is answered: then there is nothing to share.
  package init?(_ traces: [ReportedTrace], total: ComparedTrace?, options: ReplayOptions) {
    guard let lead = total ?? traces.first?.figures, !lead.answers.isEmpty else { return nil }
    self.lead = lead
    trace = total == nil ? traces.first : nil
    self.options = options
    answer = PageAnswer(of: lead)
  }

  /// The bytes of the SVG file.
  package func document() -> [UInt8] {
    var svg = HTMLWriter(head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    svg.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 1200 630", "width": "1200",
        "height": "630", "role": "img", "aria-labelledby": "title",
      ]
    ) { svg in
      svg.element("title", ["id": "title"], answer.sentence)
      svg.style(literal: [.map, .card])
      svg.shape("rect", ["class": "paper", "width": "1200", "height": "630"])
      let bottom = headline(into: &svg)
      let isMapped = map(from: bottom, into: &svg)
      bars(from: bottom, isMapped: isMapped, into: &svg)
      source(into: &svg)
    }
    svg.newline()
    return svg.bytes
  }

  /// Returns where the headline ends.
  private func headline(into svg: inout HTMLWriter) -> Double {
    drawText("Milepost · what background location costs", "kicker", Self.margin, 58, 20, into: &svg)
    let (lines, size) = TextLines.fitting(
      answer.sentence, within: Self.size.width - 2 * Self.margin, sizes: [46, 42, 38, 34, 30],
      most: 3)
    var y = 66.0
    for line in lines {
      y += size * 1.2
      drawText(
        line, answer.headline.isSure ? "head" : "head open", Self.margin, y, size, into: &svg)
    }
    return y + 26
  }

  private func map(from top: Double, into svg: inout HTMLWriter) -> Bool {
    let height = Self.size.height - Self.footer - 18 - top
    guard let shown = answer.shown, let trace, trace.curves.indices.contains(shown) else {
      return false
    }
    let life = trace.lives[shown]
    guard
      let projection = MapProjection(
        [life.curves.track], places: MapDrawing.places([life]),
        in: .fixed(Self.mapWidth, height.rounded()))
    else { return false }
    svg.element(
      "svg",
      [
        "class": "map\(answer.pictureClass)", "x": tenths(Self.margin), "y": tenths(top),
        "width": tenths(projection.width), "height": tenths(projection.height),
        "viewBox": "0 0 \(tenths(projection.width)) \(tenths(projection.height))",
      ]
    ) { svg in
      let drawing = MapDrawing(
        life.row, life.curves, on: projection, stays: FirstScreen.stays(answer, trace))
      // The lower right corner is for the credit.
      let corner = MapBox(
        x: projection.width / 2...projection.width, y: projection.height - 22...projection.height)
      let ground = GroundDrawing(
        trace.ground, on: projection,
        keeping: .init(boxes: drawing.words + [corner], spots: drawing.spots), textSize: 13)
      ground?.drawGround(on: projection, into: &svg)
      svg.shape("rect", ["class": "frame", "width": "100%", "height": "100%"])
      drawing.drawTrack(on: projection, into: &svg)
      if let ground { credit(ground, on: projection, into: &svg) }
    }
    return true
  }

  /// In the lower right corner of the map, as maps have it.
  private func credit(
    _ ground: GroundDrawing, on map: MapProjection, into svg: inout HTMLWriter
  ) {
    svg.element(
      "text",
      [
        "class": "credit", "x": tenths(map.width - 6), "y": tenths(map.height - 6),
        "text-anchor": "end", "font-size": "11",
      ], ground.credits.joined(separator: "; "))
  }

  private func bars(from top: Double, isMapped: Bool, into svg: inout HTMLWriter) {
    let bars = Bars.energy(answer, of: lead, battery: options.device.battery.nominal)
    let left = isMapped ? Self.margin + Self.mapWidth + Self.gutter : Self.margin
    let width = Self.size.width - Self.margin - left
    var y = top + 18
    for bar in bars.bars {
      let picture = bar.picture
      drawText(
        TextLines.cut(bar.heading, within: width, size: 22), "name", left, y, 22, into: &svg)
      svg.shape(
        "rect",
        [
          "class": "bar \(bar.styleClass)", "x": tenths(left), "y": tenths(y + 12),
          "width": tenths(max(2, picture.value / bars.full * width)), "height": "26",
        ])
      let (low, high) = (
        left + picture.low / bars.full * width, left + picture.high / bars.full * width
      )
      svg.shape(
        "path",
        [
          "class": "range",
          "d":
            "M\(tenths(low)) \(tenths(y + 46))v8m0 -4H\(tenths(high))m0 -4v8",
        ])
      drawText(picture.figure, "figure", left, y + 82, 28, into: &svg)
      let beside = left + TextLines.width(of: picture.figure, size: 28, isBold: true) * 1.1 + 14
      drawText(picture.remarks.joined(separator: " · "), "remark", beside, y + 82, 20, into: &svg)
      y += 122
    }
    guard isMapped, let shown = answer.shown else { return }
    let (subject, figures) = answer.caption(of: lead.rows[shown], in: lead)
    let caption = "Map: \(subject.prefix(1).lowercased() + subject.dropFirst()); \(figures)"
    var lines = TextLines.lines(of: caption, within: width, size: 18)
    let bottom = Self.size.height - Self.footer - 14
    if y + Double(lines.count - 1) * 24 > bottom { lines = ["Map: " + subject] }
    for line in lines where y <= bottom {
      drawText(line, "remark", left, y, 18, into: &svg)
      y += 24
    }
  }

  private func source(into svg: inout HTMLWriter) {
    let words = [
      lead.isTotal
        ? Figures.count(lead.totalOf.count, "trace", "traces") : lead.name,
      Figures.span(lead.judged), Figures.way(lead.distance),
      options.device.name, "modelled, not measured; of the location part only",
    ]
    let line = TextLines.cut(
      words.joined(separator: " · "), within: Self.size.width - 2 * Self.margin, size: 18)
    drawText(line, "remark", Self.margin, Self.size.height - 28, 18, into: &svg)
  }

  private func drawText(
    _ text: String, _ styleClass: String, _ x: Double, _ y: Double, _ size: Double,
    into svg: inout HTMLWriter
  ) {
    svg.element(
      "text",
      ["class": styleClass, "x": tenths(x), "y": tenths(y), "font-size": tenths(size)], text)
  }
}
