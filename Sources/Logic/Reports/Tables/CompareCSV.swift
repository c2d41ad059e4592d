// SPDX-License-Identifier: Apache-2.0

import JSONText
package import Replay

extension CompareForm {
  static let csv = Self(
    name: "csv", help: "One line per trace and mode, names and values as in the JSON.",
    head: CompareCSV.header
  ) { Array(CompareCSV.lines($0.trace, options: $0.options).utf8) }
}

/// `milepost compare --csv`: one line per trace and mode, names and values as in the JSON.
package enum CompareCSV {
  private static let columns = CompareColumns.all.shown(in: .csv)

  package static let header =
    (["trace", "mode", "scenario", "policy", "auto_pause", "name", "judged_s", "distance_m"]
    + columns.map(\.key)).joined(separator: ",") + "\n"

  /// The lines of one trace, without the header; unknown is an empty cell.
  package static func lines(_ trace: ComparedTrace, options: ReplayOptions) -> String {
    trace.figures(options).map { figures in
      let plan = figures.row.plan
      let head = [
        quoted(trace.name), plan.mode.rawValue, plan.scenario.rawValue,
        quoted(figures.row.policyName ?? ""), "\(plan.pausesAutomatically)",
        quoted(figures.row.name),
        Decimal.text(trace.judged, decimals: 3, trimmed: true),
        Decimal.text(trace.distance, decimals: 1, trimmed: true),
      ]
      return (head + columns.map { $0.cell(figures) }).joined(separator: ",") + "\n"
    }.joined()
  }

  /// RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe in front.
  static func quoted(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
    let safe = isFormula && text != "-" ? "'" + text : text
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
    return "\"" + String(safe.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }) + "\""
  }
}
