// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract

/// `milepost advise --html`: the front as one self-contained document, in the style of the comparison.
package enum AdvisePage {
  package static func document(_ report: AdviseReport) -> [UInt8] {
    let sentences = Recommendation.sentences(report).joined(separator: " ")
    return HTMLPage(
      title: "\(report.name): \(headline(report)) · Milepost", headline: headline(report),
      description: sentences
    )
    .document(
      kicker: "what a quicker answer costs", standfirst: sentences,
      dateline: { dateline(report, into: &$0) }
    ) { html in
      if !report.front.front.isEmpty { picture(report, into: &html) }
      html.section("All configurations") { table(report, into: &$0) }
      html.section("What it rests on") { html in
        html.element("div", ["class": "columns"]) { html in
          for paragraph in AdviseText.paragraphs(report) {
            html.element("p", Prose.glued(paragraph))
          }
        }
      }
    }
  }

  private static func dateline(_ report: AdviseReport, into html: inout HTMLWriter) {
    for (index, trace) in report.traces.enumerated() {
      if index > 0 { html.writeText(", ") }
      html.element("bdi", trace.name)
    }
    html.writeText(
      ". Known: \(Figures.span(report.compared.judged)) and "
        + "\(Figures.distance(report.compared.distance)) of the way. Modelled, not measured, for "
        + "\(report.options.device.name); \(report.options.uploadWords(report.compared.rows)).")
  }

  private static func picture(_ report: AdviseReport, into html: inout HTMLWriter) {
    html.section("What a quicker answer costs") { html in
      html.note(
        "Delay (95 %) over energy a day above the baseline, each rule a power of ten. Letters are the "
          + "front, which nobody beats in both; circles are beaten.")
      FrontPicture(report).drawFront(into: &html)
    }
  }

  private static func headline(_ report: AdviseReport) -> String {
    guard let place = report.recommended else {
      return report.front.front.isEmpty ? "No advice" : "Nothing fulfils this wish"
    }
    return
      "\(report.purpose.aim): \(place.name), \(Recommendation.price(place))"
  }

  private static func table(_ report: AdviseReport, into html: inout HTMLWriter) {
    let columns = AdviseColumns.all.shown(in: .html)
    HTMLTable.writeTable(
      caption: "From the cheapest of the front to the dearest, then those that are beaten",
      head: ["configuration"] + columns.map(\.heading),
      words: Set(columns.indices.filter { columns[$0].isText }.map { $0 + 1 }), into: &html
    ) { html in
      for advised in report.places {
        let place = advised.place
        let letter = place.letter.map { "\($0) · " } ?? ""
        html.row(letter + place.name, ["class": place.letter == nil ? "aside" : "front"]) {
          $0.cells(columns, advised)
        }
      }
    }
  }

}

/// The front as a picture: energy to the right, delay upwards.
struct FrontPicture {
  private let report: AdviseReport
  private let scales: (energy: LogScale, delay: LogScale)
  private static let height = 340

  init(_ report: AdviseReport) {
    self.report = report
    scales = report.front.scales
  }

  func drawFront(into html: inout HTMLWriter) {
    html.element("div", ["class": "chart bare"]) { html in
      html.plot(
        scales.delay, height: Self.height, isTicked: true, title: "Delay over energy a day",
        description: description, label: { Figures.plain($0) + " s" }
      ) { html in
        rules(into: &html)
        line(into: &html)
        places(into: &html)
      }
    }
    html.newline()
  }

  private var description: String {
    let places = report.front.front.map {
      "\($0.name): \(Recommendation.price($0)), \(Recommendation.late($0))"
    }
    return "The front: " + places.joined(separator: "; ") + "."
  }

  private func x(_ energy: Double) -> String { percentage(scales.energy.share(of: energy)) }

  private func y(_ delay: Double?) -> String {
    percentage(1 - scales.delay.share(of: ParetoFront.drawn(delay)))
  }

  private func rules(into html: inout HTMLWriter) {
    for exponent in scales.energy.low...scales.energy.high {
      let place = x(tenTo(exponent))
      html.shape("line", ["class": "grid", "x1": place, "x2": place, "y1": "0", "y2": "100%"])
      let anchor =
        exponent == scales.energy.low
        ? "start" : exponent == scales.energy.high ? "end" : "middle"
      html.element(
        "text", ["x": place, "y": "100%", "dy": "17", "text-anchor": anchor],
        Figures.milliwattHours(tenTo(exponent)))
    }
  }

  /// Steps: between two places there is no choice.
  private func line(into html: inout HTMLWriter) {
    var path = PathData()
    var last: Double?
    for place in report.front.front {
      let across = scales.energy.share(of: place.energy) * 1_000
      let down = (1 - scales.delay.share(of: ParetoFront.drawn(place.delay))) * 1_000
      if let last { path.drawLine(to: across, last) } else { path.move(across, down) }
      path.drawLine(to: across, down)
      last = down
    }
    html.stretched { $0.shape("path", ["class": "front", "d": path.finished()]) }
  }

  private func places(into html: inout HTMLWriter) {
    for place in report.front.others where place.delay != nil {
      html.element(
        "circle", ["class": "beaten", "cx": x(place.energy), "cy": y(place.delay), "r": "4"]
      ) { $0.element("title", place.name) }
    }
    let chosen = report.recommended?.name
    for place in report.front.front {
      let (across, down) = (x(place.energy), y(place.delay))
      html.element(
        "circle",
        [
          "class": place.name == chosen ? "chosen" : "place", "cx": across, "cy": down,
          "r": place.name == chosen ? "8" : "6",
        ]
      ) { $0.element("title", place.name) }
      html.element(
        "text", ["class": "letter", "x": across, "y": down, "dx": "9", "dy": "-7"],
        place.letter ?? "")
    }
  }
}
