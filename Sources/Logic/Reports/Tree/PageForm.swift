// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// A report on a page.
extension HTMLWriter {
  /// `depth` is that of the parts that they are in.
  mutating func writeReport(_ nodes: [Node], depth: Int = 0) {
    for node in nodes { writeNode(node, depth) }
  }

  private mutating func writeNode(_ node: Node, _ depth: Int) {
    switch node {
    case .title: break
    case .sentence(let words, _, _, _): element("p", ["class": "note"], Prose.glued(words))
    case .fact(let name, let words, _):
      element("p", ["class": "note"]) { html in
        html.element("b", name + ": ")
        html.writeText(Prose.glued(words))
      }
    case .list(let sentences, let name, _):
      writeHeading(name, depth)
      element("ul", ["class": "plain"]) { html in
        for sentence in sentences { html.element("li", Prose.glued(sentence)) }
      }
      newline()
    case .table(let table): writeTable(table)
    case .bars(let bars): bars.writeBars(into: &self)
    case .section(let section): writeSection(section, depth)
    case .picture(let draw): draw(&self)
    }
  }

  private mutating func writeSection(_ section: Node.Section, _ depth: Int) {
    if let gist = section.gist { return writeFold(section, gist, depth) }
    guard !section.heading.isEmpty else { return writeReport(section.nodes, depth: depth) }
    guard depth == 0 else {
      writeHeading(section.heading, depth)
      return writeReport(section.nodes, depth: depth + 1)
    }
    element("section") { html in
      html.writeHeading(section.heading, depth)
      html.writeReport(section.nodes, depth: depth + 1)
    }
    newline()
  }

  /// A part that folds under its heading, with its result in a few words beside it.
  private mutating func writeFold(_ section: Node.Section, _ gist: String, _ depth: Int) {
    element("details", section.isOpen ? ["class": "fold", "open": ""] : ["class": "fold"]) { html in
      html.element("summary") { html in
        html.writeHeading(section.heading, depth, id: section.id)
        if !gist.isEmpty { html.element("span", ["class": "gist"], " " + gist) }
      }
      html.element("div", ["class": "folded"]) { $0.writeReport(section.nodes, depth: depth + 1) }
    }
    newline()
  }

  private mutating func writeHeading(_ words: String, _ depth: Int, id: String? = nil) {
    let levels: [StaticString] = ["h2", "h3", "h4"]
    element(levels[min(depth, 2)], id.map { ["id": $0] } ?? [:]) { $0.element("bdi", words) }
  }
}

// MARK: Tables

extension HTMLWriter {
  /// Columns that a phone shows at once [ours].
  private static let mostOnPhones = 3

  /// A table with its caption, in a frame that scrolls by itself if the page is narrow.
  private mutating func writeTable(_ table: Table) {
    let head = table.head.last ?? []
    element(
      "div", ["class": "table", "role": "region", "aria-label": table.caption, "tabindex": "0"]
    ) { html in
      html.element("table") { html in
        html.element("caption") { html in
          html.element("span") { html in
            html.writeText(table.caption)
            if head.count > Self.mostOnPhones {
              html.element("small", ["class": "cue"], " more to the right →")
            }
          }
        }
        html.element("thead") { html in
          html.element("tr") { html in
            for (column, name) in head.enumerated() {
              let kind = table.words.contains(column) ? "word" : "number"
              html.element("th", ["scope": "col", "class": kind], name)
            }
          }
        }
        html.element("tbody") { html in
          for row in table.rows { html.writeRow(row, of: table) }
        }
      }
    }
    newline()
  }

  private mutating func writeRow(_ row: Table.Row, of table: Table) {
    element("tr", row.styleClass.isEmpty ? [:] : ["class": row.styleClass]) { html in
      for (column, cell) in row.cells.enumerated() {
        if column == 0 {
          html.element("th", ["scope": "row"]) { $0.writeCell(cell) }
        } else if table.words.contains(column) {
          let isSource = if case .source = cell.detail { true } else { false }
          html.element(
            "td", ["class": isSource ? "word source" : "word"], Prose.glued(cell.words))
        } else {
          html.element("td") { $0.writeCell(cell, isFigure: true) }
        }
      }
      let missing = (table.head.last?.count ?? 0) - row.cells.count
      if missing > 0 { html.element("td", ["colspan": String(missing)], "") }
    }
    newline()
  }

  private mutating func writeCell(_ cell: Table.Cell, isFigure: Bool = false) {
    switch cell.detail {
    case .exact(let value?, let decimals):
      element("data", ["value": Decimal.text(value, decimals: decimals, trimmed: true)], cell.words)
    case .exact(nil, _), .source, nil: writeText(cell.words)
    case .remark(let remark):
      if isFigure { element("b", cell.words) } else { writeText(cell.words) }
      guard let remark else { return }
      void("br")
      element("small", remark)
    case .share(let share):
      writeText(cell.words)
      element(
        "svg",
        [
          "class": "share", "viewBox": "0 0 1 1", "preserveAspectRatio": "none",
          "aria-hidden": "true",
        ]
      ) { html in
        html.void(
          "rect", ["width": Decimal.text(share, decimals: 3, trimmed: true), "height": "1"])
      }
    case .time(let time): element("time", ["datetime": time.rfc3339], cell.words)
    case .link(let id):
      element("a", ["href": "#" + id]) { $0.element("bdi", cell.words) }
    }
  }
}
