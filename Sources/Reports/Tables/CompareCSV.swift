// SPDX-License-Identifier: Apache-2.0

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
    (["trace", "mode", "scenario", "policy", "auto_pause", "judged_s", "distance_m"]
    + columns.map(\.key)).joined(separator: ",") + "\n"

  /// The lines of one trace, without the header; unknown is an empty cell.
  package static func lines(_ trace: ComparedTrace, options: ReplayOptions) -> String {
    trace.figures(options).map { figures in
      let head: Members = ["trace": .text(trace.name)]
      let extent: Members = [
        "judged_s": .seconds(trace.judged), "distance_m": .metres(trace.distance),
      ]
      let line = head + figures.row.identity + extent + columns.members(figures, in: .csv)
      return line.cells(without: ["interval_s"]).joined(separator: ",") + "\n"
    }.joined()
  }

  /// RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front.
  static func quoted(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
    let safe = isFormula && text != "-" ? "'" + text : text
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
    return "\"" + String(safe.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }) + "\""
  }
}
