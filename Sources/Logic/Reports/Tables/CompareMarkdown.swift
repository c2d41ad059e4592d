// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract

extension CompareForm {
  static let markdown = Self(
    name: "markdown", help: "A table in Markdown, for an issue or a wiki.", isForPeople: true,
    separator: "\n"
  ) { Array(CompareMarkdown.trace($0.trace, options: $0.options).utf8) }
}

/// `milepost compare --markdown`: a table for an issue or a wiki.
package enum CompareMarkdown {
  package static func trace(_ trace: ComparedTrace, options: ReplayOptions) -> String {
    let title = trace.title
    var text = "### \(escaped(title))\n\n"
    text += "\(Figures.span(trace.judged)), \(Figures.distance(trace.distance)), profile "
    text += "\(escaped(options.device.name)); modelled, not measured\n\n"
    let rows = trace.figures(options)
    let columns = CompareColumns.all.shown(in: .markdown, of: rows)
    text += line(["mode"] + columns.map(\.heading))
    text += "|---|" + columns.map { _ in "---:|" }.joined() + "\n"
    for figures in rows {
      text += line([figures.row.name] + columns.map { $0.shown(figures) })
    }
    let answers = AnswerWords(trace).lines.map { "- " + escaped($0.sentence) + "\n" }
    return text + "\n" + answers.joined()
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// Text with a backslash or a reference for everything that Markdown or its HTML would interpret.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "#", "!": result += "\\" + String(character)
      case "\n", "\r", "\r\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
