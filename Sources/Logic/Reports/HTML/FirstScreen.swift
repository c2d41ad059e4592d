// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract

/// The first screen: one sentence, a large map of the cheaper mode's knowledge, two bars.
enum FirstScreen {
  static func writeFirstScreen(
    _ answer: PageAnswer, _ lead: ComparedTrace, _ trace: ReportedTrace?, _ options: ReplayOptions,
    into html: inout HTMLWriter, dateline: (inout HTMLWriter) -> Void
  ) {
    html.element("header") { html in
      html.element("p", ["class": "kicker"], "Milepost · what background location costs")
      html.element("h1", ["class": answer.headline.isSure ? "sure" : "open"]) {
        writeLine(answer.headline, answer.headline.words, into: &$0)
      }
      let map = trace.flatMap { trace in projection(answer, trace).map { (trace, $0) } }
      let isTall = map?.1.isNarrow ?? false
      html.element("div", ["class": isTall ? "first tall" : "first"]) { html in
        if let map { drawMap(answer, map.0, on: map.1, into: &html) }
        html.element("div", ["class": "pair"]) { html in
          Bars.energy(answer, of: lead, battery: options.device.battery.nominal)
            .writeBars(into: &html)
          if !answer.headline.rest.isEmpty {
            html.element("p", ["class": "answer"], Prose.glued(answer.headline.rest))
          }
          if let stays = stays(answer, trace), let shown = answer.shown {
            html.writeReport(
              [
                .table(stays.table(of: lead.rows[shown].name))
              ] + (stays.rest.map { [.sentence($0)] } ?? []))
          }
          for other in answer.others {
            html.element("p", ["class": "answer"]) { html in
              writeLine(other, other.exactWords, into: &html)
            }
          }
          if !answer.agreement.isEmpty {
            html.element("p", ["class": "agreement"], Prose.glued(answer.agreement))
          }
          dateline(&html)
        }
      }
    }
    html.newline()
  }

  private static func writeLine(
    _ line: AnswerWords.Line, _ words: String, into html: inout HTMLWriter
  ) {
    html.element("span", ["class": "question"], line.aim + ":")
    html.writeText(" " + Prose.glued(words) + ".")
  }

  private static func projection(_ answer: PageAnswer, _ trace: ReportedTrace) -> MapProjection? {
    guard let shown = answer.shown, trace.curves.indices.contains(shown) else { return nil }
    let life = trace.lives[shown]
    return MapProjection([life.curves.track], places: MapDrawing.places([life]), in: .large)
  }

  /// The arrivals and departures of the shown map; `nil` if the answer is not about them.
  static func stays(_ answer: PageAnswer, _ trace: ReportedTrace?) -> StayList? {
    guard answer.isOfEvents, let trace, let shown = answer.shown,
      trace.curves.indices.contains(shown)
    else { return nil }
    return StayList(trace.curves[shown], by: ReportedTrace.clock(of: [trace]))
  }

  private static func drawMap(
    _ answer: PageAnswer, _ trace: ReportedTrace, on projection: MapProjection,
    into html: inout HTMLWriter
  ) {
    guard let shown = answer.shown else { return }
    let life = trace.lives[shown]
    let drawing = MapDrawing(
      life.row, life.curves, on: projection, stays: stays(answer, trace))
    let ground = GroundDrawing(
      trace.ground, on: projection, keeping: .init(boxes: drawing.words, spots: drawing.spots),
      // A phone shows them that large.
      textSize: 18)
    let (title, caption) = answer.caption(of: life.row, in: trace.figures)
    html.element("figure", ["class": "large \(life.row.styleClass)\(answer.pictureClass)"]) {
      html in
      MapSection.drawMap(
        drawing, on: projection, title: title, description: caption, into: &html
      ) { ground?.drawGround(on: projection, into: &$0) }
      html.element("figcaption") { html in
        html.element("b", title + ": ")
        html.writeText(caption + ".")
        if let remark = drawing.remark { html.writeText(" " + Prose.glued(remark + ".")) }
        if let credit = ground.map({ $0.credit + "." }) ?? trace.groundRemark {
          html.element("small", " " + Prose.glued(credit))
        }
      }
      if !answer.isOfEvents {
        MapSection.legend(hasGaps: !life.curves.gaps.isEmpty, into: &html)
      }
    }
  }
}
