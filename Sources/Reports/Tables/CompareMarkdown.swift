// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
package import Replay
import Wording

/// `milepost compare --markdown`: a table for an issue or a wiki.
package enum CompareMarkdown {
  package static func trace(_ trace: ComparedTrace, options: ReplayOptions) -> String {
    let title = trace.totalOf.isEmpty ? trace.name : "total of \(trace.totalOf.count) traces"
    var text = "### \(escaped(title))\n\n"
    text += "\(Figures.span(trace.judged)), \(Figures.distance(trace.distance)), profile "
    text += "\(escaped(options.device.name)); modelled, not measured\n\n"
    text += "| mode | energy | range | average power | battery | receiver on | deliveries | missed "
    text +=
      "| wakes | launches | blind for | blind over |\n|---|" + String(repeating: "---:|", count: 11)
    text += "\n"
    for row in trace.rows { text += line(row, trace, options) }
    return text + "\n" + escaped(Advice.sentence(for: trace, options: options)) + "\n"
  }

  private static func line(
    _ row: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    let energy = row.total
    let cells = [
      row.name, Figures.energy(energy.nominal),
      Figures.energyRange(energy.low, energy.high, around: energy.nominal),
      Figures.power(trace.averageMilliwatts(energy.nominal)),
      Figures.percent(trace.batteryPercent(row, options)), Figures.span(row.receiverOn),
      Figures.count(row.deliveries), row.missed, Figures.count(row.wakes),
      Figures.count(row.launches),
      Figures.span(row.blindSeconds), Figures.distance(row.blindMetres),
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// What Markdown or its HTML would take for more than text has a backslash or a reference.
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
