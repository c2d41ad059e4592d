// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
package import ServiceCore

// Theory
// ======
//
// The live page on a terminal: the same documents, as lines of text. The most important lines come first, since the
// rest is cut off: the position, the receiver's plan, why each app hears nothing, the last hour, the energy.
//
// Time lines have one column per slice of time; the most important state in it counts, in the order `?` not watched,
// `│` told of a position, `█` in front or on, `▒` in the background, `─` suspended, blank.

/// `milepost dash`: one frame, a pure function.
package enum DashScreen {
  /// Columns before the text of a row.
  private static let indent = 11
  /// The span of the time lines, seconds.
  package static let span = 3_600.0

  /// A screen of at most `height` lines, the first of them fixed; of the others those from `first` on, which is kept
  /// within what there is. The last line says what more there is.
  package static func screen(
    _ overview: OverviewDocument, _ history: [HistoryDocument.Entry], remark: String, width: Int,
    height: Int, from first: inout Int
  ) -> [String] {
    let lines = lines(overview, history, remark: remark, width: width)
    let fixed = lines.prefix { !$0.isEmpty }.count
    let shown = height - fixed - 1
    guard lines.count > height, shown > 0 else {
      first = 0
      return Array(lines.prefix(max(0, height)))
    }
    let rest = lines.count - fixed
    first = min(max(0, first), rest - shown)
    let after = rest - first - shown
    let words =
      (first > 0 ? "\(first) lines above, " : "") + (after > 0 ? "\(after) below: " : "")
      + "the arrow keys scroll"
    return lines[..<fixed] + lines[(fixed + first)..<(fixed + first + shown)]
      + [String(words.prefix(width))]
  }

  /// The lines, each at most `width` columns. `remark` stands at the top.
  package static func lines(
    _ overview: OverviewDocument, _ history: [HistoryDocument.Entry], remark: String? = nil,
    width: Int
  ) -> [String] {
    let status = overview.status
    let now = status.since.advanced(bySeconds: status.uptime)
    var lines = row("milepost", "dash · \(now.rfc3339) · up \(Figures.span(status.uptime))", width)
    if let remark { lines += row("", remark, width) }
    lines += [""]
    lines += row("position", position(status), width)
    lines += row("receiver", LiveRow.receiver(status.receiver), width)
    if status.gpsd.state == .unreachable { lines += row("gpsd", status.gpsd.text, width) }
    if status.store.state != .ok {
      lines += row("store", status.store.warning ?? "nothing outlives this daemon", width)
    }
    lines += row("energy", EnergyText.line(status.energy), width)
    lines += [""] + apps(overview, width)
    lines += [""] + lanes(status, history, until: now, width)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func row(_ name: String, _ text: String, _ width: Int) -> [String] {
    let pad = String(repeating: " ", count: max(1, indent - name.count))
    return ScreenLines.wrapped(name + pad + Quoted.plain(text), indent: indent, width: width)
  }

  private static func position(_ status: StatusDocument) -> String {
    guard let last = status.lastFix else { return "none yet" }
    let speed = last.fix.speed.map { ", \(Figures.whole($0 * 3.6)) km/h" } ?? ""
    let device = last.device.map { " from \($0)" } ?? ""
    return "\(LiveRow.place(last.fix))\(speed), \(Figures.span(last.age)) ago\(device)"
  }

  private static func apps(_ overview: OverviewDocument, _ width: Int) -> [String] {
    guard !overview.status.apps.isEmpty else { return row("apps", "none is registered", width) }
    return overview.status.apps.flatMap { app -> [String] in
      let answer = overview.explanations.first { $0.app == app.name }
      let services = app.services.map(\.rawValue).joined(separator: ", ")
      var facts = [app.held == nil ? app.state.words : "held"]
      if app.kind == .sink { facts.insert("sink", at: 0) }
      facts.append(services.isEmpty ? "no service" : services)
      facts.append("\(Figures.count(app.pending)) pending")
      if app.givenUp > 0 { facts.append("\(Figures.count(app.givenUp)) given up") }
      if let sink = overview.status.sinks.first(where: { $0.name == app.name }) {
        facts.append(SinkText.sent(sink))
      }
      var lines = ScreenLines.wrapped(
        "\(Quoted.plain(app.name)): \(facts.joined(separator: " · "))", indent: 2, width: width
      )
      for text in [
        answer?.text, app.trouble.flatMap { answer?.text.contains($0) == true ? nil : $0 },
      ] {
        guard let text else { continue }
        lines += ScreenLines.wrapped("  " + Quoted.plain(text), indent: 2, width: width)
      }
      return lines
    }
  }

  // MARK: Time lines

  private static func lanes(
    _ status: StatusDocument, _ history: [HistoryDocument.Entry], until now: UTCInstant,
    _ width: Int
  ) -> [String] {
    let columns = width - indent
    guard columns >= 20 else { return [] }
    let receiver = history.filter { $0.kind == .receiver || $0.kind == .unwatched }
    var lines = [
      label("last hour", String(repeating: "·", count: columns)),
      label(
        "receiver",
        lane(receiver, columns, until: now, current: status.receiver.plan.rawValue) {
          $0 == "off" ? " " : "█"
        }),
    ]
    for app in status.apps {
      let entries = history.filter {
        $0.kind == .unwatched || $0.app == app.name && ($0.kind == .state || $0.kind == .delivery)
      }
      lines.append(
        label(
          app.name,
          lane(entries, columns, until: now, current: app.state.rawValue) { word in
            switch AppState(rawValue: word) {
            case .active, .inactive: "█"
            case .background: "▒"
            case .suspended: "─"
            case .notRunning, nil: " "
            }
          }))
    }
    return lines
  }

  private static func label(_ name: String, _ lane: String) -> String {
    let name = Quoted.plain(name)
    let short = name.count < indent ? name : String(name.prefix(indent - 2)) + "…"
    var line = short + String(repeating: " ", count: indent - short.count) + lane
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Later ones in this list hide earlier ones in a column.
  private static let order: [Character] = [" ", "─", "▒", "█", "│", "?"]

  /// `entries` in order; before the first of them nothing is known, and without any, the present state holds
  /// for all the time.
  private static func lane(
    _ entries: [HistoryDocument.Entry], _ columns: Int, until now: UTCInstant, current: String,
    sign: (String) -> Character
  ) -> String {
    var cells = [Character](repeating: " ", count: columns)
    func column(_ at: UTCInstant) -> Int {
      let share = 1 - UTCInstant.seconds(from: at, to: now) / span
      return min(columns - 1, Int((share * Double(columns)).rounded(.down)))
    }
    func fill(_ first: Int, _ last: Int, _ sign: Character) {
      guard last >= max(0, first) else { return }
      for index in max(0, first)...last
      where rank(sign) > rank(cells[index]) { cells[index] = sign }
    }
    let states = entries.filter { $0.kind == .state || $0.kind == .receiver }
    if states.isEmpty { fill(0, columns - 1, sign(current)) }
    for (index, entry) in states.enumerated() {
      let end = index + 1 < states.count ? column(states[index + 1].at) : columns - 1
      fill(column(entry.at), end, sign(entry.word ?? ""))
    }
    for entry in entries where entry.kind == .delivery {
      fill(column(entry.at), column(entry.at), "│")
    }
    for entry in entries where entry.kind == .unwatched {
      fill(column(entry.since ?? entry.at), column(entry.at), "?")
    }
    return String(cells)
  }

  private static func rank(_ sign: Character) -> Int { order.firstIndex(of: sign) ?? 0 }
}
