// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay

/// The basis of the figures: the assumptions in words, and every number of the profiles with its range and its source.
enum SourceSection {
  @ReportBuilder
  static func nodes(_ traces: [ComparedTrace], _ options: ReplayOptions) -> [Node] {
    Node.picture { html in
      html.element("div", ["class": "columns"]) { assumptions(traces, options, into: &$0) }
    }
    Node.sentence(
      "Every number that the meter calculated with. How sure: read in the primary text; read-2nd, in "
        + "somebody's quotation of it; recalled from the literature; calc, arithmetic on others; "
        + "estimate, an engineer's guess.")
    Node.table(
      numbers("Device \(options.device.name): \(options.device.title)", options.device.numbers))
    if let network = options.network {
      Node.table(numbers("Network \(network.name): \(network.title)", network.numbers))
    }
  }

  private static func assumptions(
    _ traces: [ComparedTrace], _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    let paragraphs = Footnotes.paragraphs(
      traces.first?.rows ?? [], options: options,
      traceAsTruth: traces.contains { $0.truth == "trace" })
    for paragraph in paragraphs {
      html.element("p") { html in
        guard let colon = paragraph.firstIndex(of: ":"),
          paragraph[..<colon].split(separator: " ").count <= 3
        else { return html.writeText(Prose.glued(paragraph)) }
        html.element("b", String(paragraph[...colon]))
        html.writeText(Prose.glued(String(paragraph[paragraph.index(after: colon)...])))
      }
      html.newline()
    }
  }

  private static func numbers(_ caption: String, _ numbers: [ProfileNumber]) -> Table {
    Table(
      caption, words: [3, 4, 5],
      head: ["number", "value", "range", "unit", "how sure", "source"],
      cells: numbers.map { number in
        [
          .init(number.name), .init(number.nominalWords), .init(number.rangeWords),
          .init(number.unit), .init(number.confidence.rawValue), .init(number.source, .source),
        ]
      })
  }
}
