// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
import Replay
import ServiceContract

/// `milepost advise` for people: the sweep, the front, the table, the recommendation.
package enum AdviseText {
  package static func text(_ report: AdviseReport, style: TextStyle) -> String {
    head(report, style) + "\n" + picture(report, style) + "\n" + table(report, style)
      + left(report) + "\n"
      + Recommendation.sentences(report).map { Paragraph.text($0) }.joined()
      + "\n" + footnotes(report)
  }

  private static func head(_ report: AdviseReport, _ style: TextStyle) -> String {
    var text = style.bold(report.name) + "\n"
    let compared = report.compared
    var line =
      "judged: \(Figures.span(compared.judged)), \(Figures.way(compared.distance)), in "
      + "\(Figures.count(report.configurations.count)) configurations on \(report.options.device.title)"
    if report.worlds > 1 { line += ", in \(report.worlds) simulated worlds" }
    if compared.gaps > 0 { line += "; \(Figures.count(compared.gaps, "gap", "gaps")) left out" }
    text += Paragraph.text(line + "; \(report.options.uploadWords(compared.rows))")
    return text
  }

  private static func picture(_ report: AdviseReport, _ style: TextStyle) -> String {
    let plot = FrontPlot.text(report, style: style)
    guard !plot.isEmpty else { return "" }
    return
      "delay (95 %) until \(report.events) are known, over energy a day above the baseline\n" + plot
  }

  private static func table(_ report: AdviseReport, _ style: TextStyle) -> String {
    let columns = AdviseColumns.all.shown(in: .text)
    var table = TextTable()
    table.header([""] + columns.map(\.lines.0))
    table.header([""] + columns.map(\.lines.1))
    for advised in report.places {
      let place = advised.place
      let mark = place.letter != nil && place.name == report.recommended?.name ? "◆" : " "
      let letter = place.letter ?? "·"
      table.row(
        ["\(mark) \(letter) \(place.name)"] + columns.map { $0.shown(advised, isShort: true) })
    }
    return table.text(style)
  }

  private static func left(_ report: AdviseReport) -> String {
    guard !report.front.silent.isEmpty else { return "" }
    return Paragraph.text("told nothing, and left out: \(Figures.list(report.front.silent))")
  }

  static func footnotes(_ report: AdviseReport) -> String {
    paragraphs(report).map { Paragraph.text($0, indent: 2) }.joined()
  }

  /// The configurations that cannot be chosen, in half a sentence.
  private static func models(_ report: AdviseReport) -> String {
    var names: [String] = []
    for place in report.front.others where !place.configuration.isChoice {
      let name = place.configuration.plan.policy?.name ?? place.name
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else { return "" }
    return
      ", or is not to be had on this device (\(Figures.list(names)))"
  }

  /// What the picture means, and what it rests on.
  static func paragraphs(_ report: AdviseReport) -> [String] {
    let options = report.options
    let network = options.network.map { ", network \($0.name)" } ?? ""
    return [
      "Modelled, not measured: profile \(options.device.name)\(network), above the baseline; "
        + "milepost compare says what that leaves out. Seed \(options.seed)"
        + (report.worlds > 1 ? " and those after it" : "") + ", environment "
        + "\(options.mixesEnvironments ? "mixed" : options.environment.rawValue); cells "
        + (options.towerList.map { "of \($0)" } ?? "\(Figures.plain(options.cellSpacing)) m apart")
        + ".",
      "Delay: from an event of the truth to the first right position, or word of it, that is known after it, as in "
        + "milepost compare, in the middle world; where that missed more than one in twenty, 95 % were not known at all "
        + "(missed). – where none could be judged. Missed: in all worlds. Range: the middle 90 % of 1,000 draws of world and profile.",
      "The front (letters) is what nobody beats in both; · is beaten, misses too many\(models(report)). "
        + "These traces only: other days have other fronts.",
    ]
  }
}

extension AdviseReport {
  /// The trace's name, or how many there are.
  var name: String {
    traces.count == 1 ? traces[0].name : Figures.count(traces.count, "trace", "traces")
  }

  /// The events to be known, in words.
  var events: String {
    switch purpose {
    case .arrival: "arrivals and departures"
    case .fence, .track, .area: "crossings of the borders of places"
    }
  }
}
