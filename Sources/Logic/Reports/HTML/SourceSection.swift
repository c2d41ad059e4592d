// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay

/// The basis of the figures: the assumptions in words, and every number of the profiles with its range and its source.
enum SourceSection {
  static func assumptions(
    _ traces: [ComparedTrace], _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    guard let rows = traces.first?.rows else { return }
    let text = Footnotes.text(
      rows, options: options, traceAsTruth: traces.contains { $0.truth == "trace" }, style: .plain)
    for paragraph in paragraphs(text) {
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

  /// Lines that begin with spaces continue the paragraph before them.
  static func paragraphs(_ text: String) -> [String] {
    var result: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(" "), let last = result.indices.last {
        result[last] += " " + String(line.drop { $0 == " " })
      } else {
        result.append(String(line))
      }
    }
    return result
  }

  static func numbers(_ options: ReplayOptions, into html: inout HTMLWriter) {
    html.element(
      "p", ["class": "note"],
      "Every number that the meter calculated with. How sure: read in the primary text; read-2nd, in "
        + "somebody's quotation of it; recalled from the literature; calc, arithmetic on others; "
        + "estimate, an engineer's guess.")
    writeNumbers(
      "Device \(options.device.name): \(options.device.title)", options.device.numbers, into: &html)
    if let network = options.network {
      writeNumbers("Network \(network.name): \(network.title)", network.numbers, into: &html)
    }
  }

  private static func writeNumbers(
    _ caption: String, _ numbers: [ProfileNumber], into html: inout HTMLWriter
  ) {
    HTMLTable.writeTable(
      caption: caption, head: ["number", "value", "range", "unit", "how sure", "source"],
      into: &html
    ) { html in
      for number in numbers {
        html.row(number.name) { html in
          html.element("td", number.nominalWords)
          html.element("td", number.rangeWords)
          html.element("td", ["class": "word"], number.unit)
          html.element("td", ["class": "word"], number.confidence.rawValue)
          html.element("td", ["class": "word source"], number.source)
        }
      }
    }
  }
}
