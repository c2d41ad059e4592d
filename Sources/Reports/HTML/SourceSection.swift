// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
import Replay

/// What the figures rest on: the assumptions in words, and every number of the profiles with its range and
/// its source.
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
          paragraph[..<colon].allSatisfy({ $0 != " " })
        else { return html.text(paragraph) }
        html.element("b", String(paragraph[...colon]))
        html.text(String(paragraph[paragraph.index(after: colon)...]))
      }
      html.newline()
    }
  }

  /// Lines that begin with spaces go on with the paragraph before them.
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
    write(
      "Device \(options.device.name): \(options.device.title)", options.device.numbers, into: &html)
    if let network = options.network {
      write("Network \(network.name): \(network.title)", network.numbers, into: &html)
    }
  }

  private static func write(
    _ caption: String, _ numbers: [ProfileNumber], into html: inout HTMLWriter
  ) {
    HTMLTable.write(
      caption: caption, head: ["number", "value", "range", "unit", "how sure", "source"],
      into: &html
    ) { html in
      for number in numbers {
        html.element("tr") { html in
          let key = number.key
          html.element(
            "th", ["scope": "row"],
            "\(key.component) \(ComponentSection.name(state: key.state)) "
              + ComponentSection.name(state: key.quantity))
          html.element("td", Figures.plain(number.value.nominal))
          html.element(
            "td", "\(Figures.plain(number.value.low))–\(Figures.plain(number.value.high))")
          html.element("td", ["class": "word"], number.unit)
          html.element("td", ["class": "word"], number.confidence.rawValue)
          html.element("td", ["class": "word source"], number.source)
        }
        html.newline()
      }
    }
  }
}
