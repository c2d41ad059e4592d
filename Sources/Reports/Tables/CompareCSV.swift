// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Scoring

/// `milepost compare --csv`: one line per trace and mode, names and values as in the JSON.
package enum CompareCSV {
  package static let header =
    "trace,mode,scenario,policy,auto_pause,judged_s,distance_m,energy_j,energy_low_j,energy_high_j,"
    + "average_mw,battery_percent,battery_percent_per_day,battery_life_h,gnss_on_s,fixes_seen,"
    + "deliveries,wakes,launches,uploads,blind_s,blind_m,crossings,missed\n"

  /// The lines of one trace, without the header; unknown is an empty cell.
  package static func lines(_ trace: ComparedTrace, options: ReplayOptions) -> String {
    trace.rows.map { line($0, trace, options) }.joined()
  }

  private static func line(
    _ row: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    let energy = row.total
    let share = trace.batteryPercent(row, options)
    let policy = row.plan.service == .significant ? row.plan.policy?.name : nil
    let cells = [
      quoted(trace.name), row.plan.service.rawValue, row.plan.scenario.rawValue, policy ?? "",
      row.plan.pausesAutomatically ? "true" : "false", number(trace.judged, 3),
      number(trace.distance, 1), number(energy.nominal, 6), number(energy.low, 6),
      number(energy.high, 6), number(trace.averageMilliwatts(energy.nominal), 4),
      number(share, 6), number(trace.perDay(share), 6),
      number(trace.batteryLife(row, options), 2), number(row.receiverOn, 3),
      String(row.fixesSeen), String(row.deliveries), String(row.wakes), String(row.launches),
      String(row.uploads), number(row.blindSeconds, 3), number(row.blindMetres, 1),
      String(row.score.crossings),
      String(row.score.missed),
    ]
    return cells.joined(separator: ",") + "\n"
  }

  private static func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { Decimal.text($0, decimals: decimals, trimmed: true) } ?? ""
  }

  /// RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front.
  static func quoted(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
    let safe = isFormula && text != "-" ? "'" + text : text
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
    return "\"" + String(safe.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }) + "\""
  }
}
