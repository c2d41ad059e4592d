// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Replay
import ServiceContract

/// `milepost compare --era all --html`: trips by the rules of several eras, as one self-contained document.
///
/// For each trip a table, with the energy as a bar in its cell, and in words the rule behind each difference.
package enum EraPage {
  /// `reports` has at least one.
  package static func document(_ reports: [EraReport]) -> [UInt8] {
    let title = Self.title(reports)
    let eras = reports.first?.result.eras ?? []
    return HTMLPage(
      title: "\(title) · Milepost", headline: title,
      description: reports.first.map(\.summary) ?? ""
    )
    .document(
      kicker: "the rules of \(Figures.list(eras.map(\.name)))",
      standfirst: eras.count > 1
        ? "What the same apps get, and what they cost, when only the rules of the system change."
        : nil
    ) { html in
      for report in reports { section(report, into: &html) }
    }
  }

  private static func title(_ reports: [EraReport]) -> String {
    guard let report = reports.first, reports.count == 1 else {
      return Figures.count(reports.count, "trip", "trips") + " by the rules of each era"
    }
    let eras = report.result.eras
    return "\(report.trace) by the rules of \(eras.count == 1 ? eras[0].name : "each era")"
  }

  private static func section(_ report: EraReport, into html: inout HTMLWriter) {
    html.section(report.trace) { html in
      html.note(report.summary)
      table(report, into: &html)
      differences(report, into: &html)
    }
  }

  private static func table(_ report: EraReport, into html: inout HTMLWriter) {
    let head = ["app", "era", "energy", "receiver on"] + EraReport.figures.map(\.heading)
    let most = report.result.rows.flatMap(\.outcomes).map(\.energy).max() ?? 0
    HTMLTable.writeTable(
      caption: "What each app came to", head: head, words: [0, 1], into: &html
    ) { html in
      for row in report.result.rows {
        for (index, eras) in EraReport.alike(row.outcomes).enumerated() {
          let outcome = row.outcomes[eras[0]]
          html.row(index == 0 ? row.name : "", ["class": "era"]) { html in
            html.element("td", ["class": "word"], report.names(eras))
            energy(outcome.energy, of: most, into: &html)
            html.cell(Figures.span(outcome.receiverOn), exact: outcome.receiverOn, decimals: 3)
            for figure in EraReport.figures {
              let value = figure.value(outcome)
              html.cell(Figures.count(value), exact: Double(value), decimals: 0)
            }
          }
        }
      }
    }
  }

  /// The figure, and a bar of its share of the largest one.
  private static func energy(_ joules: Double, of most: Double, into html: inout HTMLWriter) {
    html.element("td") { html in
      html.writeText(Figures.energy(joules))
      html.element(
        "svg",
        [
          "class": "share", "viewBox": "0 0 1 1", "preserveAspectRatio": "none",
          "aria-hidden": "true",
        ]
      ) { html in
        html.void("rect", ["width": Figures.share(joules, of: most), "height": "1"])
      }
    }
  }

  private static func differences(_ report: EraReport, into html: inout HTMLWriter) {
    guard report.result.eras.count > 1 else { return }
    html.element("h3", "What changed, and which rule did it")
    let sentences = report.sentences
    guard !sentences.isEmpty else {
      return html.note("Nothing: none of these apps meets a rule in which the eras differ.")
    }
    for (name, lines) in sentences { html.list(lines, under: name, "h4") }
  }
}

extension Figures {
  /// A share from 0 to 1 with three decimals; 0 of nothing.
  fileprivate static func share(_ part: Double, of whole: Double) -> String {
    guard whole > 0 else { return "0" }
    let thousandths = Int((part / whole * 1_000).rounded())
    return thousandths >= 1_000 ? "1" : "0." + String(String(thousandths + 1_000).dropFirst())
  }
}
