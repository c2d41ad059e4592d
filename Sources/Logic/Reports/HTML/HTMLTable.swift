// SPDX-License-Identifier: Apache-2.0

import JSONText

/// A table with a caption, in a frame that scrolls by itself if the page is narrow.
enum HTMLTable {
  /// Columns that a phone shows at once [ours].
  private static let mostOnPhones = 3

  /// `words` are the columns whose cells are words, aligned to the left.
  static func writeTable(
    caption: String, head: [String], words: Set<Int> = [], into html: inout HTMLWriter,
    _ body: (inout HTMLWriter) -> Void
  ) {
    html.element(
      "div", ["class": "table", "role": "region", "aria-label": caption, "tabindex": "0"]
    ) { html in
      html.element("table") { html in
        html.element("caption") { html in
          html.element("span") { html in
            html.writeText(caption)
            if head.count > mostOnPhones {
              html.element("small", ["class": "cue"], " more to the right →")
            }
          }
        }
        html.element("thead") { html in
          html.element("tr") { html in
            for (column, cell) in head.enumerated() {
              html.element(
                "th", ["scope": "col", "class": words.contains(column) ? "word" : "number"], cell)
            }
          }
        }
        html.element("tbody", [:], body)
      }
    }
    html.newline()
  }
}

extension HTMLWriter {
  /// A row under the head of a table: its subject, and its cells.
  mutating func row(
    _ name: String, _ attributes: Attributes = [:], _ cells: (inout HTMLWriter) -> Void
  ) {
    row(attributes, { $0.writeText(name) }, cells)
  }

  mutating func row(
    _ attributes: Attributes = [:], _ name: (inout HTMLWriter) -> Void,
    _ cells: (inout HTMLWriter) -> Void
  ) {
    element("tr", attributes) { html in
      html.element("th", ["scope": "row"], name)
      cells(&html)
    }
    newline()
  }

  /// A cell of two lines, the second in small letters.
  mutating func cell(_ figure: String, _ remark: String?) {
    element("td") { html in
      html.element("b", figure)
      guard let remark else { return }
      html.void("br")
      html.element("small", remark)
    }
  }

  /// A figure as people read it, with the exact value for machines (`data`), as in the JSON.
  mutating func cell(_ figure: String, exact value: Double?, decimals: Int) {
    element("td") { html in
      guard let value else { return html.writeText(figure) }
      html.element(
        "data", ["value": Decimal.text(value, decimals: decimals, trimmed: true)], figure)
    }
  }
}
